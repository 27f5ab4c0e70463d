#pragma once

#include "equilibrium_solver.h"
#include "freeplay/analysis/dynamic.h"

namespace freeplay {

/// Goes downhill to a position of rest under the full loads. `state` has the full load factor, and its multipliers are
/// found. Throws NumericalFailure if there is none.
RunEnd descend(const Model& model, const AnalysisSpec& analysis, SolverFactory& solvers, EquilibriumSolver& equilibrium,
               Observer& observer, State& state);

}  // namespace freeplay
