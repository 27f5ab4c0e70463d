#pragma once

#include "freeplay/math/types.h"

namespace freeplay {

/// Position and orientation of a node: x inertial, R = [d1 d2 d3] from body to inertial axes.
struct Pose {
  Vec3 x = Vec3::Zero();
  Mat3 R = Mat3::Identity();
};

}  // namespace freeplay
