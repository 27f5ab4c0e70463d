#pragma once

#include <vector>

#include "freeplay/mechanics/model.h"

namespace freeplay {

/// Part of the work of evaluating the equations of a step: move some groups of nodes, let some elements act on them,
/// balance the groups that nothing else acts on. What it touches fits into the cache, unless an element acts on very
/// many nodes, as a line load does: so large models cost little more per node than small ones.
struct StepPortion {
  std::vector<int> elements;
  std::vector<int> groups_to_move;     ///< those that these elements are the first to touch
  std::vector<int> groups_to_balance;  ///< those that they are the last to touch
};

/// The elements from `first` to before `last`, in portions of `n_elements` of them. Groups of nodes with joints, or
/// without elements, are balanced in the last one; there is always one.
std::vector<StepPortion> step_portions(const Model& model, std::size_t first, std::size_t last, std::size_t n_elements);

}  // namespace freeplay
