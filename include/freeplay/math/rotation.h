#pragma once

#include "freeplay/math/types.h"

namespace freeplay {

/// The matrix a~ with a~ b = a x b.
inline Mat3 skew(const Vec3& a) {
  Mat3 s;
  s << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return s;
}

/// Cayley map: (I - a~/2)^-1 (I + a~/2). Rotation about `a` by 2 atan(|a|/2). This is what it has more than I, free of
/// the round-off of I.
inline Mat3 cayley_change(const Vec3& a) {
  // s (a~ + a~ a~/2), written out.
  const double s = 1.0 / (1.0 + 0.25 * a.squaredNorm());
  const Vec3 b = s * a, h = 0.5 * b;
  const double xy = h.x() * a.y(), xz = h.x() * a.z(), yz = h.y() * a.z();
  const double xx = h.x() * a.x(), yy = h.y() * a.y(), zz = h.z() * a.z();
  Mat3 change;
  change << -(yy + zz), xy - b.z(), xz + b.y(), xy + b.z(), -(xx + zz), yz - b.x(), xz - b.y(), yz + b.x(), -(xx + yy);
  return change;
}

inline Mat3 cayley(const Vec3& a) { return Mat3::Identity() + cayley_change(a); }

/// T(a) of the Cayley map in body axes: cayley(a)^T d cayley(a) = (T da)~.
inline Mat3 cayley_tangent(const Vec3& a) {
  return (Mat3::Identity() - 0.5 * skew(a)) / (1.0 + 0.25 * a.squaredNorm());
}

/// Inverse of cayley(); valid for rotations by less than half a turn.
inline Vec3 inverse_cayley(const Mat3& rotation) {
  const Vec3 axial(rotation(2, 1) - rotation(1, 2), rotation(0, 2) - rotation(2, 0), rotation(1, 0) - rotation(0, 1));
  return 2.0 / (1.0 + rotation.trace()) * axial;
}

/// The rotation nearest to a matrix that is one up to round-off (one Newton step of the polar decomposition).
/// Products of many rotations drift off SO(3) like a random walk of round-off errors; this removes the drift.
inline Mat3 nearest_rotation(const Mat3& almost) {
  return almost * (1.5 * Mat3::Identity() - 0.5 * almost.transpose() * almost);
}

/// A right-handed orthonormal basis whose third axis is `direction` (need not be of unit length). The other two are
/// chosen along the coordinate axes where that is possible, so that a joint with a coordinate axis has axes a user
/// expects.
Mat3 basis_with_third_axis(const Vec3& direction);

}  // namespace freeplay
