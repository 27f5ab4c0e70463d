#include "freeplay/integrator/unknowns.h"

namespace freeplay {

Unknowns::Unknowns(const Model& model, Friction friction) : jump_index_(model.nodes.size(), -1) {
  for (const Node& node : model.nodes) {
    free_.emplace_back();
    for (int k = 0; k < 6; ++k)
      if (!node.fixed[k]) free_.back().push_back(k);
  }
  for (const Joint& joint : model.joints) {
    active_.emplace_back();
    for (std::size_t k = 0; k < joint.equations.size(); ++k)
      if (!model.dropped[joint.first_equation + k]) active_.back().push_back(static_cast<int>(k));
  }
  if (friction == Friction::in_joints)
    for (const JointFriction& each : model.frictions) n_slips_.push_back(each.n_slips());
  for (const auto& element : model.elements) {
    if (!element->has_jump()) continue;
    for (const int node : element->nodes())
      if (node != ground && jump_index_[node] < 0) jump_index_[node] = n_jumps_++;
  }
}

std::vector<int> Unknowns::block_sizes(bool with_jumps) const {
  std::vector<int> sizes;
  for (const auto& dofs : free_) sizes.push_back(static_cast<int>(dofs.size()));
  for (const auto& equations : active_) sizes.push_back(static_cast<int>(equations.size()));
  sizes.insert(sizes.end(), n_slips_.begin(), n_slips_.end());
  if (!with_jumps) return sizes;
  sizes.resize(sizes.size() + n_jumps_);
  for (int node = 0; node < n_nodes(); ++node)
    if (has_jump(node)) sizes[jump_block(node)] = static_cast<int>(free_[node].size());
  return sizes;
}

}  // namespace freeplay
