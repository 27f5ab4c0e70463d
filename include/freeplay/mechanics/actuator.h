#pragma once

#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/state_functions.h"

namespace freeplay {

/// A force along a coordinate of a joint, or a moment about its axis, on the second body and opposite on the first: a
/// motor, a cylinder. Positive: it makes the coordinate grow. With a lag T the force F follows the value u that is
/// asked for, T F' + F = u: over a step in which u is constant exactly, by F_f = u + (F_i - u) exp(-dt/T).
class Actuator : public ForceElement {
 public:
  /// `value` is one function.
  Actuator(std::string name, const Frame& a, const Frame& b, RelativeCoordinate::Pointer coordinate,
           StateFunctions value, double lag = 0.0);

  std::span<const int> nodes() const override { return nodes_; }
  bool is_load() const override { return true; }
  int n_internal() const override { return value_.n_internal() + (lag_ > 0.0 ? 1 : 0); }
  void initialise(const Motion& motion, std::span<double> internal) const override;
  void advance(const Motion& motion, std::span<double> internal) const override;
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  std::vector<double> corners() const override { return value_.corners(); }
  std::vector<Quantity> quantities() const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  RelativeCoordinate::Change change(const Motion& motion) const {
    return coordinate_->change(motion(a_), motion(b_), 0.0);
  }

  /// Not in statics, where no time passes.
  bool lags(const Motion& motion) const { return lag_ > 0.0 && (motion.is_instant() || motion.passed > 0.0); }
  /// What is asked for counts so much in the mean force of a step.
  double share_of_value(const Motion& motion) const;
  /// Mean of a step, or at an instant.
  double force(const Motion& motion, std::span<const double> internal) const;

  Frame a_, b_;
  std::array<int, 2> ends_;
  std::vector<int> nodes_;  ///< its own, then those that its value depends on
  RelativeCoordinate::Pointer coordinate_;
  StateFunctions value_;
  double lag_;  ///< [s]; if there is one, the last internal number is the force
};

}  // namespace freeplay
