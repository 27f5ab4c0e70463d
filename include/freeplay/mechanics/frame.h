#pragma once

#include "freeplay/math/pose.h"
#include "freeplay/math/rotation.h"
#include "freeplay/math/types.h"

namespace freeplay {

/// How a step twist xi = (xi_V, xi_w) in body axes changes q, with the Cayley map of SE(3) (integrator.md):
/// R1 = R0 cay(xi_w), x1 = x0 + D xi_V with D = (R0 + R1)/2. `rotation` = cay(xi_w) - I; `displacement` = (I +
/// rotation/2) xi_V is in the axes of the start. q1 - q0 = R0 (displacement, rotation) is free of the round-off of
/// positions.
inline Mat34 change_of(const Pose& start, const Vec3& displacement, const Mat3& rotation) {
  Mat34 change;
  change << start.R * displacement, start.R * rotation;
  return change;
}

/// (I + rotation/2) xi_V, without the matrix: a processor waits where numbers are read that it has just written.
inline Vec3 displacement_of(const Vec3& xi_V, const Vec3& xi_w) {
  const double half_s = 0.5 / (1.0 + 0.25 * xi_w.squaredNorm());
  const Vec3 c = xi_w.cross(xi_V);
  return xi_V + half_s * (c + 0.5 * xi_w.cross(c));
}

inline Pose moved(const Pose& start, const Vec6& xi) {
  const Mat34 change = change_of(start, displacement_of(xi.head<3>(), xi.tail<3>()), cayley_change(xi.tail<3>()));
  return {start.x + change.col(0), start.R + change.rightCols<3>()};
}

/// Derivative of moved() by xi, as (dx, dphi) of the end in inertial axes.
inline Mat6 moved_tangent(const Pose& start, const Pose& end, const Vec6& xi) {
  const Mat3 T = cayley_tangent(xi.tail<3>());
  Mat6 tangent;
  tangent << 0.5 * (start.R + end.R), -0.5 * end.R * skew(xi.head<3>()) * T, Mat3::Zero(), end.R * T;
  return tangent;
}

constexpr int ground = -1;

/// A place that joints, springs and loads attach to: a node (or ground) plus a fixed offset and axes in it.
struct Frame {
  int node = ground;
  Vec3 offset = Vec3::Zero();    ///< in node axes (ground: inertial position) [m]
  Mat3 axes = Mat3::Identity();  ///< columns: the frame's axes in node axes
};

/// Where a frame is: linear in the q of its node.
struct FramePlace {
  Vec3 x;  ///< position, inertial [m]
  Vec3 r;  ///< arm from the node to the frame, inertial [m]; zero for ground
  Mat3 a;  ///< columns: axes, inertial
};

inline FramePlace place(const Frame& frame, const Pose& pose) {
  if (frame.node == ground) return {frame.offset, Vec3::Zero(), frame.axes};
  const Vec3 r = pose.R * frame.offset;
  return {pose.x + r, r, pose.R * frame.axes};
}

inline FramePlace mean(const FramePlace& a, const FramePlace& b) {
  return {0.5 * (a.x + b.x), 0.5 * (a.r + b.r), 0.5 * (a.a + b.a)};
}

/// A frame at the start, in the middle (mean of q) and at the end of a step.
struct FrameMotion {
  FramePlace start, mid, end;
};

}  // namespace freeplay
