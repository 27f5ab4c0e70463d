#pragma once

// Stiffness and inertia of simple cross sections of one material.

#include "freeplay/deck/spec.h"

namespace freeplay {

/// Of a cross section about its centroid, in section axes.
struct SectionGeometry {
  double area = 0.0;                      ///< [m^2]
  std::array<double, 2> second_moment{};  ///< about the first and the second axis [m^4]
  double torsion_constant = 0.0;          ///< Saint-Venant [m^4]
};

/// The outline must not be none.
SectionGeometry section_geometry(const OutlineSpec& outline);

/// Shear correction factors k of an isotropic section along the first and the second axis.
/// G. R. Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966) 335-340.
std::array<double, 2> cowper_shear_correction(const OutlineSpec& outline, double poisson_ratio);

/// Fills stiffness, mass and rotary inertia from the material, the outline and the shear correction.
void compute_from_material(SectionSpec& section);

}  // namespace freeplay
