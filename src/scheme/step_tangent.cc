#include <cmath>

#include "freeplay/mechanics/weight.h"
#include "freeplay/scheme/block_sink.h"
#include "freeplay/scheme/pattern.h"
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

void StepEquations::add_momenta(int row_block, int column_block, int node, const Mat6& full,
                                BlockMatrix& matrix) const {
  const TangentSink::Block scaled = motion_.dt * nodes_.row_scale(node).asDiagonal() * full;
  unknowns_.add(scaled, row_block, node, column_block, node, matrix);
}

/// Momenta are in axes of the body, and scaled.
class StepEquations::Sink final : public BlockSink {
 public:
  Sink(const StepEquations& equations, BlockMatrix& matrix)
      : BlockSink(equations.unknowns_, matrix), equations_(equations) {}

  Mat6 row_motions(Row row, int node) const override {
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

  using BlockSink::add_along_motions;
  void add_along_motions(int row_node, int column_node, const TwinBlock& blocks) override {
    // The blocks of the two twists of a node lie side by side.
    if (unknowns_.free(row_node).size() == 6 && unknowns_.free(column_node).size() == 6)
      matrix_.add(unknowns_.node_block(row_node), unknowns_.node_block(column_node), blocks);
    else
      TangentSink::add_along_motions(row_node, column_node, blocks);
  }

 private:
  const StepEquations& equations_;
};

/// Multipliers are times dt^2, as momenta are times dt.
void StepEquations::add_multipliers(const Joint& joint, int block, const JointGradients& forces,
                                    const JointGradients& rows, const JointMatrix& geometric, BlockMatrix& matrix) {
  Sink sink(*this, matrix);
  sink.add_joint(joint, geometric);
  sink.add_multipliers(joint, block, forces / (motion_.dt * motion_.dt), rows);
}

void StepEquations::add_joint_tangents(std::span<const double> u, BlockMatrix& matrix) {
  const double dt = motion_.dt;
  for (const int j : joints_) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, motion_);
    const auto& active = unknowns_.active(j);
    const int block = unknowns_.joint_block(j);
    const JointGradients forces =
        columns_of(joint, active, [&](const Equation& each) { return each.force(at, motion_.mid_time()); });
    const JointGradients rows = columns_of(joint, active, [&](const Equation& each) -> JointVector {
      return std::sqrt(model_.mass_scale) * each.length_unit(model_.length_scale) *
             each.gradient(at, motion_.end_time());
    });
    const JointMatrix geometric = force_tangent(joint, active, &u[first_[block]], at, motion_.mid_time()) / (dt * dt);
    add_multipliers(joint, block, forces, rows, geometric, matrix);
  }
}

void StepEquations::add_node_tangent(int n, TangentSink& sink, BlockMatrix& matrix) const {
  const double dt = motion_.dt;
  const int block = unknowns_.node_block(n);
  add_momenta(block, block, n, inertia_tangent(n), matrix);
  // Gravity acts half-way.
  sink.add(TangentSink::Row::balance, n, TangentSink::Column::end, n,
           0.5 * weight_stiffness(model_.nodes[n], motion_.nodes[n].end().R, model_.gravity));
  if (!unknowns_.has_jump(n)) return;
  // nu_f falls and nu_j rises with xi_h.
  const int jump = unknowns_.jump_block(n);
  const Mat6& M = model_.nodes[n].mass;
  const double by_xi_h = 6.0 / (dt * (1.0 + alpha_));
  const Mat3 by_nu_f = -by_xi_h * (Mat3::Identity() + nodes_.rotation_change(n));
  Mat6 balance;
  balance.topRows<3>() = by_nu_f * M.topRows<3>();
  balance.bottomRows<3>() = 0.5 * skew(nodes_.displacement(n)) * balance.topRows<3>() + by_nu_f * M.bottomRows<3>();
  add_momenta(block, jump, n, balance, matrix);
  add_momenta(jump, block, n, 2.0 / (dt * (1.0 + alpha_)) * M, matrix);
  add_momenta(jump, jump, n, by_xi_h * M, matrix);
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
  Pattern pattern(model_, unknowns_);
  pattern.add_nodes();
  pattern.add_elements();
  pattern.add_nodes_of_joints();
  pattern.add_multipliers();
  pattern.add_frictions();
  pattern.join_twists();
  return {unknowns_.block_sizes(), pattern.take(), ownership_.owners_of(unknowns_)};
}

}  // namespace freeplay
