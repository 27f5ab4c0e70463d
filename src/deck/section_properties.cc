#include "section_properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/deck/tapered_section.h"

namespace freeplay {

namespace {

using std::numbers::pi;

/// Area and moments by factors, because the difference of the powers of two near radii would lose digits.
SectionGeometry ring(double outer, double inner) {
  const double area = pi * (outer - inner) * (outer + inner);
  const double second_moment = area * (outer * outer + inner * inner) / 4;
  return {area, {second_moment, second_moment}, 2 * second_moment};
}

/// Timoshenko and Goodier, Theory of Elasticity, torsion of rectangular bars: with the sides a >= b,
/// J = a b^3/3 (1 - 192/pi^5 b/a sum tanh(n pi a/(2 b))/n^5) over n = 1, 3, 5, ... Here tanh = 1 - 2/(exp + 1): the sum
/// of 1/n^5 is 31/32 zeta(5), and what remains converges to round-off within a few terms.
double torsion_constant_of_rectangle(double side, double other_side) {
  constexpr double zeta_5 = 1.0369277551433699;
  constexpr int last_term = 11;  // exp(-11 pi) / 11^5 < 1e-20
  const double a = std::max(side, other_side);
  const double b = std::min(side, other_side);
  double sum = 31.0 / 32.0 * zeta_5;
  for (int n = 1; n <= last_term; n += 2) sum -= 2 / (std::exp(n * pi * a / b) + 1) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

SectionGeometry rectangle(double width, double height) {
  const double area = width * height;
  return {area, {area * height * height / 12, area * width * width / 12}, torsion_constant_of_rectangle(width, height)};
}

/// A hollow rectangle: area and second moments are exact; the torsion constant is that of R. Bredt (1896) for thin
/// walls, 4 a^2 wall / perimeter with the area a inside the middle line.
SectionGeometry box(double width, double height, double wall) {
  const double b = width - wall;  // of the middle line
  const double h = height - wall;
  // [(across + wall) (along + wall)^3 - (across - wall) (along - wall)^3] / 12 without the digits that cancel.
  const auto second_moment = [&](double across, double along) {
    return wall * (across * along * along / 2 + along * along * along / 6 + wall * wall * (across + 3 * along) / 6);
  };
  return {2 * wall * (b + h), {second_moment(b, h), second_moment(h, b)}, 2 * wall * b * b * h * h / (b + h)};
}

/// Cowper's K for a box of thin walls of equal thickness; shear along the walls of length `along`.
double shear_correction_of_box(double across, double along, double nu) {
  const double m = across / along;  // also his n, for equal walls
  const double m2 = m * m, m3 = m2 * m;
  return 10 * (1 + nu) * std::pow(1 + 3 * m, 2) /
         (12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) +
          10 * m2 * ((3 + nu) * m + 3 * m2));
}

}  // namespace

SectionGeometry section_geometry(const OutlineSpec& outline) {
  if (outline.kind == OutlineSpec::Kind::rectangle) return rectangle(outline.width, outline.height);
  if (outline.kind == OutlineSpec::Kind::box) return box(outline.width, outline.height, outline.wall);
  return ring(outline.radius, outline.kind == OutlineSpec::Kind::tube ? outline.inner_radius : 0.0);
}

std::array<double, 2> cowper_shear_correction(const OutlineSpec& outline, double poisson_ratio) {
  const double nu = poisson_ratio;
  if (outline.kind == OutlineSpec::Kind::box) {
    const double b = outline.width - outline.wall;
    const double h = outline.height - outline.wall;
    return {shear_correction_of_box(h, b, nu), shear_correction_of_box(b, h, nu)};
  }
  double k = 6 * (1 + nu) / (7 + 6 * nu);  // circle
  if (outline.kind == OutlineSpec::Kind::rectangle) k = 10 * (1 + nu) / (12 + 11 * nu);
  if (outline.kind == OutlineSpec::Kind::tube) {
    const double m2 = std::pow(outline.inner_radius / outline.radius, 2);
    const double square = (1 + m2) * (1 + m2);
    k = 6 * (1 + nu) * square / ((7 + 6 * nu) * square + (20 + 12 * nu) * m2);
  }
  return {k, k};
}

void compute_from_material(SectionSpec& section) {
  const double E = section.material->youngs_modulus;
  const double G = section.material->shear_modulus;
  const double density = section.material->density;
  const auto& [k1, k2] = section.shear_correction;
  const SectionGeometry geometry = section_geometry(section.outline);
  const auto& [I1, I2] = geometry.second_moment;
  const double A = geometry.area;
  Vec6 diagonal;
  diagonal << k1 * G * A, k2 * G * A, E * A, E * I1, E * I2, G * geometry.torsion_constant;
  section.stiffness = diagonal.asDiagonal();
  section.mass = density * A;
  section.rotary = {density * I1, density * I2, density * (I1 + I2)};
}

std::optional<SectionSpec> tapered_section(const SectionSpec& start, const SectionSpec& end, double weight) {
  if (!start.material || !end.material || start.outline.kind != end.outline.kind) return std::nullopt;
  const auto between = [weight](double a, double b) { return (1.0 - weight) * a + weight * b; };
  const OutlineSpec &a = start.outline, &b = end.outline;
  SectionSpec section = start;
  section.outline = {.kind = a.kind,
                     .radius = between(a.radius, b.radius),
                     .inner_radius = between(a.inner_radius, b.inner_radius),
                     .width = between(a.width, b.width),
                     .height = between(a.height, b.height),
                     .wall = between(a.wall, b.wall)};
  section.material =
      MaterialSpec{.where = start.material->where,
                   .youngs_modulus = between(start.material->youngs_modulus, end.material->youngs_modulus),
                   .shear_modulus = between(start.material->shear_modulus, end.material->shear_modulus),
                   .density = between(start.material->density, end.material->density)};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    section.shear_correction[axis] = between(start.shear_correction[axis], end.shear_correction[axis]);
    section.centre[axis] = between(start.centre[axis], end.centre[axis]);
  }
  compute_from_material(section);
  return section;
}

}  // namespace freeplay
