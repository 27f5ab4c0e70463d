#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/laws/section/register.h"

namespace freeplay {
namespace {

using std::numbers::pi;

/// Timoshenko and Goodier, Theory of Elasticity, torsion of rectangular bars: with the sides a >= b,
/// J = a b^3/3 (1 - 192/pi^5 b/a sum tanh(n pi a/(2 b))/n^5) over n = 1, 3, 5, ... Here tanh = 1 - 2/(exp + 1): the sum
/// of 1/n^5 is 31/32 zeta(5), and what remains converges to round-off within a few terms.
double torsion_constant(double side, double other_side) {
  constexpr double zeta_5 = 1.0369277551433699;
  constexpr int last_term = 11;  // exp(-11 pi) / 11^5 < 1e-20
  const double a = std::max(side, other_side);
  const double b = std::min(side, other_side);
  double sum = 31.0 / 32.0 * zeta_5;
  for (int n = 1; n <= last_term; n += 2) sum -= 2 / (std::exp(n * pi * a / b) + 1) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

/// Shear correction: Cowper 1966.
struct Rectangle {
  double width = 0.0, height = 0.0;  ///< along the first and the second axis [m]

  static auto lengths() { return std::array{&Rectangle::width, &Rectangle::height}; }
  static Table<Rectangle> keys() {
    Table<Rectangle> table("Rectangle",
                           "A full rectangle; torsion by the series of Saint-Venant, shear correction 10*(1 + nu)/(12 "
                           "+ 11*nu), 0.850 for nu = 0.3.");
    table.required("width", &Rectangle::width, number("m", above(0)), "Length along the first axis.");
    table.required("height", &Rectangle::height, number("m", above(0)), "Length along the second axis.");
    return table;
  }

  SectionGeometry geometry() const {
    const double area = width * height;
    return {area, {area * height * height / 12, area * width * width / 12}, torsion_constant(width, height)};
  }
  std::array<double, 2> shear_correction(double nu) const {
    const double k = 10 * (1 + nu) / (12 + 11 * nu);
    return {k, k};
  }
  DrawnOutline drawn() const { return {.has_corners = true, .outer = {0.5 * width, 0.5 * height, 0.0}}; }
};

const RegisterOutline<Rectangle> rectangle("rectangle");

}  // namespace
}  // namespace freeplay
