#include <cmath>
#include <numeric>

#include "freeplay/scheme/energy.h"
#include "freeplay/scheme/step_equations.h"

// The Jacobian of the equations of a step, and its pattern.

namespace freeplay {

Mat6 StepEquations::inertia_tangent(int n) const {
  const double dt = motion_.dt;
  const Vec6 xi = nodes_.xi(n), momentum_f = model_.nodes[n].mass * nodes_.end_twist(n);
  const Mat3 T = cayley_tangent(xi.tail<3>());
  const Mat3 rotation = Mat3::Identity() + nodes_.rotation_change(n);
  const double by_xi = unknowns_.has_jump(n) ? 2.0 / dt * alpha_ / (1.0 + alpha_) : 2.0 / dt;
  const Mat6& M = model_.nodes[n].mass;
  Eigen::Matrix<double, 3, 6> dp = by_xi * rotation * M.topRows<3>();
  Eigen::Matrix<double, 3, 6> dh = by_xi * rotation * M.bottomRows<3>();
  dp.rightCols<3>() -= rotation * skew(momentum_f.head<3>()) * T;
  dh.rightCols<3>() -= rotation * skew(momentum_f.tail<3>()) * T;
  Eigen::Matrix<double, 3, 6> d_displacement;
  d_displacement << 0.5 * (Mat3::Identity() + rotation), -0.5 * rotation * skew(xi.head<3>()) * T;
  const Vec3 sum = rotation * momentum_f.head<3>() + nodes_.start_momentum(n).head<3>();
  Mat6 tangent;
  tangent.topRows<3>() = dp;
  tangent.bottomRows<3>() = -0.5 * skew(sum) * d_displacement + 0.5 * skew(nodes_.displacement(n)) * dp + dh;
  return tangent;
}

Mat6 StepEquations::end_variation(int n) const {
  return moved_tangent(motion_.nodes[n].start, motion_.nodes[n].end(), nodes_.xi(n));
}

Mat6 StepEquations::jump_variation(int n) const {
  return moved_tangent(motion_.nodes[n].start, motion_.nodes[n].jump(), nodes_.xi_h(n));
}

Mat6 StepEquations::gravity_tangent(int n) const {
  // moment = -(R_m s) x g with s the first moment; d(R_m s) = 1/2 dphi x (R_f s)
  const Vec3 arm = motion_.nodes[n].end().R * first_moment(model_.nodes[n].mass);
  Mat6 tangent = Mat6::Zero();
  tangent.block<3, 3>(3, 3) = -0.5 * skew(model_.gravity) * skew(arm);
  return tangent;
}

void StepEquations::add_node_block(int row_block, int row_node, int column_block, int column_node, const Mat6& full,
                                   BlockMatrix& matrix) const {
  const TangentSink::Block scaled = motion_.dt * nodes_.row_scale(row_node).asDiagonal() * full;
  add_free(row_block, row_node, column_block, column_node, scaled, matrix);
}

void StepEquations::add_free(int row_block, int row_node, int column_block, int column_node,
                             const TangentSink::Block& scaled, BlockMatrix& matrix) const {
  const auto& rows = unknowns_.free(row_node);
  const auto& columns = unknowns_.free(column_node);
  if (rows.size() == 6 && columns.size() == 6) return matrix.add(row_block, column_block, scaled);
  TangentSink::Block compact;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < columns.size(); ++c) compact(r, c) = scaled(rows[r], columns[c]);
  matrix.add(row_block, column_block, compact.topLeftCorner(rows.size(), columns.size()));
}

