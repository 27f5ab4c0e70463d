#pragma once

#include <set>
#include <string>
#include <vector>

#include "freeplay/deck/spec.h"
#include "freeplay/scheme/instant_system.h"
#include "freeplay/scheme/share_rows.h"

namespace freeplay {

/// Coulomb's friction with true stick by adding and deleting constraints (Wojtyra 2017): a joint that comes to rest
/// gets a lock, which it loses when its friction force leaves the cone. Knows the modes of the joints; they live in the
/// State.
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
    bool happens() const { return friction >= 0 && excess > 1e-6; }
  };
  /// Friction forces are the multipliers of `end`.
  Event worst(const Motion& step, const State& start, const State& end);
  bool has_locks(const State& state) const { return !locks(state).empty(); }
  /// The same event at the start of the step, where it has not happened yet (negative).
  double excess_at_start(const Event& event, const State& start);

  /// Finds the modes that fit this instant: locks within their limits, slip that begins in the direction that friction
  /// resists. The accelerations are then those of Gauss's principle of least constraint (Zardecki 2007). Returns false,
  /// and changes nothing, if none were found.
  bool settle(State& state, InstantSystem& instant, std::vector<Vec6>& twist_rate);

  /// Gauss's principle: whether stuck joints can share the loads of `end`, where one is beyond its limit, such that all
  /// stay within theirs. If so, they do from now on.
  bool share_anew(const State& end);

  /// Switches the mode of the joint of the event. Velocities of the state still have to be projected.
  void switch_mode(const Event& event, State& state);
  /// Instead of sticking, the joint of the event slips back.
  void turn_round(const Event& event, State& state);
  /// After the projection: joints that the new locks have stopped as well.
  void stop_with(const State& before, State& state);

  /// Joints that others held and that move all the same now slip, in the direction in which they go.
  bool release_moving(State& state);

  const ShareRows& shares() const { return shares_; }
  /// For continuing: those that an earlier run has found.
  void set_shares(const ShareRows& shares) { shares_ = shares; }
  /// Names of the joints whose friction is not determined, for messages; empty: all are.
  std::string undetermined_joints() const;

 private:
  /// Slower than round-off of a mechanism that was assembled at rest.
  bool is_slow(const Vec3& slip) const { return slip.norm() <= 1e-10 * model_.length_scale; }
  /// The joints whose modes do not fit this instant.
  std::vector<Event> misfits(const State& state, const InstantSystem& instant, const std::vector<Vec6>& twist_rate);
  /// Largest ratio of friction to its limit among the joints that stick.
  double largest_ratio(const State& state, const std::vector<double>& multipliers) const;
  /// Of all friction joints.
  std::vector<Vec3> slip_velocities(const State& state);
  Vec3 force(int k, const State& state) const;
  double excess_of(int k, const State& state, double dt) const;
  void release(int k, const Vec3& force, State& state);
  void change_mode(const Event& event, State& state);
  void after_changes(State& state);
  std::vector<SlipDirection> locks(const State& state) const;
  /// Whether joints, and these locks of others, leave a joint no motion.
  bool is_immobile(int k, const State& state, std::vector<SlipDirection> locks) const;
  bool is_held(int k, const State& state) const { return may_depend_ && is_immobile(k, state, locks(state)); }
  void name_undetermined(const std::vector<DependentSlip>& dependent);
  void eliminate_named(std::vector<DependentSlip>& dependent);

  const Model& model_;
  StictionSpec options_;
  FrictionRows rows_;
  Motion now_;
  std::vector<double> multipliers_;
  std::vector<int> joints_;  ///< friction joints with Coulomb's law
  /// Whether locks can be redundant at all: with all directions of slip locked, are any?
  bool may_depend_ = true;
  ShareRows shares_;
  std::set<int> undetermined_;  ///< joints whose friction is not unique
};

}  // namespace freeplay
