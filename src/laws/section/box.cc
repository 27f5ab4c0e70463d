#include <algorithm>
#include <cmath>

#include "freeplay/laws/section/register.h"

namespace freeplay {
namespace {

/// Cowper's K (1966) for a box of thin walls of equal thickness; shear along the walls of length `along`.
double shear_correction_along(double across, double along, double nu) {
  const double m = across / along;  // also his n, for equal walls
  const double m2 = m * m, m3 = m2 * m;
  return 10 * (1 + nu) * std::pow(1 + 3 * m, 2) /
         (12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) +
          10 * m2 * ((3 + nu) * m + 3 * m2));
}

/// Area and second moments are exact; the torsion constant is that of R. Bredt (1896) for thin walls, 4 a^2 wall /
/// perimeter with the area a inside the middle line.
struct Box {
  double width = 0.0, height = 0.0;  ///< along the first and the second axis, outer [m]
  double wall = 0.0;                 ///< thickness [m]

  static auto lengths() { return std::array{&Box::width, &Box::height, &Box::wall}; }
  static Table<Box> keys();

  SectionGeometry geometry() const {
    const double b = width - wall;  // of the middle line
    const double h = height - wall;
    // [(across + wall) (along + wall)^3 - (across - wall) (along - wall)^3] / 12 without the digits that cancel.
    const auto second_moment = [&](double across, double along) {
      return wall * (across * along * along / 2 + along * along * along / 6 + wall * wall * (across + 3 * along) / 6);
    };
    return {2 * wall * (b + h), {second_moment(b, h), second_moment(h, b)}, 2 * wall * b * b * h * h / (b + h)};
  }
  std::array<double, 2> shear_correction(double nu) const {
    const double b = width - wall, h = height - wall;
    return {shear_correction_along(h, b, nu), shear_correction_along(b, h, nu)};
  }
  DrawnOutline drawn() const {
    const Vec3 outer(0.5 * width, 0.5 * height, 0.0);
    return {.has_corners = true, .outer = outer, .inner = outer - Vec3(wall, wall, 0.0)};
  }
};

Table<Box> Box::keys() {
  Table<Box> table("Box",
                   "A hollow rectangle with walls of one thickness; torsion by Bredt and shear correction by Cowper "
                   "for thin walls, for equal sides 20*(1 + nu)/(48 + 39*nu), 0.436 for nu = 0.3.");
  table.required("width", &Box::width, number("m", above(0)), "Outer length along the first axis.");
  table.required("height", &Box::height, number("m", above(0)), "Outer length along the second axis.");
  table.required("wall", &Box::wall, number("m", above(0)), "Thickness of the walls.");
  table.check([](const Box& box, const Given& given, Reader& reader) {
    if (reader.failed(reader.path()) || 2 * box.wall < std::min(box.width, box.height)) return;
    error_at("wall", "must be less than half of 'width' and of 'height'", given, reader);
  });
  return table;
}

const RegisterOutline<Box> box("box");

}  // namespace
}  // namespace freeplay
