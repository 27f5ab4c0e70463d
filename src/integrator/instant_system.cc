#include "freeplay/integrator/instant_system.h"

#include <cmath>

#include "freeplay/integrator/energy.h"

namespace freeplay {

namespace {

BlockMatrix make_matrix(const Model& model, const Unknowns& unknowns) {
  std::vector<std::pair<int, int>> couplings;
  for (int n = 0; n < unknowns.n_nodes(); ++n) couplings.emplace_back(n, n);
  for (int j = 0; j < unknowns.n_joints(); ++j)
    for (const int node : {model.joints[j].a.node, model.joints[j].b.node})
      if (node != ground) {
        couplings.emplace_back(unknowns.node_block(node), unknowns.joint_block(j));
        couplings.emplace_back(unknowns.joint_block(j), unknowns.node_block(node));
      }
  return {unknowns.block_sizes(false), std::move(couplings)};
}

}  // namespace

InstantSystem::InstantSystem(const Model& model, SolverFactory& solvers)
    : model_(model), unknowns_(model), matrix_(make_matrix(model, unknowns_)), solver_(solvers.linear(matrix_)) {
  for (const Node& node : model.nodes) row_scale_.push_back(momentum_scale(node.mass, model.length_scale));
  forces_.resize(model.nodes.size());
  right_side_.resize(matrix_.size());
  solution_.resize(matrix_.size());
}

void InstantSystem::assemble(const State& state) {
  matrix_.set_zero();
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const auto& dofs = unknowns_.free(n);
    Mat6 block;
    for (std::size_t r = 0; r < dofs.size(); ++r)
      for (std::size_t c = 0; c < dofs.size(); ++c)
        block(r, c) = row_scale_[n][dofs[r]] * model_.nodes[n].mass(dofs[r], dofs[c]);
    matrix_.add(n, n, block.topLeftCorner(dofs.size(), dofs.size()));
  }
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const FramePlace A = motion_(joint.a).start;
    const FramePlace B = motion_(joint.b).start;
    const auto& active = unknowns_.active(j);
    const int n_active = static_cast<int>(active.size());
    const std::array<int, 2> nodes{joint.a.node, joint.b.node};
    Eigen::Matrix<double, 12, Eigen::Dynamic, 0, 12, 8> wrench(12, n_active);
    for (int k = 0; k < n_active; ++k)
      wrench.col(k) = joint.equations[active[k]].form_at(state.time, state.load_factor).wrench(A, B, A.a);
    for (int side = 0; side < 2; ++side) {
      if (nodes[side] == ground) continue;
      const auto& dofs = unknowns_.free(nodes[side]);
      const Mat3 R_t = state.pose[nodes[side]].R.transpose();
      Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 8> gradient(6, n_active);
      gradient << R_t * wrench.middleRows<3>(6 * side), R_t * wrench.middleRows<3>(6 * side + 3);
      Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 8> column(6, n_active);
      Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 8, 6> row(n_active, 6);
      for (std::size_t d = 0; d < dofs.size(); ++d) {
        column.row(d) = row_scale_[nodes[side]][dofs[d]] * gradient.row(dofs[d]);
        row.col(d) = std::sqrt(model_.mass_scale) * gradient.row(dofs[d]).transpose();
      }
      matrix_.add(nodes[side], unknowns_.joint_block(j), column.topRows(dofs.size()));
      matrix_.add(unknowns_.joint_block(j), nodes[side], row.leftCols(dofs.size()));
    }
  }
}

InstantSystem::FrameRates InstantSystem::rates(const State& state, const Frame& frame) const {
  FrameRates result;
  if (frame.node == ground) {
    result.rate = result.second = {Vec3::Zero(), Vec3::Zero(), Mat3::Zero()};
    return result;
  }
  const Mat3& R = state.pose[frame.node].R;
  const Vec3 V = state.twist[frame.node].head<3>();
  const Vec3 w = state.twist[frame.node].tail<3>();
  const Mat3 w_skew = skew(w);
  result.rate = {R * (V + w.cross(frame.offset)), Vec3::Zero(), R * w_skew * frame.axes};
  result.second = {R * w.cross(V + w.cross(frame.offset)), Vec3::Zero(), R * w_skew * w_skew * frame.axes};
  return result;
}

