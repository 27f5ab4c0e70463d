#pragma once

#include <vector>

#include "freeplay/math/block_matrix.h"
#include "freeplay/mechanics/friction_rows.h"
#include "freeplay/mechanics/model.h"
#include "freeplay/scheme/share_rows.h"

namespace freeplay {

/// Numbering of the unknowns of a model: one block per node (its free degrees of freedom), one per joint (its
/// multipliers that are not dropped), one per friction joint (its friction forces) and, for the step, one more per node
/// whose stresses jump (xi_h), right after that of the node: what a solver needs together lies together.
class Unknowns {
 public:
  /// Statics and modes leave friction out; only a step has jumps.
  enum class Of { statics, instant, step };
  explicit Unknowns(const Model& model, Of problem = Of::statics);

  int n_nodes() const { return static_cast<int>(free_.size()); }
  int n_joints() const { return static_cast<int>(active_.size()); }
  int n_frictions() const { return static_cast<int>(n_slips_.size()); }

  int node_block(int node) const { return node_block_[node]; }  ///< the node itself, if there are no jumps
  int jump_block(int node) const { return node_block_[node] + 1; }
  int joint_block(int joint) const { return node_block_.back() + joint; }
  int friction_block(int friction) const { return joint_block(n_joints()) + friction; }
  bool has_jump(int node) const { return node_block_[node + 1] - node_block_[node] == 2; }

  const std::vector<int>& free(int node) const { return free_[node]; }  ///< its free degrees of freedom
  const std::vector<int>& active(int joint) const {
    return active_[joint];
  }  ///< its enforced equations (local numbers)

  /// Where a multiplier of the model (equation or friction force) is among the unknowns; block -1: dropped.
  struct Place {
    int block = -1;
    int index = 0;  ///< within the block
  };
  const Place& place_of_multiplier(int multiplier) const { return place_[multiplier]; }

  /// Puts factor times a condition on the multipliers into a row of a matrix.
  void add_share(const ShareRow& share, double factor, const Place& row, BlockMatrix& matrix) const;

  std::vector<int> block_sizes() const;

  /// Adds a block of two nodes to a matrix, or 6 x n numbers of a node and some other n unknowns (`add_row`: as n
  /// rows), without directions that are fixed.
  template <class Block>
  void add(const Block& full, int row_block, int row_node, int column_block, int column_node,
           BlockMatrix& matrix) const {
    const auto& rows = free_[row_node];
    const auto& columns = free_[column_node];
    if (rows.size() == 6 && columns.size() == 6) return matrix.add(row_block, column_block, full);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> compact = full(rows, columns);
    matrix.add(row_block, column_block, compact);
  }
  template <class Columns>
  void add_column(const Columns& full, int node, int column_block, BlockMatrix& matrix) const {
    matrix.add(node_block_[node], column_block, free_part(full, node));
  }
  template <class Columns>
  void add_row(const Columns& full, int row_block, int node, BlockMatrix& matrix) const {
    matrix.add(row_block, node_block_[node], free_part(full, node).transpose());
  }

  /// Reads the free components of block values into a full twist (fixed components are zero), and back.
  Vec6 gather(int node, const double* block) const {
    const auto& dofs = free_[node];
    if (dofs.size() == 6) return Eigen::Map<const Vec6>(block);
    Vec6 full = Vec6::Zero();
    for (std::size_t k = 0; k < dofs.size(); ++k) full[dofs[k]] = block[k];
    return full;
  }
  void scatter(int node, const Vec6& full, double* block) const {
    for (const int dof : free_[node]) *block++ = full[dof];
  }

 private:
  template <class Columns>
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 8> free_part(const Columns& full, int node) const {
    return full(free_[node], Eigen::all);
  }

  std::vector<std::vector<int>> free_, active_;
  std::vector<int> node_block_;  ///< of each node; the last number is that of the first joint
  std::vector<int> n_slips_;
  std::vector<Place> place_;
};

}  // namespace freeplay
