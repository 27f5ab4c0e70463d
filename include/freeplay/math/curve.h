#pragma once

#include <memory>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay {

/// A smooth curve in space, by its arc length s from 0 to length().
class Curve {
 public:
  virtual ~Curve() = default;
  virtual double length() const = 0;
  virtual Vec3 point(double s) const = 0;
  virtual Vec3 tangent(double s) const = 0;  ///< unit vector

  /// The rotation from the start to s that takes the tangent along and never turns about it (rotation-minimising).
  virtual Mat3 transport(double s) const = 0;
};

std::unique_ptr<Curve> make_segment(const Vec3& from, const Vec3& to);

/// Part of a circle: `from` turned about `axis` (a unit vector, normal to `from` - `centre`) by `angle` > 0.
std::unique_ptr<Curve> make_arc(const Vec3& from, const Vec3& centre, const Vec3& axis, double angle);

/// The cubic spline with continuous curvature through at least three points of which neighbours differ. Its parameter
/// is the length of the chords, with which its distance to a smooth curve through the points falls with their fourth
/// power (M. S. Floater, Chordal cubic spline interpolation is fourth-order accurate, IMA J. Numer. Anal. 26 (2006)
/// 25-33). At the ends the first two and the last two spans are one cubic ("not-a-knot"); three points give a parabola.
std::unique_ptr<Curve> make_spline(const std::vector<Vec3>& points);

}  // namespace freeplay
