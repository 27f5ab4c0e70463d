#pragma once

#include <array>
#include <memory>

#include "freeplay/math/types.h"

namespace freeplay {

/// Of a cross section about its centroid, in section axes.
struct SectionGeometry {
  double area = 0.0;                      ///< [m^2]
  std::array<double, 2> second_moment{};  ///< about the first and the second axis [m^4]
  double torsion_constant = 0.0;          ///< Saint-Venant [m^4]
};

/// What pictures show of an outline: an ellipse or a rectangle, from the middle to the sides along both axes [m].
struct DrawnOutline {
  bool has_corners = false;
  Vec3 outer = Vec3::Zero();
  Vec3 inner = Vec3::Zero();  ///< of the hole; zero: none

  bool is_hollow() const { return !inner.isZero(0.0); }
  /// From the middle to the point that is farthest from it.
  double radius() const { return has_corners ? outer.norm() : outer.maxCoeff(); }
};

/// The shape of a cross section. Each is a file in laws/section, and only that knows its parameters.
class SectionOutline {
 public:
  virtual ~SectionOutline() = default;

  virtual SectionGeometry geometry() const = 0;
  /// Shear correction factors k of an isotropic section along the first and the second axis.
  virtual std::array<double, 2> shear_correction(double poisson_ratio) const = 0;
  virtual DrawnOutline drawn() const = 0;
  /// The outline on the way from this one (weight 0) to another (weight 1), with all lengths linear. Null if the other
  /// is no outline of the same kind.
  virtual std::shared_ptr<const SectionOutline> towards(const SectionOutline& other, double weight) const = 0;
};

/// Null: there is none.
using OutlineSpec = std::shared_ptr<const SectionOutline>;

}  // namespace freeplay
