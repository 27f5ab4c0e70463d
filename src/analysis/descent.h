#pragma once

#include "freeplay/analysis/dynamic.h"

namespace freeplay {

/// Goes downhill to a position of rest under the full loads, with accelerations below 1e-9 of those at the start or of
/// gravity. `state` has the full load factor, and its multipliers are found. Throws NumericalFailure if there is none.
RunEnd descend(const Model& model, const AnalysisSpec& analysis, SolverFactory& solvers, const Observer& observer,
               State& state);

}  // namespace freeplay
