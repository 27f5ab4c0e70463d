#pragma once

#include <limits>

namespace freeplay {

/// Steps whose tangents are those of a linearisation: an endless one has the stiffness alone, a short one also the
/// damping, divided by its length. The shorter it is, the less the stiffness blurs the damping; where there is no
/// damper both are equal to the last bit.
constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double short_step = 1e-9;

}  // namespace freeplay
