#pragma once

#include <optional>

#include "freeplay/analysis/linearisation.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/deck/spec.h"
#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

// States about which a model can be linearised: nothing moves in them, or everything turns with one angular velocity.
// Velocities of the file are not used; drives stand where they are at t = 0.

/// As assembled. InputError if springs or beams push the bodies away from there.
State assembled_reference(const Assembled& assembled, SolverFactory& solvers);

/// Position of rest under gravity and loads at t = 0, of a model that was assembled for a static analysis.
State rest_reference(Assembled& assembled, const AnalysisSpec& analysis, SolverFactory& solvers);

/// Steady rotation at `speed` [rad/s] about an axis through the origin, or about the axis of a joint to ground if none
/// is given. InputError if joints, loads or springs do not allow it.
SteadyRotation rotation_about(const std::optional<Vec3>& axis, double speed, const Assembled& assembled);

/// The state that the model has in a steady rotation, centrifugal forces included.
State rotating_reference(const Assembled& assembled, const SteadyRotation& rotation, SolverFactory& solvers);

/// The state in which some nodes turn steadily and the others stand still; see Linearisation. Bearings know the speed.
State rotor_reference(const Assembled& assembled, const SteadyRotation& rotation, const std::vector<char>& rotating,
                      SolverFactory& solvers);

}  // namespace freeplay
