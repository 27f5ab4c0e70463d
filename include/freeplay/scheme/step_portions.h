#pragma once

#include <vector>

#include "freeplay/scheme/ownership.h"

namespace freeplay {

/// Part of the work of evaluating the equations of a step: move some groups of nodes, let some elements act on them,
/// balance the groups that nothing else acts on. What it touches fits into the cache, unless an element acts on very
/// many nodes, as a line load does: so large models cost little more per node than small ones.
struct StepPortion {
  std::vector<int> elements;
  std::vector<int> groups_to_move;     ///< those that these elements are the first to touch
  std::vector<int> groups_to_balance;  ///< those that they are the last to touch
};

/// The elements that a process evaluates, in portions of `n_elements` of them, with the groups of nodes that it has or
/// that its elements and joints touch; it balances those that it has. Groups with joints, or without elements, are
/// balanced in the last portion; there is always one.
std::vector<StepPortion> step_portions(const Model& model, const Ownership& ownership, std::size_t n_elements);

}  // namespace freeplay
