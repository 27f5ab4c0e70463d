#pragma once

#include <array>
#include <memory>
#include <optional>

#include "freeplay/math/piecewise_linear.h"
#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/relative_coordinate.h"

namespace freeplay {

/// A spring and damper along a relative coordinate c of two places. Its force is constant over the step and does
/// exactly the work V(c_f) - V(c_i) + damping (the discrete derivative of integrator.md).
class ScalarSpring : public ForceElement {
 public:
  /// Without `free_value`, the spring is free of force in the assembled position.
  ScalarSpring(std::string name, const Frame& a, const Frame& b, RelativeCoordinate::Pointer coordinate,
               PiecewiseLinear law, double damping, std::optional<double> free_value);

  std::array<Frame, 2> places() const { return {a_, b_}; }
  std::span<const int> nodes() const override { return nodes_; }
  void settle(const Motion& motion) override;
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  bool energy_needs_motion() const override { return true; }
  double stored_energy(const Motion& motion, std::span<const double> internal) const override;
  int n_internal() const override { return coordinate_->is_angle() ? 1 : 0; }  ///< the angle at the start of the step
  void initialise(const Motion& motion, std::span<double> internal) const override;
  void advance(const Motion& motion, std::span<double> internal) const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  RelativeCoordinate::Change change(const Motion& motion, std::span<const double> internal) const;
  /// Mean over a step, or at an instant.
  double rate(const Motion& motion, const RelativeCoordinate::Change& c) const;
  double force(const Motion& motion, const RelativeCoordinate::Change& c) const;

  Frame a_, b_;
  std::array<int, 2> nodes_;
  RelativeCoordinate::Pointer coordinate_;
  PiecewiseLinear law_;  ///< force (moment) over elongation
  double damping_;
  std::optional<double> free_value_;  ///< always there once the spring has settled
};

/// Force along the line between two places.
class TranslationalSpring : public ScalarSpring {
 public:
  TranslationalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
                      std::optional<double> free_length);
  std::vector<Quantity> quantities() const override { return {{"length", "m"}, {"force", "N"}}; }
};

/// Force along a direction of ground, by the displacement along it.
class DirectedSpring : public ScalarSpring {
 public:
  DirectedSpring(std::string name, const Frame& a, const Frame& b, const Vec3& direction, PiecewiseLinear law,
                 double damping, std::optional<double> free_displacement);
  std::vector<Quantity> quantities() const override { return {{"displacement", "m"}, {"force", "N"}}; }
};

/// Moment about the third axis of A, as a function of the angle of b_1 from a_1 about it. Counts full turns.
class TorsionalSpring : public ScalarSpring {
 public:
  TorsionalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
                  std::optional<double> free_angle);
  std::vector<Quantity> quantities() const override { return {{"angle", "rad"}, {"moment", "N*m"}}; }
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
