#include <cmath>

#include "freeplay/scheme/instant_system.h"

// Friction in joints, as a part of the equations of motion at an instant.

namespace freeplay {

void InstantSystem::add_friction(const State& state, std::span<const double> multipliers, Friction acts) {
  for (int k = 0; k < unknowns_.n_frictions(); ++k) {
    const JointFriction& friction = friction_.friction(k);
    const Joint& joint = friction_.joint(k);
    const auto numbers = numbers_of(friction, state);
    const int n = friction.n_slips();
    const int block = unknowns_.friction_block(k);
    const FramePlace A = motion_(joint.a).start;
    const FramePlace B = motion_(friction_.frame_b(k)).start;
    JointGradients slips(12, n), rows = JointGradients::Zero(12, n);
    for (int c = 0; c < n; ++c) slips.col(c) = friction.slips[c].wrench(A, B, A.a);
    double* right = right_side_.data() + matrix_.first(block);
    std::fill(right, right + n, 0.0);
    if (acts != Friction::none && FrictionRows::sticks(friction, numbers)) {
      rows = slips;
      for (int c = 0; c < n; ++c) {
        const ShareRow* share = share_of(shares_, k, c);
        if (!share) continue;
        rows.col(c).setZero();
        if (acts == Friction::of_impulse)
          matrix_.add_entry(block, c, block, c, 1.0);
        else
          unknowns_.add_share(*share, 1.0, {block, c}, matrix_);
      }
      const Vec3 slip = friction_.slip_displacement(k, motion_);
      const FrameRates rates_a = rates(state, joint.a);
      const FrameRates rates_b = rates(state, friction_.frame_b(k));
      for (int c = 0; c < n; ++c) {
        const double defect =
            acts == Friction::of_impulse
                ? slip[c]
                : friction.slips[c].second_rate(A, B, rates_a.rate, rates_b.rate, rates_a.second, rates_b.second, A.a);
        const ShareRow* share = share_of(shares_, k, c);
        if (!share)
          right[c] = -std::sqrt(model_.mass_scale) * defect;
        else if (acts == Friction::acts)
          right[c] = share->offset;
      }
    } else {
      matrix_.add(block, block, Mat3(Mat3::Identity()).topLeftCorner(n, n));
      if (acts == Friction::acts) add_friction_law(k, state, multipliers.subspan(joint.first_equation), right);
    }
    add_multipliers(state, joint, block, slips, rows);
  }
}

/// force = demand(N(multipliers)), linear about the given multipliers.
void InstantSystem::add_friction_law(int k, const State& state, std::span<const double> multipliers, double* right) {
  const JointFriction& friction = friction_.friction(k);
  const FrictionDemand demand = friction_.demand(k, motion_, multipliers, numbers_of(friction, state));
  std::array<double, 8> gradient{};
  friction.normal_force_gradient(multipliers, gradient);
  const auto& active = unknowns_.active(friction.joint);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 8> part(friction.n_slips(), active.size());
  for (int c = 0; c < friction.n_slips(); ++c) {
    right[c] = demand.force[c];
    for (std::size_t e = 0; e < active.size(); ++e) {
      part(c, e) = -demand.by_normal_force[c] * gradient[active[e]];
      right[c] += part(c, e) * multipliers[active[e]];
    }
  }
  matrix_.add(unknowns_.friction_block(k), unknowns_.joint_block(friction.joint), part);
}

Vec3 InstantSystem::slip_acceleration(int k, const State& state, const std::vector<Vec6>& twist_rate) const {
  const JointFriction& friction = friction_.friction(k);
  const Joint& joint = friction_.joint(k);
  const FramePlace A = motion_(joint.a).start;
  const FramePlace B = motion_(friction_.frame_b(k)).start;
  const FrameRates rates_a = rates(state, joint.a);
  const FrameRates rates_b = rates(state, friction_.frame_b(k));
  Vec12 acceleration = Vec12::Zero();
  for (int side = 0; side < 2; ++side) {
    const int node = side == 0 ? joint.a.node : joint.b.node;
    if (node == ground) continue;
    const Mat3& R = state.pose[node].R;
    acceleration.segment<3>(6 * side) = R * twist_rate[node].head<3>();
    acceleration.segment<3>(6 * side + 3) = R * twist_rate[node].tail<3>();
  }
  Vec3 result = Vec3::Zero();
  for (int c = 0; c < friction.n_slips(); ++c)
    result[c] = friction.slips[c].wrench(A, B, A.a).dot(acceleration) +
                friction.slips[c].second_rate(A, B, rates_a.rate, rates_b.rate, rates_a.second, rates_b.second, A.a);
  return result;
}

InstantSystem::Feedback InstantSystem::friction_feedback(const State& state) {
  Feedback worst;
  set_instant_of(joint_nodes_, state, motion_);
  friction_.begin(motion_);
  for (int k = 0; k < unknowns_.n_frictions(); ++k) {
    const JointFriction& friction = friction_.friction(k);
    const std::span<const double> multipliers =
        std::span<const double>(state.multiplier).subspan(friction_.joint(k).first_equation);
    const FrictionDemand demand = friction_.demand(k, motion_, multipliers, numbers_of(friction, state));
    if (demand.by_normal_force.isZero(0.0)) continue;
    // Reactions to a unit of friction in the direction in which it grows with the normal force, the others given.
    assemble(state);
    add_friction(state, state.multiplier, Friction::none);
    std::fill(right_side_.begin(), right_side_.end(), 0.0);
    for (int c = 0; c < friction.n_slips(); ++c)
      right_side_[matrix_.first(unknowns_.friction_block(k)) + c] = demand.by_normal_force[c];
    if (!solver_->solve(matrix_, right_side_, 1e-9, solution_)) continue;
    std::array<double, 8> gradient{};
    friction.normal_force_gradient(multipliers, gradient);
    double gain = 0.0;
    const auto& active = unknowns_.active(friction.joint);
    for (std::size_t e = 0; e < active.size(); ++e)
      gain += gradient[active[e]] * solution_[matrix_.first(unknowns_.joint_block(friction.joint)) + e];
    if (worst.friction < 0 || gain > worst.gain) worst = {k, gain};
  }
  return worst;
}

}  // namespace freeplay
