#pragma once

// Random poses and steps for the tests of everything that acts between two frames.

#include <Eigen/LU>

#include "freeplay/mechanics/motion.h"
#include "math/numerics_testing.h"

namespace freeplay {

inline Pose random_pose(Random& random) { return {random.vector(2.0), random.rotation()}; }

inline Frame random_frame(int node, Random& random) { return {node, random.vector(), random.rotation()}; }

/// A pose after the small motion (dx, dphi) in inertial axes, as in QuadraticForm::wrench and TangentSink.
inline Pose varied(const Pose& pose, const Vec6& variation) {
  return {pose.x + variation.head<3>(), cayley(variation.tail<3>()) * pose.R};
}

/// A pose carried along by a motion of the whole world: x -> Q x + shift.
inline Pose carried(const Pose& world, const Pose& pose) { return {world.R * pose.x + world.x, world.R * pose.R}; }

/// A frame of a node stays as it is; one of ground is carried along.
inline Frame carried(const Pose& world, const Frame& frame) {
  if (frame.node != ground) return frame;
  return {ground, world.R * frame.offset + world.x, world.R * frame.axes};
}

/// A step of `n_nodes` nodes with random poses, moved by random twists of the given size from i to f and from i to j.
inline Motion random_motion(int n_nodes, double size, Random& random) {
  Motion motion;
  motion.time = 0.3;
  motion.dt = motion.passed = 0.07;
  motion.alpha = 0.6;
  for (int n = 0; n < n_nodes; ++n) {
    NodeMotion node;
    node.start = random_pose(random);
    node.set_jump(moved(node.start, random.twist(0.3 * size)));
    node.set_end(moved(node.start, random.twist(size)));
    motion.nodes.push_back(node);
    motion.velocity.push_back(random.twist());
  }
  return motion;
}

/// The step twist from one pose to another, the inverse of moved().
inline Vec6 step_twist(const Pose& start, const Pose& end) {
  Vec6 xi;
  xi.tail<3>() = inverse_cayley(start.R.transpose() * end.R);
  xi.head<3>() = (0.5 * (start.R + end.R)).inverse() * (end.x - start.x);
  return xi;
}

/// (x_f - x_i, R_i xi_w): what forces and moments constant over the step do their work on.
inline Vec6 displacement(const Pose& start, const Pose& end) {
  Vec6 result;
  result << end.x - start.x, start.R * inverse_cayley(start.R.transpose() * end.R);
  return result;
}

inline Vec6 displacement(const NodeMotion& node) { return displacement(node.start, node.end()); }

}  // namespace freeplay
