#pragma once

#include <array>

#include "freeplay/deck/time_function.h"
#include "freeplay/mechanics/force_element.h"

namespace freeplay {

/// A force at a place or a torque on a body, with components in inertial axes or in the axes of the body ("following").
/// Constant over a step: its mean in time.
class AppliedLoad : public ForceElement {
 public:
  enum class Kind { force, torque };
  AppliedLoad(std::string name, Kind kind, const Frame& on, std::array<TimeFunction, 3> value, bool following);

  const Frame& place() const { return on_; }
  std::span<const int> nodes() const override { return nodes_; }
  bool is_load() const override { return true; }
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  std::vector<double> corners() const override;
  std::vector<Quantity> quantities() const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  /// The load in inertial axes: following loads use the mean axes of the step.
  Vec3 load(const Motion& motion) const;

  Kind kind_;
  Frame on_;
  std::array<int, 1> nodes_;
  std::array<TimeFunction, 3> value_;
  bool following_;
};

}  // namespace freeplay
