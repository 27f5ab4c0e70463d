#include "freeplay/mechanics/joint_friction.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

namespace {

double length_of(const JointFriction::NormalPart& part, std::span<const double> multipliers) {
  double square = 0.0;
  for (const int e : part.equations) square += multipliers[e] * multipliers[e];
  return std::sqrt(square);
}

}  // namespace

double JointFriction::normal_force(std::span<const double> multipliers) const {
  double sum = preload;
  for (const NormalPart& part : normal) sum += part.weight * length_of(part, multipliers);
  return sum;
}

void JointFriction::normal_force_gradient(std::span<const double> multipliers, std::span<double> gradient) const {
  std::fill(gradient.begin(), gradient.end(), 0.0);
  for (const NormalPart& part : normal) {
    const double length = length_of(part, multipliers);
    if (length == 0.0) continue;  // the tip of the cone has no direction
    for (const int e : part.equations) gradient[e] += part.weight * multipliers[e] / length;
  }
}

}  // namespace freeplay
