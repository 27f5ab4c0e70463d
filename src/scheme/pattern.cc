#include "freeplay/scheme/pattern.h"

#include <numeric>

namespace freeplay {

namespace {

/// Whether joints connect bodies and ground in a closed loop: only then can locks be redundant.
bool has_closed_loop(const Model& model) {
  std::vector<int> group(model.nodes.size() + 1);
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int node) {
    int k = node + 1;  // ground is -1
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
  };
  for (const Joint& joint : model.joints)
    for (int k = 1; k < joint.n_places(); ++k) {
      const int a = root(joint.node(0)), b = root(joint.node(k));
      if (a == b) return true;
      group[a] = b;
    }
  // Elastic bodies close loops too, but give way.
  return false;
}

}  // namespace

void Pattern::couple_nodes(int a, int b, bool jump) {
  couple(unknowns_.node_block(a), unknowns_.node_block(b));
  if (!jump) return;
  couple(unknowns_.node_block(a), unknowns_.jump_block(b));
  couple(unknowns_.jump_block(a), unknowns_.node_block(b));
  couple(unknowns_.jump_block(a), unknowns_.jump_block(b));
}

void Pattern::add_nodes() {
  for (int node = 0; node < unknowns_.n_nodes(); ++node) add_node(node);
}

void Pattern::add_elements() {
  for (const auto& element : model_.elements) {
    if (!element->couples_nodes()) continue;
    for (const int a : element->nodes())
      for (const int b : element->nodes())
        if (a != ground && b != ground)
          couple_nodes(a, b, element->has_jump() && unknowns_.has_jump(a) && unknowns_.has_jump(b));
  }
}

void Pattern::add_nodes_of_joints() {
  for (const Joint& joint : model_.joints)
    for (const int a : joint.nodes())
      for (const int b : joint.nodes()) couple_nodes(a, b, false);
}

void Pattern::add_multipliers() {
  for (int j = 0; j < unknowns_.n_joints(); ++j)
    for (const int node : model_.joints[j].nodes()) couple_both(unknowns_.node_block(node), unknowns_.joint_block(j));
}

void Pattern::add_frictions() {
  const bool loops = has_closed_loop(model_);
  for (int k = 0; k < unknowns_.n_frictions(); ++k) {
    const int block = unknowns_.friction_block(k);
    const int joint = model_.frictions[k].joint;
    couple(block, block);
    couple(block, unknowns_.joint_block(joint));
    for (const int node : model_.joints[joint].nodes()) couple_both(unknowns_.node_block(node), block);
    if (!model_.frictions[k].coulomb || !loops) continue;
    // Locks may share loads with all multipliers.
    for (int j = 0; j < unknowns_.n_joints(); ++j) couple(block, unknowns_.joint_block(j));
    for (int other = 0; other < unknowns_.n_frictions(); ++other) couple(block, unknowns_.friction_block(other));
  }
}

void Pattern::join_twists() {
  std::vector<int> partner(unknowns_.block_sizes().size());
  std::iota(partner.begin(), partner.end(), 0);
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    if (unknowns_.has_jump(n)) std::swap(partner[unknowns_.node_block(n)], partner[unknowns_.jump_block(n)]);
  for (std::size_t k = 0, n = pairs_.size(); k < n; ++k) {
    const auto [row, column] = pairs_[k];
    couple(partner[row], column);
    couple(row, partner[column]);
    couple(partner[row], partner[column]);
  }
}

}  // namespace freeplay
