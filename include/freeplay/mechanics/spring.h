#pragma once

#include <array>
#include <memory>
#include <optional>

#include "freeplay/math/piecewise_linear.h"
#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/quadratic_form.h"

namespace freeplay {

/// A spring and damper whose force depends on one scalar c (a length, an angle) that is a function of a few quadratic
/// forms pi. Its force on the nodes is sum_k phi_k d pi_k/dq at the mean of q, with phi chosen such that its work over
/// the step is exactly V(c_f) - V(c_i) + damping (the discrete derivative of integrator.md). Constant over the step.
class ScalarSpring : public ForceElement {
 public:
  std::array<Frame, 2> places() const { return {a_, b_}; }
  std::span<const int> nodes() const override { return nodes_; }
  void settle(const Motion& motion) override;
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  bool energy_needs_motion() const override { return true; }
  double stored_energy(const Motion& motion, std::span<const double> internal) const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 protected:
  static constexpr int max_forms = 2;
  using Values = Eigen::Matrix<double, max_forms, 1>;

  /// The forms over a step: at its start, at its end, and their mean rate.
  struct Kinematics {
    Values start = Values::Zero(), end = Values::Zero(), rate = Values::Zero();
    double dt = 0.0;
  };
  /// c before and after, its mean rate, the gradient g with g . (end - start) = c_f - c_i, and derivatives by `end`.
  struct Scalar {
    double start = 0.0, end = 0.0, rate = 0.0;
    Values gradient = Values::Zero();
    Values end_derivative = Values::Zero();
    Values rate_derivative = Values::Zero();
    Eigen::Matrix<double, max_forms, max_forms> gradient_derivative =
        Eigen::Matrix<double, max_forms, max_forms>::Zero();
  };

  /// Without `free_value`, the spring is free of force in the assembled position.
  ScalarSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
               std::optional<double> free_value);

  virtual int n_forms() const = 0;
  virtual QuadraticForm form(int k) const = 0;
  virtual Scalar scalar(const Kinematics& kinematics, std::span<const double> internal) const = 0;
  /// c at an instant, before there is an internal state.
  virtual double assembled_value(const Kinematics& kinematics) const = 0;

  Kinematics kinematics(const Motion& motion) const;

 private:
  double force(const Scalar& c) const;

  Frame a_, b_;
  std::array<int, 2> nodes_;
  PiecewiseLinear law_;  ///< force (moment) over elongation
  double damping_;
  std::optional<double> free_value_;  ///< always there once the spring has settled
};

/// Force along the line between two places.
class TranslationalSpring : public ScalarSpring {
 public:
  TranslationalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
                      std::optional<double> free_length);
  std::vector<Quantity> quantities() const override;

 private:
  int n_forms() const override { return 1; }
  QuadraticForm form(int k) const override;
  Scalar scalar(const Kinematics& kinematics, std::span<const double> internal) const override;
  double assembled_value(const Kinematics& kinematics) const override;
};

/// Moment about the third axis of A, as a function of the angle of b_1 from a_1 about it. Counts full turns.
class TorsionalSpring : public ScalarSpring {
 public:
  TorsionalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
                  std::optional<double> free_angle);
  std::vector<Quantity> quantities() const override;
  int n_internal() const override { return 1; }  ///< the angle at the start of the step
  void initialise(const Motion& motion, std::span<double> internal) const override;
  void advance(const Motion& motion, std::span<double> internal) const override;

 private:
  int n_forms() const override { return 2; }
  QuadraticForm form(int k) const override;
  Scalar scalar(const Kinematics& kinematics, std::span<const double> internal) const override;
  double assembled_value(const Kinematics& kinematics) const override;
};

/// A linear elastic bushing: strain (u . a_k; half sines of the relative rotation), as in a beam, with its own jump.
class Bushing : public ForceElement {
 public:
  using Strain = Vec6;
  Bushing(std::string name, const Frame& a, const Frame& b, const Vec6& stiffness, const Vec6& damping);

  std::array<Frame, 2> places() const { return {a_, b_}; }
  std::span<const int> nodes() const override { return nodes_; }
  bool has_jump() const override { return true; }
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_jump_forces(const Motion& motion, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  bool energy_needs_motion() const override { return true; }
  double stored_energy(const Motion& motion, std::span<const double> internal) const override;
  std::vector<Quantity> quantities() const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  Strain strain(const FramePlace& A, const FramePlace& B) const;
  Strain stress(const Motion& motion) const;

  Frame a_, b_;
  std::array<int, 2> nodes_;
  std::array<QuadraticForm, 6> forms_;
  Strain stiffness_, damping_;
};

}  // namespace freeplay
