#pragma once

#include <array>
#include <optional>
#include <vector>

#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/quadratic_form.h"

namespace freeplay {

/// Stiffness and damping across the axis of a bearing at one speed of its journal: the force that holds the journal
/// back is K u + C u', with u = (x, y) its displacement in the axes of the bearing. Neither needs to be symmetric.
struct BearingCoefficients {
  using Mat2 = Eigen::Matrix2d;
  double speed = 0.0;             ///< of the journal against the bearing about its axis [rad/s]
  Mat2 stiffness = Mat2::Zero();  ///< [N/m]
  Mat2 damping = Mat2::Zero();    ///< [N s/m]
};

/// A bearing by coefficients (an oil film, a seal): linear between the speeds of a table, and as at its ends beyond
/// them. The film carries neither a force along the axis nor a moment. Forces are constant over a step, from the means
/// of the displacements, so that their work over it is exactly that of the ledger:
///
///     f . (u_f - u_i) = V(u_f) - V(u_i) + damping loss - load work,     V = 1/2 u^T K_s u
///
/// with the symmetric part K_s. What the antisymmetric part does (it is fed by the rotation, on which the film puts no
/// torque here) and what a change of the coefficients with the speed does comes from outside: it is load work.
class CoefficientBearing : public ForceElement {
 public:
  /// `table`: at least one entry, with ascending speeds. `speed`: counts instead of that of the journal.
  CoefficientBearing(std::string name, const Frame& bearing, const Frame& journal,
                     std::vector<BearingCoefficients> table, std::optional<double> speed);

  const Frame& bearing() const { return a_; }
  const Frame& journal() const { return b_; }
  BearingCoefficients at(double speed) const;
  const std::vector<BearingCoefficients>& table() const { return table_; }
  /// Whether the speed of the journal changes anything.
  bool follows_speed() const { return !speed_ && table_.size() > 1; }

  std::span<const int> nodes() const override { return nodes_; }
  int n_internal() const override { return n_numbers; }
  void initialise(const Motion& motion, std::span<double> internal) const override;
  void advance(const Motion& motion, std::span<double> internal) const override;
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  bool energy_needs_motion() const override { return true; }
  double stored_energy(const Motion& motion, std::span<const double> internal) const override;
  std::vector<Quantity> quantities() const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  using Vec2 = Eigen::Vector2d;
  /// Internal numbers: the speed at the start of the step and how fast it changes, from the mean speed and the length
  /// of the step before. A force with the speed of the step itself would gain nothing: both are of second order.
  enum Number { start_speed, slope, last_mean, last_length, n_numbers };

  /// Those of the middle of the step.
  BearingCoefficients over(const Motion& motion, std::span<const double> internal) const;
  Vec2 displacement(const FramePlace& A, const FramePlace& B) const;
  Vec2 force(const Motion& motion, const BearingCoefficients& now) const;
  /// Mean speed of the journal against the bearing over a step, or the speed at an instant.
  double speed_of(const Motion& motion) const;
  double potential(const Vec2& u, double speed) const;

  Frame a_, b_;
  std::array<int, 2> nodes_;
  std::array<QuadraticForm, 2> forms_;
  std::vector<BearingCoefficients> table_;
  std::optional<double> speed_;
};

}  // namespace freeplay
