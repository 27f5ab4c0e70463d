#pragma once

#include <utility>
#include <vector>

#include "freeplay/mechanics/model.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// Collects which blocks of unknowns a matrix couples: pairs of a row and a column.
class Pattern {
 public:
  Pattern(const Model& model, const Unknowns& unknowns) : model_(model), unknowns_(unknowns) {}

  void couple(int row, int column) { pairs_.emplace_back(row, column); }
  void couple_both(int a, int b) {
    couple(a, b);
    couple(b, a);
  }
  /// Each node with itself; its jump belongs to it.
  void add_node(int node) { couple_nodes(node, node, unknowns_.has_jump(node)); }
  void add_nodes();
  /// The nodes of each element with each other.
  void add_elements();
  /// The nodes of each joint with each other.
  void add_nodes_of_joints();
  /// The multipliers of joints with their nodes.
  void add_multipliers();
  /// Forces of friction with nodes and multipliers.
  void add_frictions();
  /// Couples both twists of a node to the same, so that a solver keeps them together: each alone may be a poor pivot
  /// (with alpha = 0 the balance has no mass times xi, and the jump no stiffness times xi_h).
  void join_twists();

  std::vector<std::pair<int, int>> take() { return std::move(pairs_); }

 private:
  void couple_nodes(int a, int b, bool jump);

  const Model& model_;
  const Unknowns& unknowns_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace freeplay
