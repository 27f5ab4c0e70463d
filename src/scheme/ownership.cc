#include "freeplay/scheme/ownership.h"

#include <algorithm>
#include <set>

#include "freeplay/scheme/step_nodes.h"

namespace freeplay {

namespace {

/// Groups of nodes, connected by elements and joints.
Graph graph_of(const Model& model) {
  constexpr std::size_t many = 32;  // nodes of a line load do not depend on each other
  const int n_groups = StepNodes::n_groups(model);
  std::vector<std::set<int>> neighbours(n_groups);
  const auto connect = [&](const auto& nodes) {
    for (const int a : nodes)
      for (const int b : nodes) {
        if (a == ground || b == ground || StepNodes::group_of(a) == StepNodes::group_of(b)) continue;
        neighbours[StepNodes::group_of(a)].insert(StepNodes::group_of(b));
      }
  };
  for (const auto& element : model.elements)
    if (element->couples_nodes() && element->nodes().size() <= many) connect(element->nodes());
  for (const Joint& joint : model.joints) connect(joint.nodes());
  Graph graph;
  for (const std::set<int>& each : neighbours) {
    graph.neighbour.insert(graph.neighbour.end(), each.begin(), each.end());
    graph.row_start.push_back(static_cast<int>(graph.neighbour.size()));
    graph.work.push_back(1);
  }
  return graph;
}

}  // namespace

Ownership::Ownership(const Model& model, const Team& team)
    : model_(model), rank_(team.rank()), n_processes_(team.size()) {
  if (!is_shared_out()) return;
  const std::vector<int> group_owner = team.share_out(graph_of(model));
  node_parts_.resize(n_processes_);
  for (int n = 0; n < static_cast<int>(model.nodes.size()); ++n) {
    node_owner_.push_back(group_owner[StepNodes::group_of(n)]);
    add_run(node_parts_[node_owner_.back()], 6 * n, 6);
  }
  const auto owner_of = [&](const auto& nodes) {
    for (const int node : nodes)
      if (node != ground) return node_owner_[node];
    return 0;
  };
  for (const Joint& joint : model.joints) joint_owner_.push_back(owner_of(joint.nodes()));
  has_friction_.assign(model.joints.size(), false);
  for (const JointFriction& friction : model.frictions) has_friction_[friction.joint] = true;
  internal_parts_.resize(n_processes_);
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const ForceElement& element = *model.elements[e];
    element_owner_.push_back(element.has_jump() ? owner_of(element.nodes()) : -1);
    if (element_owner_.back() >= 0)
      add_run(internal_parts_[element_owner_.back()], model.first_internal[e], element.n_internal());
  }
}

bool Ownership::has_group(int group) const { return has_node(group * packet_size); }

bool Ownership::evaluates(const ForceElement& element) const {
  if (!is_shared_out() || !element.has_jump()) return true;
  return std::ranges::any_of(element.nodes(), [this](int node) { return node != ground && has_node(node); });
}

bool Ownership::evaluates(int joint) const {
  if (!is_shared_out() || joint_owner_[joint] == rank_ || has_friction_[joint]) return true;
  const auto nodes = model_.joints[joint].nodes();
  return std::any_of(nodes.begin(), nodes.end(), [this](int node) { return has_node(node); });
}

BlockOwners Ownership::owners_of(const Unknowns& unknowns, int n_more) const {
  if (!is_shared_out()) return {};
  BlockOwners owners{{}, rank_};
  for (int n = 0; n < unknowns.n_nodes(); ++n)
    owners.owner.insert(owners.owner.end(), unknowns.has_jump(n) ? 2 : 1, node_owner_[n]);
  owners.owner.insert(owners.owner.end(), joint_owner_.begin(), joint_owner_.end());
  for (int k = 0; k < unknowns.n_frictions(); ++k) owners.owner.push_back(joint_owner_[model_.frictions[k].joint]);
  owners.owner.insert(owners.owner.end(), n_more, n_processes_ - 1);
  return owners;
}

}  // namespace freeplay
