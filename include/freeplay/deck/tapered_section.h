#pragma once

#include <optional>

#include "freeplay/deck/spec.h"

namespace freeplay {

/// The section on the way from one (weight 0) to another (weight 1): the lengths of its outline, its material
/// constants, its shear correction and its centre of mass are linear, and its stiffness and inertia follow from them.
/// Nothing if the two do not both have a material and an outline of the same shape.
std::optional<SectionSpec> tapered_section(const SectionSpec& start, const SectionSpec& end, double weight);

}  // namespace freeplay
