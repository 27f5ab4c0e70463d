#pragma once

#include <algorithm>

#include "freeplay/mechanics/joint.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// Puts derivatives of forces and of equations where they belong in a matrix: along the motions that the unknowns of
/// nodes stand for (row_motions, column_motions), without directions that are fixed.
class BlockSink : public TangentSink {
 public:
  BlockSink(const Unknowns& unknowns, BlockMatrix& matrix) : unknowns_(unknowns), matrix_(matrix) {}

  using TangentSink::add_along_motions;
  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    add_along_motions(row, row_node, column, column_node,
                      row_motions(row, row_node).transpose() * derivative * column_motions(column, column_node));
  }
  void add_along_motions(Row row, int row_node, Column column, int column_node, const Block& block) override {
    unknowns_.add(block, row == Row::balance ? unknowns_.node_block(row_node) : unknowns_.jump_block(row_node),
                  row_node,
                  column == Column::end ? unknowns_.node_block(column_node) : unknowns_.jump_block(column_node),
                  column_node, matrix_);
  }

  /// A force on a node, as rows of its balance.
  void add_force(int node, const Vec6& force, int column_block) {
    unknowns_.add_column(row_motions(Row::balance, node).transpose() * force, node, column_block, matrix_);
  }

  /// Derivatives of the forces of a joint, by the end.
  void add_joint(const Joint& joint, const JointMatrix& derivative);
  /// The forces of a unit of each of some multipliers, and the derivatives of their equations by the end.
  void add_multipliers(const Joint& joint, int block, const JointGradients& forces, const JointGradients& rows);

 protected:
  const Unknowns& unknowns_;
  BlockMatrix& matrix_;
};

/// At rest: forces of a step that ends where it starts. They are symmetric in start and end, so that the stiffness is
/// twice their derivative by the end; nothing jumps. Rows are in axes of the nodes and multiplied by a scale, columns
/// are for `variations`: (dx, dphi) by the unknowns of a node, inertial axes; as for rows if there are none.
class RestSink : public BlockSink {
 public:
  RestSink(const Unknowns& unknowns, std::span<const Pose> axes, BlockMatrix& matrix,
           const Vec6& row_scale = Vec6::Ones(), std::span<const Mat6> variations = {})
      : BlockSink(unknowns, matrix), axes_(axes), row_scale_(row_scale), variations_(variations) {}

  /// What is added from now on counts so much.
  void set_factor(double factor) { factor_ = factor; }

  /// Whether it only touches nodes whose rows the matrix does not have.
  template <class Connection>
  bool ignores(const Connection& connection) const {
    const auto nodes = connection.nodes();
    return std::none_of(nodes.begin(), nodes.end(), [&](int n) { return n != ground && matrix_.is_mine(n); });
  }

  Mat6 row_motions(Row row, int node) const override {
    return row == Row::jump ? Mat6(Mat6::Zero()) : Mat6(own_axes(node) * row_scale_.asDiagonal());
  }
  Mat6 column_motions(Column column, int node) const override {
    if (column == Column::jump) return Mat6::Zero();
    return variations_.empty() ? own_axes(node) : variations_[node];
  }
  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row == Row::balance && column == Column::end) BlockSink::add(row, row_node, column, column_node, derivative);
  }
  void add_along_motions(Row row, int row_node, Column column, int column_node, const Block& block) override {
    if (row == Row::balance && column == Column::end)
      BlockSink::add_along_motions(row, row_node, column, column_node, 2.0 * factor_ * block);
  }
  void add_along_motions(int row_node, int column_node, const TwinBlock& blocks) override {
    add_along_motions(Row::balance, row_node, Column::end, column_node, blocks.topLeftCorner<6, 6>());
  }

 private:
  Mat6 own_axes(int node) const {
    Mat6 axes = Mat6::Zero();
    axes.topLeftCorner<3, 3>() = axes.bottomRightCorner<3, 3>() = axes_[node].R;
    return axes;
  }

  std::span<const Pose> axes_;
  Vec6 row_scale_;
  std::span<const Mat6> variations_;
  double factor_ = 1.0;
};

/// A column for each enforced equation of a joint: `of(equation)`.
template <class Of>
JointGradients columns_of(const Joint& joint, std::span<const int> active, const Of& of) {
  JointGradients columns(6 * joint.n_places(), active.size());
  for (std::size_t k = 0; k < active.size(); ++k) columns.col(static_cast<int>(k)) = of(joint.equations[active[k]]);
  return columns;
}

/// Derivative of the forces of multipliers by the end.
inline JointMatrix force_tangent(const Joint& joint, std::span<const int> active, const double* multipliers,
                                 const JointMotion& at, double time, double load_factor = 1.0) {
  JointMatrix sum = JointMatrix::Zero(6 * at.n_places, 6 * at.n_places);
  for (std::size_t k = 0; k < active.size(); ++k)
    sum += multipliers[k] * joint.equations[active[k]].force_tangent(at, time, load_factor);
  return sum;
}

}  // namespace freeplay
