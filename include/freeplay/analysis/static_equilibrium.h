#pragma once

#include "freeplay/analysis/dynamic.h"

namespace freeplay {

/// Finds a position of rest under the loads at t = 0, starting from the assembled position, and records it.
/// Throws NumericalFailure if there is none.
RunEnd run_static(Assembled& assembled, const AnalysisSpec& analysis, const OutputSpec& output, SolverFactory& solvers,
                  Observer& observer);

}  // namespace freeplay
