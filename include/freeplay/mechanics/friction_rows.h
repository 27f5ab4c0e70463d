#pragma once

#include "freeplay/mechanics/model.h"

namespace freeplay {

/// What friction in one joint is for given motion and multipliers: slip and normal force, the force that the law (or
/// the limit of Coulomb's friction) asks for, and how that changes with them.
struct FrictionDemand {
  Vec3 slip = Vec3::Zero();  ///< velocity, mean over the step [m/s]
  double normal_force = 0.0;
  Vec3 force = Vec3::Zero();
  Mat3 by_slip = Mat3::Zero();
  Vec3 by_normal_force = Vec3::Zero();
  Vec3 bristles = Vec3::Zero();  ///< at the end of the step
};

/// Energy in the bristles of a friction joint [J].
double stored_energy(const JointFriction& friction, const State& state);
double friction_energy(const Model& model, const State& state);

/// Friction in the ideal joints of a model over one step, or at an instant. Frames and forms of each joint, its slip
/// and what its row demands; who uses it puts that into matrices.
class FrictionRows {
 public:
  explicit FrictionRows(const Model& model);

  int size() const { return static_cast<int>(model_.frictions.size()); }
  const JointFriction& friction(int k) const { return model_.frictions[k]; }
  const Joint& joint(int k) const { return model_.joints[friction(k).joint]; }

  /// Turns the axes of each frame B to those of A at the instant.
  void begin(const Motion& motion);
  void begin(int k, const Motion& motion);  ///< one joint only
  /// The same about in the middle of a step of length dt from `start`: what is measured from the middle is of second
  /// order. (Where axes agree at the start, friction that holds a rolling disk on its circle would brake its turning.)
  void begin_step(const State& start, double dt);
  const Frame& frame_b(int k) const { return frame_b_[k]; }

  /// Way of slip over the step [m], or at an instant its velocity [m/s].
  Vec3 slip_displacement(int k, const Motion& motion) const;

  /// `multipliers` are those of the joint's equations; `sticks` is for the caller: a joint that sticks demands no
  /// force.
  FrictionDemand demand(int k, const Motion& motion, std::span<const double> multipliers,
                        const FrictionNumbers<const double>& numbers) const;
  static bool sticks(const JointFriction& friction, const FrictionNumbers<const double>& numbers) {
    return friction.coulomb && numbers.mode() == FrictionMode::sticks;
  }
  /// Whether it counts as sticking in results and events.
  static bool is_at_rest(const JointFriction& friction, const Vec3& slip, const FrictionNumbers<const double>& numbers);

 private:
  template <class Rotation>
  void rotation_to_a(int k, const Rotation& rotation_of);
  void demand_of_law(const JointFriction& friction, const Motion& motion, const Vec3& bristles,
                     FrictionDemand& demand) const;

  const Model& model_;
  std::vector<Frame> frame_b_;
};

}  // namespace freeplay
