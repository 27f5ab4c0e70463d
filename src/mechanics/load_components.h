#pragma once

// What loads that are given in time and turn with a node have in common.

#include <array>

#include "freeplay/deck/time_function.h"
#include "freeplay/mechanics/motion.h"

namespace freeplay {

/// Components as the user gave them, constant over the step: their mean, or the value at an instant; times the load
/// factor.
inline Vec3 components_over(const Motion& motion, const std::array<TimeFunction, 3>& value) {
  Vec3 c;
  for (int k = 0; k < 3; ++k)
    c[k] = motion.passed == 0.0 ? value[k](motion.time) : value[k].mean(motion.time, motion.end_time());
  return motion.load_factor * c;
}

/// What a load that turns with a node is in inertial axes: those of the node are the mean ones of the step.
inline Vec3 turned_over(const NodeMotion& node, const Vec3& in_node_axes) {
  return 0.5 * (node.start.R + node.end().R) * in_node_axes;
}

/// The vector that a moment, constant over the step, is multiplied with for its work. The incremental rotation of the
/// step has the same components before and after it: R_i xi_w = R_f xi_w.
inline Vec3 rotation_over(const NodeMotion& node) {
  return node.start.R * inverse_cayley(node.start.R.transpose() * node.end().R);
}

inline void add_corners(const std::array<TimeFunction, 3>& value, std::vector<double>& corners) {
  for (const TimeFunction& f : value) corners.insert(corners.end(), f.corners().begin(), f.corners().end());
}

}  // namespace freeplay
