#pragma once

#include <utility>
#include <vector>

#include "freeplay/mechanics/model.h"

namespace freeplay {

/// A direction of slip of a friction joint.
struct SlipDirection {
  int friction = 0;  ///< its number in the model
  int slip = 0;      ///< which of its directions
};

/// A direction of slip in which nothing can move because of the joints and the directions named before it. Forces in
/// these proportions hold each other in balance, so that how they share a load is not determined.
struct DependentSlip {
  SlipDirection direction;
  std::vector<std::pair<int, double>> balance;  ///< (multiplier, share), 1 for the friction force itself
};

/// Looks at the directions one after the other: a dependent one does not count for those after it.
std::vector<DependentSlip> find_dependent_slips(const Model& model, const State& state,
                                                const std::vector<SlipDirection>& directions);

}  // namespace freeplay
