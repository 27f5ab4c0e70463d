#pragma once

// What joints and springs say alike about their keys.

namespace freeplay {

inline const char* const between_text =
    "The two places, first and second. A body alone is the origin of its axes, or where `at` is; `ground` alone is "
    "where "
    "the other place is at the start.";
inline const char* const places_apart_text =
    "The two places, first and second. A body alone is the origin of its axes.";
inline const char* const at_text =
    "Where it is in the initial positions, in the axes of ground: bodies that `between` names without a point, which "
    "must "
    "have their own `at`, are attached there. May be absent if `between` names a point, a place on a beam, or ground.";
inline const char* const axis_text =
    "Its axis in the initial positions, in the axes of ground. May be absent if a point in `between` has an axis.";

}  // namespace freeplay
