#pragma once

#include "freeplay/results/body_surface.h"

namespace freeplay {

/// What a section is drawn as: its own outline or, where only its stiffness is known, a full circle with the same ratio
/// of bending to axial stiffness: I / A = r^2 / 4, so r = 2 sqrt(EI / EA), with the mean of both bending stiffnesses.
DrawnOutline drawn_outline(const SectionSpec& section);

/// The outline that a beam has at a place along it, 0 to 1; linear in between. Two at one place are a sudden change.
struct PlacedOutline {
  double at = 0.0;
  DrawnOutline outline;
};

/// The surface of a beam with closed ends: the points of one station after the other, each in section axes (the third
/// coordinate is zero), and the polygons between them.
struct SweptSurface : Surface {
  std::vector<int> station_points;  ///< how many points each station has: two outlines of them at a sudden change
  bool has_hole = false;            ///< the second half of the points of an outline is around the hole
};

/// `outlines`: one for the whole beam, or from 0 to 1. `stations`: where they are, ascending; each outline is at one.
/// Round outlines become rectangles point by point. Where some outlines are hollow, the hole in a full one has no size.
SweptSurface swept_surface(std::span<const PlacedOutline> outlines, std::span<const double> stations);

}  // namespace freeplay
