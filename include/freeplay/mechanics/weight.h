#pragma once

#include "freeplay/mechanics/model.h"

namespace freeplay {

/// m c: the first moment of mass in body axes, from the body mass matrix.
inline Vec3 first_moment(const Mat6& mass) { return {mass(5, 1), mass(3, 2), mass(4, 0)}; }

/// The weight of a node as a force that resists, so with a minus sign, and its moment about the node; inertial axes.
inline Vec6 resisting_weight(const Node& node, const Mat3& R, const Vec3& gravity) {
  const Vec3 arm = R * first_moment(node.mass);
  Vec6 force;
  force << -node.mass(0, 0) * gravity, -arm.cross(gravity);
  return force;
}

/// Its derivative by (dx, dphi) of the node: the arm changes by dphi x arm.
inline Mat6 weight_stiffness(const Node& node, const Mat3& R, const Vec3& gravity) {
  const Vec3 arm = R * first_moment(node.mass);
  Mat6 stiffness = Mat6::Zero();
  stiffness.bottomRightCorner<3, 3>() = -skew(gravity) * skew(arm);
  return stiffness;
}

}  // namespace freeplay