/// Turns derivatives of inertial forces by inertial variations into blocks of the Jacobian.
class StepEquations::Sink : public TangentSink {
 public:
  Sink(StepEquations& equations, BlockMatrix& matrix) : equations_(equations), matrix_(matrix) {}

  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    add_along_motions(row, row_node, column, column_node,
                      row_motions(row, row_node).transpose() * derivative * column_motions(column, column_node));
  }

  Mat6 row_motions(Row row, int node) const override {
    // Momenta are in axes of the body, and scaled.
    const double dt = equations_.motion_.dt;
    const Vec6 scale = dt * dt * equations_.nodes_.row_scale(node);
    if (row == Row::jump) return (-1.0 / 6.0 * scale).asDiagonal();
    const Mat3& R = equations_.motion_.nodes[node].start.R;
    Mat6 motions = Mat6::Zero();
    motions.topLeftCorner<3, 3>() = R * scale.head<3>().asDiagonal();
    motions.bottomRightCorner<3, 3>() = R * scale.tail<3>().asDiagonal();
    return motions;
  }

  Mat6 column_motions(Column column, int node) const override {
    return column == Column::end ? equations_.end_variation_[node] : equations_.jump_variation_[node];
  }

  void add_along_motions(Row row, int row_node, Column column, int column_node, const Block& block) override {
    const Unknowns& unknowns = equations_.unknowns_;
    const int row_block = row == Row::balance ? unknowns.node_block(row_node) : unknowns.jump_block(row_node);
    const int column_block =
        column == Column::end ? unknowns.node_block(column_node) : unknowns.jump_block(column_node);
    equations_.add_free(row_block, row_node, column_block, column_node, block, matrix_);
  }

  void add_along_motions(int row_node, int column_node, const TwinBlock& blocks) override {
    const Unknowns& unknowns = equations_.unknowns_;
    // The blocks of the two twists of a node lie side by side.
    if (unknowns.free(row_node).size() == 6 && unknowns.free(column_node).size() == 6)
      matrix_.add(unknowns.node_block(row_node), unknowns.node_block(column_node), blocks);
    else
      TangentSink::add_along_motions(row_node, column_node, blocks);
  }

 private:
  StepEquations& equations_;
  BlockMatrix& matrix_;
};

void StepEquations::add_multiplier_blocks(const Joint& joint, int block, const JointGradients& forces,
                                          const JointGradients& rows, const JointMatrix& geometric,
                                          BlockMatrix& matrix) {
  Sink sink(*this, matrix);
  const auto n = forces.cols();
  const int n_sides = static_cast<int>(forces.rows()) / 6;
  for (int side = 0; side < n_sides; ++side) {
    const int node = joint.node(side);
    if (node == ground) continue;
    for (int other = 0; other < n_sides; ++other)
      if (joint.node(other) != ground)
        sink.add(TangentSink::Row::balance, node, TangentSink::Column::end, joint.node(other),
                 geometric.block<6, 6>(6 * side, 6 * other));
    const Mat3 R_t = motion_.nodes[node].start.R.transpose();
    const auto& dofs = unknowns_.free(node);
    Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 8> column(6, n);
    column.topRows<3>() = R_t * forces.middleRows<3>(6 * side);
    column.bottomRows<3>() = R_t * forces.middleRows<3>(6 * side + 3);
    const Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 8, 6> row =
        rows.middleRows<6>(6 * side).transpose() * end_variation_[node];
    Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 8> free_column(6, n);
    Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 8, 6> free_row(n, 6);
    for (std::size_t d = 0; d < dofs.size(); ++d) {
      free_column.row(d) = nodes_.row_scale(node)[dofs[d]] * column.row(dofs[d]);
      free_row.col(d) = row.col(dofs[d]);
    }
    matrix.add(unknowns_.node_block(node), block, free_column.topRows(dofs.size()));
    matrix.add(block, unknowns_.node_block(node), free_row.leftCols(dofs.size()));
  }
}

void StepEquations::add_joint_tangents(std::span<const double> u, BlockMatrix& matrix) {
  const double dt = motion_.dt;
  for (const int j : joints_) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, motion_);
    const int n_rows = 6 * at.n_places;
    const auto& active = unknowns_.active(j);
    const int n_active = static_cast<int>(active.size());
    const int first = first_[unknowns_.joint_block(j)];
    JointMatrix geometric = JointMatrix::Zero(n_rows, n_rows);
    JointGradients mid(n_rows, n_active), end(n_rows, n_active);
    for (int k = 0; k < n_active; ++k) {
      const Equation& equation = joint.equations[active[k]];
      mid.col(k) = equation.force(at, motion_.mid_time());
      geometric += u[first + k] / (dt * dt) * equation.force_tangent(at, motion_.mid_time());
      const double length = equation.is_length() ? 1.0 : model_.length_scale;
      end.col(k) = std::sqrt(model_.mass_scale) * length * equation.gradient(at, motion_.end_time());
    }
    add_multiplier_blocks(joint, unknowns_.joint_block(j), mid, end, geometric, matrix);
  }
}

