#pragma once

#include <complex>
#include <vector>

#include "freeplay/analysis/modes.h"

namespace freeplay {

/// How all nodes vibrate at one speed or frequency, for pictures: shapes as Mode::shape, body axes. An empty one: there
/// is none at this speed.
struct VibrationShapes {
  std::size_t point = 0;  ///< number of the speed or frequency
  std::vector<std::vector<Mode::Twist>> shapes;
};

/// Numbers of some of `n_points`, evenly spread, with both ends: so many that the shapes of a point, `n_shapes` of
/// `n_nodes` nodes each, make no large file.
std::vector<std::size_t> points_with_shapes(std::size_t n_points, std::size_t n_shapes, std::size_t n_nodes);

}  // namespace freeplay
