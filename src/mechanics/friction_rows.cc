#include "freeplay/mechanics/friction_rows.h"

#include "freeplay/laws/friction/friction_law.h"
#include "freeplay/math/rotation.h"

namespace freeplay {

double stored_energy(const JointFriction& friction, const State& state) {
  if (!friction.law) return 0.0;
  const auto numbers = numbers_of(friction, state);
  return friction.law->stored_energy(numbers.normal_force(), numbers.bristles());
}

double friction_energy(const Model& model, const State& state) {
  double sum = 0.0;
  for (const JointFriction& friction : model.frictions) sum += stored_energy(friction, state);
  return sum;
}

FrictionRows::FrictionRows(const Model& model) : model_(model) {
  for (int k = 0; k < size(); ++k) frame_b_.push_back(joint(k).b);
}

void FrictionRows::begin(const Motion& motion) {
  for (int k = 0; k < size(); ++k) begin(k, motion);
}

void FrictionRows::begin(int k, const Motion& motion) {
  rotation_to_a(k, [&](int node) { return motion.nodes[node].start.R; });
}

void FrictionRows::begin_step(const State& start, double dt) {
  const auto rotation = [&](int node) -> Mat3 {
    return start.pose[node].R * cayley(0.5 * dt * start.twist[node].tail<3>());
  };
  for (int k = 0; k < size(); ++k) rotation_to_a(k, rotation);
}

template <class Rotation>
void FrictionRows::rotation_to_a(int k, const Rotation& rotation_of) {
  const Frame& a = joint(k).a;
  const Mat3 axes = a.node == ground ? a.axes : Mat3(rotation_of(a.node) * a.axes);
  Frame& b = frame_b_[k];
  b.axes = b.node == ground ? axes : Mat3(rotation_of(b.node).transpose() * axes);
}

Vec3 FrictionRows::slip_displacement(int k, const Motion& motion) const {
  const FrameMotion A = motion(joint(k).a);
  const FrameMotion B = motion(frame_b_[k]);
  const FramePlace A_change = motion.change(joint(k).a);
  const FramePlace B_change = motion.change(frame_b_[k]);
  Vec3 displacement = Vec3::Zero();
  const JointFriction& f = friction(k);
  for (int c = 0; c < f.n_slips(); ++c)
    displacement[c] = f.slips[c].change(A.mid, B.mid, A_change, B_change, A.start.a);
  return displacement;
}

bool FrictionRows::is_at_rest(const JointFriction& friction, const Vec3& slip,
                              const FrictionNumbers<const double>& numbers) {
  return friction.law ? slip.norm() < friction.law->stick_velocity() : numbers.mode() != FrictionMode::slips;
}

FrictionDemand FrictionRows::demand(int k, const Motion& motion, std::span<const double> multipliers,
                                    const FrictionNumbers<const double>& numbers) const {
  const JointFriction& f = friction(k);
  FrictionDemand result;
  result.slip = slip_displacement(k, motion) / (motion.is_instant() ? 1.0 : motion.dt);
  result.normal_force = f.normal_force(multipliers);
  result.bristles = numbers.bristles();
  if (f.law) {
    demand_of_law(f, motion, numbers.bristles(), result);
  } else if (numbers.mode() != FrictionMode::sticks) {
    const bool slips = numbers.mode() == FrictionMode::slips;
    const double coefficient = slips ? f.coulomb->kinetic_coefficient : f.coulomb->static_coefficient;
    Vec3 direction = numbers.direction();
    const double speed = result.slip.norm();
    if (slips && f.n_slips() > 1 && speed > 0.0) {
      direction = result.slip / speed;
      result.by_slip =
          coefficient * result.normal_force / speed * (Mat3::Identity() - direction * direction.transpose());
    }
    result.force = coefficient * result.normal_force * direction;
    result.by_normal_force = coefficient * direction;
  }
  return result;
}

void FrictionRows::demand_of_law(const JointFriction& friction, const Motion& motion, const Vec3& bristles,
                                 FrictionDemand& demand) const {
  // Derivatives by the three slip velocities and the normal force, in the first four places.
  Vector3<Dual> slip, z;
  for (int c = 0; c < 3; ++c) {
    slip[c] = Dual(12, c, demand.slip[c]);
    z[c] = bristles[c];
  }
  const Dual normal_force(12, 3, demand.normal_force);
  if (motion.is_instant()) {
    // At an instant only the normal force is unknown. Laws are proportional to it, or nearly so.
    const double N = demand.normal_force;
    demand.force = friction.law->force(demand.slip, N, bristles);
    constexpr double h = 1e-4;
    if (N > 0.0)
      demand.by_normal_force = (friction.law->force(demand.slip, (1.0 + h) * N, bristles) -
                                friction.law->force(demand.slip, (1.0 - h) * N, bristles)) /
                               (2.0 * h * N);
    return;
  }
  const FrictionStep<Dual> step = friction.law->step(slip, normal_force, z, motion.dt);
  for (int r = 0; r < 3; ++r) {
    demand.force[r] = step.force[r].val();
    demand.bristles[r] = step.state[r].val();
    for (int c = 0; c < 3; ++c) demand.by_slip(r, c) = step.force[r].dx(c);
    demand.by_normal_force[r] = step.force[r].dx(3);
  }
}

}  // namespace freeplay
