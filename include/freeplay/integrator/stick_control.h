#pragma once

#include <string>
#include <vector>

#include "freeplay/integrator/friction_rows.h"
#include "freeplay/model/spec.h"

namespace freeplay {

/// Coulomb's friction with true stick by adding and deleting constraints (seed 000): a joint that comes to rest gets a
/// lock, which it loses when its friction force leaves the cone. Knows the modes of the joints; they live in the State.
class StickControl {
 public:
  StickControl(const Model& model, const StictionSpec& options);

  bool is_used() const { return !joints_.empty(); }

  /// Modes at the beginning of an analysis: what does not slip sticks.
  void start(State& state);
  /// Finds again who shares loads, for modes that are known (a step further, or a continued run).
  void update(const State& state);

  /// How far a solved step is beyond what the modes at its start allow: zero at the event, positive beyond it.
  struct Event {
    int friction = -1;
    double excess = 0.0;  ///< of the friction force over its limit, or of the slip past its end, relative
    Vec3 force = Vec3::Zero();
    bool happens() const { return friction >= 0 && excess > 1e-8; }
  };
  Event worst(const Motion& step, const State& start, const State& end);
  /// The same event at the start of the step, where it has not happened yet (negative).
  double excess_at_start(const Event& event, const State& start);

  /// Switches the mode of the joint of the event. Velocities of the state still have to be projected.
  void switch_mode(const Event& event, State& state);
  /// Instead of sticking, the joint of the event slips back.
  void turn_round(const Event& event, State& state);
  /// After the projection: joints that the new locks have stopped as well.
  void stop_with(const State& before, State& state);

  const ShareRows& shares() const { return shares_; }
  /// Names of the joints whose friction is not determined, for messages; empty: all are.
  std::string undetermined_joints() const;

 private:
  Vec3 slip_velocity(int k, const State& state);
  Vec3 force(int k, const State& state) const;
  void release(int k, const Vec3& force, State& state);
  std::vector<SlipDirection> locks(const State& state) const;
  bool is_held(int k, const State& state) const;
  void eliminate_named(std::vector<DependentSlip>& dependent);

  const Model& model_;
  StictionSpec options_;
  FrictionRows rows_;
  Motion now_;
  std::vector<int> joints_;  ///< friction joints with Coulomb's law
  ShareRows shares_;
  std::vector<std::vector<int>> undetermined_;
};

}  // namespace freeplay
