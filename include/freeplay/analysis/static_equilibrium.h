#pragma once

#include "freeplay/analysis/dynamic.h"

namespace freeplay {

/// Finds a position of rest under the loads at t = 0, starting from the assembled position, and records it. The model
/// must have been assembled for a static analysis: the load factor is 0, and the drives are where the positions have
/// them.
/// Throws NumericalFailure if there is none.
RunEnd run_static(Assembled& assembled, const AnalysisSpec& analysis, const OutputSpec& output, SolverFactory& solvers,
                  Observer& observer);

}  // namespace freeplay
