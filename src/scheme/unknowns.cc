#include "freeplay/scheme/unknowns.h"

namespace freeplay {

Unknowns::Unknowns(const Model& model, Of problem) {
  for (const Node& node : model.nodes) {
    free_.emplace_back();
    for (int k = 0; k < 6; ++k)
      if (!node.fixed[k]) free_.back().push_back(k);
  }
  std::vector<char> jumps(model.nodes.size(), false);
  for (const auto& element : model.elements)
    for (const int node : element->nodes())
      if (problem == Of::step && element->has_jump() && node != ground) jumps[node] = true;
  node_block_.push_back(0);
  for (const char jump : jumps) node_block_.push_back(node_block_.back() + (jump ? 2 : 1));
  for (const Joint& joint : model.joints) {
    active_.emplace_back();
    for (std::size_t k = 0; k < joint.equations.size(); ++k)
      if (!model.dropped[joint.first_equation + k]) active_.back().push_back(static_cast<int>(k));
  }
  place_.resize(model.n_multipliers);
  for (int j = 0; j < n_joints(); ++j)
    for (std::size_t k = 0; k < active_[j].size(); ++k)
      place_[model.joints[j].first_equation + active_[j][k]] = {joint_block(j), static_cast<int>(k)};
  if (problem == Of::statics) return;
  for (const JointFriction& each : model.frictions) {
    for (int c = 0; c < each.n_slips(); ++c) place_[each.first_multiplier + c] = {friction_block(n_frictions()), c};
    n_slips_.push_back(each.n_slips());
  }
}

void Unknowns::add_share(const ShareRow& share, double factor, const Place& row, BlockMatrix& matrix) const {
  for (const auto& [multiplier, part] : share.factors) {
    const Place& place = place_[multiplier];
    if (place.block >= 0) matrix.add_entry(row.block, row.index, place.block, place.index, factor * part);
  }
}

std::vector<int> Unknowns::block_sizes() const {
  std::vector<int> sizes;
  for (int node = 0; node < n_nodes(); ++node)
    sizes.insert(sizes.end(), has_jump(node) ? 2 : 1, static_cast<int>(free_[node].size()));
  for (const auto& equations : active_) sizes.push_back(static_cast<int>(equations.size()));
  sizes.insert(sizes.end(), n_slips_.begin(), n_slips_.end());
  return sizes;
}

}  // namespace freeplay
