#pragma once

#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/state_functions.h"

namespace freeplay {

/// A force at a place or a torque on a body, with components in inertial axes or in the axes of the body ("following").
/// Constant over a step: its mean in time. It may depend on the motion of other bodies.
class AppliedLoad : public ForceElement {
 public:
  enum class Kind { force, torque };
  AppliedLoad(std::string name, Kind kind, const Frame& on, StateFunctions value, bool following);
  AppliedLoad(std::string name, Kind kind, const Frame& on, const std::array<TimeFunction, 3>& value, bool following)
      : AppliedLoad(std::move(name), kind, on, StateFunctions(value), following) {}

  const Frame& place() const { return on_; }
  std::span<const int> nodes() const override { return nodes_; }
  bool is_load() const override { return true; }
  int n_internal() const override { return value_.n_internal(); }
  void initialise(const Motion& motion, std::span<double> internal) const override {
    value_.initialise(motion, internal);
  }
  void advance(const Motion& motion, std::span<double> internal) const override { value_.advance(motion, internal); }
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  std::vector<double> corners() const override { return value_.corners(); }
  std::vector<Quantity> quantities() const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  /// The load in inertial axes: following loads use the mean axes of the step.
  Vec3 load(const Motion& motion, std::span<const double> internal) const;
  /// Force and moment on its node of a load in inertial axes.
  Vec6 wrench(const Motion& motion, const Vec3& load) const;

  Kind kind_;
  Frame on_;
  std::vector<int> nodes_;  ///< its own, then those that its value depends on
  StateFunctions value_;
  bool following_;
};

}  // namespace freeplay
