#pragma once

#include <span>
#include <string>
#include <vector>

#include "freeplay/deck/spec.h"
#include "freeplay/math/types.h"

namespace freeplay {

/// A rigid body as the user sees it. Lengths in m, body axes.
struct ParaviewBody {
  std::string name;
  ShapeSpec shape;
  Vec3 centre = Vec3::Zero();  ///< centre of mass: the middle of a sphere or a box
  std::vector<Vec3> points;    ///< the body's named points: the ends of the rods of an automatic shape
  double size_hint = 0.0;      ///< radius of the sphere of an automatic shape without points; 0: unknown
};

/// One of the simple shapes that a body is drawn with, body axes.
struct DrawnShape {
  enum class Kind { sphere, box, cylinder };
  Kind kind = Kind::sphere;
  Vec3 centre = Vec3::Zero();                   ///< sphere, box
  double radius = 0.0;                          ///< sphere, cylinder
  Vec3 size = Vec3::Zero();                     ///< box
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  ///< cylinder: ends of its axis
  bool is_rod = false;                          ///< thin: fewer corners do
};

/// The shapes of a body. Automatic: a thin rod from the centre of mass to each point and a small sphere at the centre
/// of mass; a sphere of `default_radius` if there are no points away from the centre and there is no size_hint.
/// InputError if the shape has no extent.
std::vector<DrawnShape> body_shapes(const ParaviewBody& body, double default_radius);

/// Polygons in body axes.
struct Surface {
  std::vector<Vec3> points;
  std::vector<int> corners;         ///< of one polygon after the other: numbers in `points`
  std::vector<int> corner_numbers;  ///< how many corners each polygon has

  void append(const Surface& other);
};

/// The surface of the body_shapes().
Surface body_surface(const ParaviewBody& body, double default_radius);

/// A radius that is small beside the bodies that have an extent, but can be seen.
double default_radius(std::span<const ParaviewBody> bodies);

}  // namespace freeplay
