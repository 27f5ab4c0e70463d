#include "freeplay/scheme/step_portions.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "freeplay/scheme/step_nodes.h"

namespace freeplay {

namespace {

/// Beams number their nodes along their axes: elements that follow each other share nodes.
std::vector<int> in_order_of_nodes(const Model& model, std::size_t first, std::size_t last) {
  const auto first_node = [&](int element) {
    int first = std::numeric_limits<int>::max();
    for (const int node : model.elements[element]->nodes())
      if (node != ground) first = std::min(first, node);
    return first;
  };
  std::vector<int> elements(last - first);
  std::iota(elements.begin(), elements.end(), static_cast<int>(first));
  std::stable_sort(elements.begin(), elements.end(), [&](int a, int b) { return first_node(a) < first_node(b); });
  return elements;
}

}  // namespace

std::vector<StepPortion> step_portions(const Model& model, std::size_t first, std::size_t last,
                                       std::size_t n_elements) {
  std::vector<StepPortion> portions;
  for (const int element : in_order_of_nodes(model, first, last)) {
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
  for (const Joint& joint : model.joints)
    for (const int node : joint.nodes()) last_touch[StepNodes::group_of(node)] = last_portion;
  for (int group = 0; group < n_groups; ++group) {
    portions[first_touch[group]].groups_to_move.push_back(group);
    portions[last_touch[group] < 0 ? last_portion : last_touch[group]].groups_to_balance.push_back(group);
  }
  return portions;
}

}  // namespace freeplay
