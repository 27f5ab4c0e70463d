#include "freeplay/laws/section/register.h"
#include "ring.h"

namespace freeplay {
namespace {

/// Shear correction: Cowper 1966.
struct Circle {
  double radius = 0.0;  ///< [m]

  static auto lengths() { return std::array{&Circle::radius}; }
  static Table<Circle> keys() {
    Table<Circle> table("Circle", "A full circle; shear correction 6*(1 + nu)/(7 + 6*nu), 0.886 for nu = 0.3.");
    table.required("radius", &Circle::radius, number("m", above(0)), "Radius.");
    return table;
  }

  SectionGeometry geometry() const { return ring(radius, 0.0); }
  std::array<double, 2> shear_correction(double nu) const {
    const double k = 6 * (1 + nu) / (7 + 6 * nu);
    return {k, k};
  }
  DrawnOutline drawn() const { return {.outer = {radius, radius, 0.0}}; }
};

const RegisterOutline<Circle> circle("circle");

}  // namespace
}  // namespace freeplay