InstantSystem::Projection InstantSystem::project(State& state) {
  Projection result;
  if (matrix_.size() == matrix_.first(unknowns_.n_nodes())) return result;  // no constraint
  set_instant(state, motion_);
  assemble(state);
  // Solved for the correction of the twists: [M G^T; G 0] (d nu, mu) = (0, -(G nu + C_t)). It is small, so that a
  // modest relative accuracy of it is round-off of the velocities.
  constexpr double tolerance = 1e-9;
  std::fill(right_side_.begin(), right_side_.end(), 0.0);
  double largest_defect = 0.0;
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const FramePlace A = motion_(joint.a).start;
    const FramePlace B = motion_(joint.b).start;
    Vec12 velocity;
    velocity << motion_.velocity_of(joint.a.node), motion_.velocity_of(joint.b.node);
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      const double rate = equation.form_at(state.time, state.load_factor).wrench(A, B, A.a).dot(velocity);
      const double defect = rate + equation.explicit_rate(A, B, state.time);
      right_side_[matrix_.first(unknowns_.joint_block(j)) + k] = -std::sqrt(model_.mass_scale) * defect;
      if (std::abs(defect) <= largest_defect) continue;
      largest_defect = std::abs(defect);
      result.worst_joint = j;
    }
  }
  if (largest_defect == 0.0) return result;
  result.ok = solver_->solve(matrix_, right_side_, tolerance, solution_);
  if (!result.ok) return result;

  const double before = kinetic_energy(model_, state);
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Vec6 change = unknowns_.gather(n, &solution_[matrix_.first(n)]);
    result.correction += 0.5 * change.dot(model_.nodes[n].mass * change);
    state.twist[n] += change;
  }
  // A drive moves as prescribed at all times, so its impulse -mu does the work -mu times the prescribed rate; what is
  // lost is then 1/2 |change|^2_M, which is never negative.
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      if (!equation.is_driven()) continue;
      const int row = matrix_.first(unknowns_.joint_block(j)) + static_cast<int>(k);
      const double after = -equation.explicit_rate(motion_(joint.a).start, motion_(joint.b).start, state.time);
      result.drive_work -= solution_[row] * after;
    }
  }
  result.loss = before + result.drive_work - kinetic_energy(model_, state);
  return result;
}

bool InstantSystem::accelerate(const State& state, std::vector<Vec6>& twist_rate, std::vector<double>& multipliers,
                               Drives drives) {
  set_instant(state, motion_);
  assemble(state);
  for (std::size_t n = 0; n < forces_.size(); ++n) {
    const Vec3 arm = state.pose[n].R * first_moment(model_.nodes[n].mass);
    const Vec3 gravity = state.load_factor * model_.gravity;
    forces_[n] << -model_.nodes[n].mass(0, 0) * gravity, -arm.cross(gravity);
  }
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    model_.elements[e]->add_forces(motion_, internal_of(model_, state, e), forces_);
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Vec6 momentum = model_.nodes[n].mass * state.twist[n];
    const Vec3 V = state.twist[n].head<3>();
    const Vec3 w = state.twist[n].tail<3>();
    const Mat3 R_t = state.pose[n].R.transpose();
    Vec6 right;
    right.head<3>() = -w.cross(momentum.head<3>()) - R_t * forces_[n].head<3>();
    right.tail<3>() = -w.cross(momentum.tail<3>()) - V.cross(momentum.head<3>()) - R_t * forces_[n].tail<3>();
    unknowns_.scatter(n, row_scale_[n].cwiseProduct(right), &right_side_[matrix_.first(n)]);
  }
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const FramePlace A = motion_(joint.a).start;
    const FramePlace B = motion_(joint.b).start;
    const FrameRates rates_a = rates(state, joint.a);
    const FrameRates rates_b = rates(state, joint.b);
    const auto& active = unknowns_.active(j);
    double* block = right_side_.data() + matrix_.first(unknowns_.joint_block(j));
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      const double second =
          equation.form_at(state.time, state.load_factor)
              .second_rate(A, B, rates_a.rate, rates_b.rate, rates_a.second, rates_b.second, A.a) +
          (drives == Drives::stand ? 0.0 : equation.explicit_second_rate(A, B, rates_a.rate, rates_b.rate, state.time));
      block[k] = -std::sqrt(model_.mass_scale) * second;
    }
  }
  if (!solver_->solve(matrix_, right_side_, 1e-13, solution_)) return false;
  for (int n = 0; n < unknowns_.n_nodes(); ++n) twist_rate[n] = unknowns_.gather(n, &solution_[matrix_.first(n)]);
  std::fill(multipliers.begin(), multipliers.end(), 0.0);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k)
      multipliers[model_.joints[j].first_equation + active[k]] = solution_[matrix_.first(unknowns_.joint_block(j)) + k];
  }
  return true;
}

}  // namespace freeplay
