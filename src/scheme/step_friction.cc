#include <cmath>

#include "freeplay/scheme/step_equations.h"

// Friction in joints, as a part of the equations of a step.

namespace freeplay {

std::array<double, 8> StepEquations::pressing(const JointFriction& friction, std::span<const double> u) const {
  std::array<double, 8> multipliers{};
  const auto& active = unknowns_.active(friction.joint);
  const int first = first_[unknowns_.joint_block(friction.joint)];
  const int first_equation = model_.joints[friction.joint].first_equation;
  for (std::size_t e = 0; e < active.size(); ++e)
    multipliers[active[e]] =
        u[first + e] / (motion_.dt * motion_.dt) + projection_reactions_[first_equation + active[e]];
  return multipliers;
}

FrictionDemand StepEquations::friction_demand(int k, std::span<const double> u) const {
  const JointFriction& friction = friction_.friction(k);
  if (!friction_acts_) return {};
  return friction_.demand(k, motion_, pressing(friction, u), numbers_of(friction, *start_));
}

double StepEquations::add_friction_forces(std::span<const double> u, std::span<double> r) {
  double square = 0.0;
  const double dt = motion_.dt;
  const double root_mass = std::sqrt(model_.mass_scale);
  for (int k = 0; k < unknowns_.n_frictions(); ++k) {
    const JointFriction& friction = friction_.friction(k);
    const Joint& joint = friction_.joint(k);
    const FrameMotion A = motion_(joint.a);
    const FrameMotion B = motion_(friction_.frame_b(k));
    const int first = first_[unknowns_.friction_block(k)];
    const bool sticks = friction_acts_ && FrictionRows::sticks(friction, numbers_of(friction, *start_));
    const Vec3 displacement = friction_.slip_displacement(k, motion_);
    const FrictionDemand demand = friction_demand(k, u);
    for (int c = 0; c < friction.n_slips(); ++c) {
      const Vec12 w = u[first + c] / (dt * dt) * friction.slips[c].wrench(A.mid, B.mid, A.start.a);
      if (joint.a.node != ground) forces_.joints[joint.a.node] += w.head<6>();
      if (joint.b.node != ground) forces_.joints[joint.b.node] += w.tail<6>();
      const ShareRow* share = sticks ? share_of(shares_, k, c) : nullptr;
      if (share) {
        double sum = -dt * dt * share->offset;
        for (const auto& [multiplier, factor] : share->factors) {
          const Unknowns::Place& place = unknowns_.place_of_multiplier(multiplier);
          if (place.block >= 0) sum += factor * u[first_[place.block] + place.index];
        }
        r[first + c] = sum / root_mass;
        square += r[first + c] * r[first + c];
      } else if (sticks) {
        constraint_max_ = std::max(constraint_max_, std::abs(displacement[c]));
        r[first + c] = root_mass * displacement[c];
      } else {
        r[first + c] = (u[first + c] - dt * dt * demand.force[c]) / root_mass;
        square += r[first + c] * r[first + c];
      }
    }
  }
  return square;
}

void StepEquations::add_friction_tangents(std::span<const double> u, BlockMatrix& matrix) {
  const double dt = motion_.dt;
  const double root_mass = std::sqrt(model_.mass_scale);
  for (int k = 0; k < unknowns_.n_frictions(); ++k) {
    const JointFriction& friction = friction_.friction(k);
    const Joint& joint = friction_.joint(k);
    const int n = friction.n_slips();
    const int block = unknowns_.friction_block(k);
    const FrameMotion A = motion_(joint.a);
    const FrameMotion B = motion_(friction_.frame_b(k));
    JointMatrix geometric = JointMatrix::Zero(12, 12);
    JointGradients mid(12, n), end(12, n), rows(12, n);
    for (int c = 0; c < n; ++c) {
      mid.col(c) = friction.slips[c].wrench(A.mid, B.mid, A.start.a);
      end.col(c) = friction.slips[c].wrench(A.end, B.end, A.start.a);
      geometric += u[first_[block] + c] / (dt * dt) * friction.slips[c].mid_wrench_tangent(A, B, A.start.a);
    }
    if (friction_acts_ && FrictionRows::sticks(friction, numbers_of(friction, *start_))) {
      rows = root_mass * end;
      for (int c = 0; c < n; ++c) {
        const ShareRow* share = share_of(shares_, k, c);
        if (!share) continue;
        rows.col(c).setZero();
        unknowns_.add_share(*share, 1.0 / root_mass, {block, c}, matrix);
      }
    } else {
      const FrictionDemand demand = friction_demand(k, u);
      rows = -dt / root_mass * end * demand.by_slip.topLeftCorner(n, n).transpose();
      matrix.add(block, block, Mat3(Mat3::Identity() / root_mass).topLeftCorner(n, n));
      if (friction_acts_) add_normal_force_tangent(k, u, demand, matrix);
    }
    add_multipliers(joint, block, mid, rows, geometric, matrix);
  }
}

void StepEquations::add_normal_force_tangent(int k, std::span<const double> u, const FrictionDemand& demand,
                                             BlockMatrix& matrix) const {
  const JointFriction& friction = friction_.friction(k);
  const auto& active = unknowns_.active(friction.joint);
  std::array<double, 8> gradient{};
  friction.normal_force_gradient(pressing(friction, u), gradient);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 8> part(friction.n_slips(), active.size());
  for (int c = 0; c < friction.n_slips(); ++c)
    for (std::size_t e = 0; e < active.size(); ++e)
      part(c, e) = -demand.by_normal_force[c] * gradient[active[e]] / std::sqrt(model_.mass_scale);
  matrix.add(unknowns_.friction_block(k), unknowns_.joint_block(friction.joint), part);
}

double StepEquations::friction_loss(int k, const State& end) const {
  const JointFriction& friction = friction_.friction(k);
  const Vec3 displacement = friction_.slip_displacement(k, motion_);
  double work = 0.0;
  for (int c = 0; c < friction.n_slips(); ++c) work += end.multiplier[friction.first_multiplier + c] * displacement[c];
  return work - (stored_energy(friction, end) - stored_energy(friction, *start_));
}

}  // namespace freeplay
