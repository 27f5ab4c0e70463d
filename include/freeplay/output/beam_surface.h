#pragma once

#include "freeplay/output/body_surface.h"

namespace freeplay {

/// What a section is drawn as: its own outline or, where only its stiffness is known, a full circle with the same ratio
/// of bending to axial stiffness: I / A = r^2 / 4, so r = 2 sqrt(EI / EA), with the mean of both bending stiffnesses.
OutlineSpec drawn_outline(const SectionSpec& section);

/// The surface of a beam with closed ends: the points of one cross section after the other, each in section axes (the
/// third coordinate is zero), and the polygons between them.
Surface swept_surface(const OutlineSpec& outline, int n_stations);

}  // namespace freeplay
