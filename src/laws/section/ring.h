#pragma once

#include <numbers>

#include "freeplay/deck/section_outline.h"

namespace freeplay {

/// Area and moments by factors, because the difference of the powers of two near radii would lose digits.
inline SectionGeometry ring(double outer, double inner) {
  const double area = std::numbers::pi * (outer - inner) * (outer + inner);
  const double second_moment = area * (outer * outer + inner * inner) / 4;
  return {area, {second_moment, second_moment}, 2 * second_moment};
}

}  // namespace freeplay
