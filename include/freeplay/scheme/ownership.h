#pragma once

#include "freeplay/scheme/solver_interface.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// Which of several processes has what of a model. Nodes are shared out in the groups in which a step treats them, so
/// that few elements and joints lie between processes; a joint belongs to the process of its first node.
///
/// Of the elements, those whose stresses jump (beams, springs) are many: each is evaluated by the processes that have
/// one of its nodes, so that forces and tangents need not be sent, and booked by one of them. All others (contacts,
/// loads, counters of angles) are evaluated and booked by all processes alike.
class Ownership {
 public:
  Ownership(const Model& model, const Team& team);

  bool is_shared_out() const { return n_processes_ > 1; }
  bool has_node(int node) const { return !is_shared_out() || node_owner_[node] == rank_; }
  bool has_group(int group) const;
  /// Whether this process needs the forces of an element or of a joint: it has one of the nodes, or the joint itself.
  bool evaluates(const ForceElement& element) const;
  bool evaluates(int joint) const;
  /// Whether this process books what the element does and keeps its internal numbers.
  bool books(int element) const { return !is_shared_out(element) || element_owner_[element] == rank_; }
  /// Whether one process alone books it.
  bool is_shared_out(int element) const { return is_shared_out() && element_owner_[element] >= 0; }

  /// Of the blocks of unknowns; `n_more` blocks of no node or joint come last and belong to the last process.
  BlockOwners owners_of(const Unknowns& unknowns, int n_more = 0) const;
  /// What each process knows of State::internal, and of six numbers for each node.
  const Parts& internal_parts() const { return internal_parts_; }
  const Parts& node_parts() const { return node_parts_; }

 private:
  const Model& model_;
  int rank_ = 0, n_processes_ = 1;
  std::vector<int> node_owner_, joint_owner_;
  std::vector<bool> has_friction_;  ///< per joint: all processes evaluate it
  std::vector<int> element_owner_;  ///< -1: all
  Parts internal_parts_, node_parts_;
};

}  // namespace freeplay
