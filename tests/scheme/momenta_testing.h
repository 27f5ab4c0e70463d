#pragma once

#include "freeplay/mechanics/model.h"

namespace freeplay {

/// Linear momentum of a system, and its angular momentum about the origin.
inline Vec6 momenta_of(const Model& model, const State& state) {
  Vec6 sum = Vec6::Zero();
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const Vec6 body = model.nodes[n].mass * state.twist[n];
    const Vec3 linear = state.pose[n].R * body.head<3>();
    sum.head<3>() += linear;
    sum.tail<3>() += state.pose[n].x.cross(linear) + state.pose[n].R * body.tail<3>();
  }
  return sum;
}

}  // namespace freeplay