void StepEquations::add_node_tangent(int n, TangentSink& sink, BlockMatrix& matrix) const {
  const double dt = motion_.dt;
  const int block = unknowns_.node_block(n);
  add_node_block(block, n, block, n, inertia_tangent(n), matrix);
  sink.add(TangentSink::Row::balance, n, TangentSink::Column::end, n, gravity_tangent(n));
  if (!unknowns_.has_jump(n)) return;
  // nu_f falls and nu_j rises with xi_h.
  const int jump = unknowns_.jump_block(n);
  const Mat6& M = model_.nodes[n].mass;
  const double by_xi_h = 6.0 / (dt * (1.0 + alpha_));
  const Mat3 by_nu_f = -by_xi_h * (Mat3::Identity() + nodes_.rotation_change(n));
  Mat6 balance;
  balance.topRows<3>() = by_nu_f * M.topRows<3>();
  balance.bottomRows<3>() = 0.5 * skew(nodes_.displacement(n)) * balance.topRows<3>() + by_nu_f * M.bottomRows<3>();
  add_node_block(block, n, jump, n, balance, matrix);
  add_node_block(jump, n, block, n, 2.0 / (dt * (1.0 + alpha_)) * M, matrix);
  add_node_block(jump, n, jump, n, by_xi_h * M, matrix);
}

void StepEquations::jacobian(std::span<const double> u, BlockMatrix& matrix) {
  for (int block = unknowns_.joint_block(0); block < matrix.n_blocks(); ++block) matrix.set_zero(block);
  Sink sink(*this, matrix);
  for (const StepPortion& portion : portions_) {
    nodes_.move(portion.groups_to_move, u, motion_);
    nodes_.for_nodes(portion.groups_to_move, [&](int n) {
      matrix.set_zero(unknowns_.node_block(n));
      end_variation_[n] = end_variation(n);
      if (!unknowns_.has_jump(n)) return;
      matrix.set_zero(unknowns_.jump_block(n));
      jump_variation_[n] = jump_variation(n);
    });
    for (const int e : portion.elements)
      model_.elements[e]->add_tangent(motion_, internal_of(model_, *start_, e), sink);
    nodes_.for_nodes(portion.groups_to_balance, [&](int n) { add_node_tangent(n, sink, matrix); });
  }
  add_joint_tangents(u, matrix);
  add_friction_tangents(u, matrix);
}

BlockMatrix StepEquations::make_matrix() const {
  std::vector<std::pair<int, int>> couplings;
  const auto couple_nodes = [&](int a, int b, bool jump) {
    couplings.emplace_back(unknowns_.node_block(a), unknowns_.node_block(b));
    if (!jump) return;
    couplings.emplace_back(unknowns_.node_block(a), unknowns_.jump_block(b));
    couplings.emplace_back(unknowns_.jump_block(a), unknowns_.node_block(b));
    couplings.emplace_back(unknowns_.jump_block(a), unknowns_.jump_block(b));
  };
  for (int n = 0; n < unknowns_.n_nodes(); ++n) couple_nodes(n, n, unknowns_.has_jump(n));
  for (const auto& element : model_.elements) {
    if (!element->couples_nodes()) continue;
    for (const int a : element->nodes())
      for (const int b : element->nodes())
        if (a != ground && b != ground) couple_nodes(a, b, element->has_jump());
  }
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    for (const int a : joint.nodes()) {
      couplings.emplace_back(unknowns_.node_block(a), unknowns_.joint_block(j));
      couplings.emplace_back(unknowns_.joint_block(j), unknowns_.node_block(a));
      for (const int b : joint.nodes()) couple_nodes(a, b, false);
    }
  }
  unknowns_.couple_frictions(model_, couplings);
  // Both twists of a node are coupled to the same, so that a solver keeps them together: each alone may be a poor pivot
  // (with alpha = 0 the balance has no mass times xi, and the jump no stiffness times xi_h).
  std::vector<int> partner(unknowns_.block_sizes().size());
  std::iota(partner.begin(), partner.end(), 0);
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    if (unknowns_.has_jump(n)) std::swap(partner[unknowns_.node_block(n)], partner[unknowns_.jump_block(n)]);
  for (std::size_t k = 0, n = couplings.size(); k < n; ++k) {
    const auto [row, column] = couplings[k];
    couplings.emplace_back(partner[row], column);
    couplings.emplace_back(row, partner[column]);
    couplings.emplace_back(partner[row], partner[column]);
  }
  return {unknowns_.block_sizes(), std::move(couplings), ownership_.owners_of(unknowns_)};
}

}  // namespace freeplay
