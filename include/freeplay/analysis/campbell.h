#pragma once

#include <optional>
#include <vector>

#include "freeplay/analysis/rotor_request.h"
#include "freeplay/analysis/vibration_shapes.h"
#include "freeplay/analysis/whirl_modes.h"

namespace freeplay {

/// A mode followed over the speeds.
struct CampbellLine {
  /// Per speed; nothing where it is not found any more or does not vibrate.
  std::vector<std::optional<WhirlMode>> at;
};

/// A speed at which a mode vibrates as often as the rotor turns.
struct CriticalSpeed {
  double speed = 0.0;  ///< [rad/s]
  int line = 0;
  Whirl whirl = Whirl::none;
  double damping_ratio = 0.0;
};

/// The lowest speed at which a mode grows, and that mode.
struct StabilityLimit {
  double speed = 0.0;      ///< [rad/s]
  bool at_start = false;   ///< the lowest speed that was asked for: the limit is below it
  double frequency = 0.0;  ///< [rad/s]
  Whirl whirl = Whirl::none;
};

struct Campbell {
  Rotor rotor;
  std::vector<double> speeds;  ///< [rad/s]
  std::vector<CampbellLine> lines;
  std::vector<CriticalSpeed> critical;  ///< ascending
  std::optional<StabilityLimit> stability_limit;
  std::vector<VibrationShapes> shapes;  ///< at some of the speeds, of all lines; as the axes of the equations see them
  bool damped = false;
  int n_rigid = 0, n_creeping = 0;  ///< largest numbers of motions that are not shown
};

/// Modes of the rotor of an assembled model_for_rotor() over its speed. InputError, NumericalFailure.
Campbell find_campbell(Assembled& assembled, const RotorRequest& request, SolverFactory& solvers);

}  // namespace freeplay
