#pragma once

#include "freeplay/deck/spec.h"

namespace freeplay {

/// Fills stiffness, mass and rotary inertia from the material, the outline and the shear correction.
void compute_from_material(SectionSpec& section);

}  // namespace freeplay
