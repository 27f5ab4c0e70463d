#pragma once

#include "freeplay/math/dual.h"
#include "freeplay/math/pose.h"

namespace freeplay {

/// A pose at the end of a step as numbers, or as numbers with derivatives by its motion (dx, dphi) in inertial axes;
/// `side` 0 or 1 says which of the derivatives.
template <class T>
struct EndPose {
  Vector3<T> x;
  Matrix3<T> R;
};

template <class T>
EndPose<T> end_pose(const Pose& pose, int side);

template <>
inline EndPose<double> end_pose<double>(const Pose& pose, int) {
  return {pose.x, pose.R};
}

template <>
inline EndPose<Dual> end_pose<Dual>(const Pose& pose, int side) {
  EndPose<Dual> end;
  Vector3<Dual> dphi;
  for (int k = 0; k < 3; ++k) {
    end.x[k] = Dual(12, 6 * side + k, pose.x[k]);
    dphi[k] = Dual(12, 6 * side + 3 + k, 0.0);
  }
  for (int k = 0; k < 3; ++k) {
    const Vector3<Dual> d = pose.R.col(k).cast<Dual>();
    end.R.col(k) = d + dphi.cross(d);
  }
  return end;
}

/// The Cayley vector of the rotation from `start` to `end`, inertial axes.
template <class T>
Vector3<T> cayley_vector(const Matrix3<T>& end, const Mat3& start) {
  const Matrix3<T> Q = end * start.transpose().cast<T>();
  const Vector3<T> axial(Q(2, 1) - Q(1, 2), Q(0, 2) - Q(2, 0), Q(1, 0) - Q(0, 1));
  return axial * T(2.0 / (1.0 + Q(0, 0) + Q(1, 1) + Q(2, 2)));
}

}  // namespace freeplay
