#pragma once

#include <optional>

#include "freeplay/math/types.h"

namespace freeplay {

/// What `freeplay modes` is asked for.
struct ModesRequest {
  /// The state that vibrates: as assembled (without gravity and loads), at rest under gravity and loads, or turning
  /// steadily under them.
  enum class About { assembled, rest, rotation };
  About about = About::assembled;
  int n = 10;
  double speed = 0.0;        ///< rotation [rad/s]
  std::optional<Vec3> axis;  ///< of the rotation, through the origin; absent: that of the joints to ground
  bool json = false;         ///< print JSON instead of a table
  bool paraview = false;     ///< write an animation of each mode
};

}  // namespace freeplay
