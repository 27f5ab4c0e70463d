#pragma once

#include "freeplay/analysis/dynamic.h"

namespace freeplay {

/// Moves a mechanism whose drives leave it no freedom through time: positions, velocities and accelerations from the
/// constraints alone, reactions and drive forces from the inertia and the loads (inverse dynamics).
RunEnd run_kinematic(Assembled& assembled, const AnalysisSpec& analysis, const OutputSpec& output,
                     SolverFactory& solvers, Observer& observer);

}  // namespace freeplay
