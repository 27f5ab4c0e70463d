#include "freeplay/scheme/step_portions.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "freeplay/scheme/step_nodes.h"

namespace freeplay {

namespace {

/// Beams number their nodes along their axes: elements that follow each other share nodes.
std::vector<int> in_order_of_nodes(const Model& model, const Ownership& ownership) {
  const auto first_node = [&](int element) {
    int first = std::numeric_limits<int>::max();
    for (const int node : model.elements[element]->nodes())
      if (node != ground) first = std::min(first, node);
    return first;
  };
  std::vector<int> elements(model.elements.size());
  std::iota(elements.begin(), elements.end(), 0);
  std::erase_if(elements, [&](int element) { return !ownership.evaluates(*model.elements[element]); });
  std::stable_sort(elements.begin(), elements.end(), [&](int a, int b) { return first_node(a) < first_node(b); });
  return elements;
}

}  // namespace

std::vector<StepPortion> step_portions(const Model& model, const Ownership& ownership, std::size_t n_elements) {
  std::vector<StepPortion> portions;
  for (const int element : in_order_of_nodes(model, ownership)) {
    if (portions.empty() || portions.back().elements.size() == n_elements) portions.emplace_back();
    portions.back().elements.push_back(element);
  }
  if (portions.empty()) portions.emplace_back();

  const int n_groups = StepNodes::n_groups(model), last_portion = static_cast<int>(portions.size()) - 1;
  std::vector<int> first_touch(n_groups, last_portion), last_touch(n_groups, -1);
  for (int p = last_portion; p >= 0; --p)
    for (const int element : portions[p].elements)
      for (const int node : model.elements[element]->nodes()) {
        if (node == ground) continue;
        const int group = StepNodes::group_of(node);
        first_touch[group] = p;
        last_touch[group] = std::max(last_touch[group], p);
      }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (!ownership.evaluates(static_cast<int>(j))) continue;
    for (const int node : model.joints[j].nodes()) last_touch[StepNodes::group_of(node)] = last_portion;
  }
  for (int group = 0; group < n_groups; ++group) {
    const bool is_touched = last_touch[group] >= 0, is_mine = ownership.has_group(group);
    if (is_touched || is_mine) portions[first_touch[group]].groups_to_move.push_back(group);
    if (is_mine) portions[is_touched ? last_touch[group] : last_portion].groups_to_balance.push_back(group);
  }
  return portions;
}

}  // namespace freeplay
