#pragma once

#include <memory>

#include "freeplay/math/plane_curve.h"
#include "freeplay/mechanics/quadratic_form.h"

namespace freeplay {

/// How one place B has moved relative to another place A, as a number c: a length, a displacement, an angle. It is a
/// function of one or two quadratic forms pi of the two places, and over a step it has a gradient g by them with
/// g . (pi_f - pi_i) = c_f - c_i exactly (the discrete derivative of integrator.md). So what acts along it, the force
/// of a spring or the multiplier of an equation, does exactly the work that it should.
class RelativeCoordinate {
 public:
  static constexpr int max_forms = 2;
  using Values = Eigen::Matrix<double, max_forms, 1>;
  using Pointer = std::shared_ptr<const RelativeCoordinate>;

  /// Distance of the two places.
  static Pointer length();
  /// Displacement of B along a direction that is fixed in the axes of A.
  static Pointer displacement(const Vec3& direction = Vec3::UnitZ());
  /// Displacement of B against A along a direction that is fixed in space, whatever the bodies do.
  static Pointer displacement_in_space(const Vec3& direction);
  /// Sine of a small rotation of B against A about a direction across a_3, in the axes of A.
  static Pointer tilt(const Vec3& direction);
  /// Angle of b_1 from a_1 about a_3, with all turns.
  static Pointer angle();
  /// Distance of B from a curve in the plane of a_1 and a_2.
  static Pointer distance_from(PlaneCurve curve);

  virtual ~RelativeCoordinate() = default;

  /// c over a step, and derivatives by the forms at its end.
  struct Change {
    double start = 0.0, end = 0.0;
    double increment = 0.0;                  ///< end - start, free of the round-off of many turns
    Values gradient = Values::Zero();        ///< g
    Values end_derivative = Values::Zero();  ///< of c_f
    Eigen::Matrix<double, max_forms, max_forms> gradient_derivative =
        Eigen::Matrix<double, max_forms, max_forms>::Zero();
  };

  virtual bool is_angle() const { return false; }
  /// `count` is c at the start of the step if it is an angle, whose turns places do not show; else it means nothing.
  Change change(const FrameMotion& A, const FrameMotion& B, double count) const;
  /// c in a position; an angle between -pi and pi.
  double value(const FramePlace& A, const FramePlace& B) const;

  // What follows is by (dx_A, dphi_A, dx_B, dphi_B) as in QuadraticForm::wrench().

  /// Force and moment on the two nodes per unit of a force that acts against c over the step.
  Vec12 force(const FrameMotion& A, const FrameMotion& B, const Change& change) const;
  /// Derivative of force() by the end of the step.
  Mat12 force_tangent(const FrameMotion& A, const FrameMotion& B, const Change& change) const;
  /// Derivative of c_f by the end of the step.
  Vec12 end_gradient(const FrameMotion& A, const FrameMotion& B, const Change& change) const;
  /// Second time derivative of c at an instant, for rates and second rates of both places.
  double second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate, const FramePlace& B_rate,
                     const FramePlace& A_second, const FramePlace& B_second) const;

 protected:
  virtual int n_forms() const { return 1; }
  virtual QuadraticForm form(int k) const = 0;
  /// Axes that `coordinate` terms are measured along.
  virtual Mat3 frozen(const FramePlace& A_start) const { return A_start.a; }
  virtual Change change_of(const Values& start, const Values& end, double count) const = 0;
  virtual double value_of(const Values& forms) const = 0;
};

}  // namespace freeplay
