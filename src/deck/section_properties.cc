#include "section_properties.h"

#include "freeplay/deck/tapered_section.h"

namespace freeplay {

void compute_from_material(SectionSpec& section) {
  const double E = section.material->youngs_modulus;
  const double G = section.material->shear_modulus;
  const double density = section.material->density;
  const auto& [k1, k2] = section.shear_correction;
  const SectionGeometry geometry = section.outline->geometry();
  const auto& [I1, I2] = geometry.second_moment;
  const double A = geometry.area;
  Vec6 diagonal;
  diagonal << k1 * G * A, k2 * G * A, E * A, E * I1, E * I2, G * geometry.torsion_constant;
  section.stiffness = diagonal.asDiagonal();
  section.mass = density * A;
  section.rotary = {density * I1, density * I2, density * (I1 + I2)};
}

std::optional<SectionSpec> tapered_section(const SectionSpec& start, const SectionSpec& end, double weight) {
  if (!start.material || !end.material) return std::nullopt;
  const OutlineSpec outline = start.outline->towards(*end.outline, weight);
  if (!outline) return std::nullopt;
  const auto between = [weight](double a, double b) { return (1.0 - weight) * a + weight * b; };
  SectionSpec section = start;
  section.outline = outline;
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
