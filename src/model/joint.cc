#include "freeplay/model/joint.h"

#include <cmath>

namespace freeplay {

using Kind = QuadraticTerm::Kind;

namespace {

/// -sin(phi) a_1.b_1 + cos(phi) a_2.b_1 = sin(theta - phi).
QuadraticForm sine_of_difference(double phi) {
  return {QuadraticTerm{Kind::dot, 0, 0, -std::sin(phi)}, QuadraticTerm{Kind::dot, 1, 0, std::cos(phi)}};
}

/// Derivative of the form above by phi.
QuadraticForm sine_of_difference_derivative(double phi) {
  return {QuadraticTerm{Kind::dot, 0, 0, -std::cos(phi)}, QuadraticTerm{Kind::dot, 1, 0, -std::sin(phi)}};
}

double rate_of(const QuadraticForm& form, const FramePlace& A, const FramePlace& B, const FramePlace& A_rate,
               const FramePlace& B_rate) {
  const QuadraticForm::Gradient g = form.gradient(A, B, A.a);
  return g.x.dot(B_rate.x - A_rate.x) + g.a.cwiseProduct(A_rate.a).sum() + g.b.cwiseProduct(B_rate.a).sum();
}

}  // namespace

Equation Equation::driven_angle(const TimeFunction& angle) {
  Equation equation(sine_of_difference(0.0), "driven angle", false);
  equation.drive_ = Drive::angle;
  equation.driven_ = true;
  equation.function_ = angle;
  return equation;
}

Equation Equation::driven_displacement(const TimeFunction& displacement) {
  Equation equation(QuadraticTerm{Kind::offset, 2, 0, 1.0}, "driven displacement", true);
  equation.drive_ = Drive::displacement;
  equation.driven_ = true;
  equation.function_ = displacement;
  return equation;
}

Equation Equation::distance(const TimeFunction& length, bool driven) {
  Equation equation(QuadraticTerm{Kind::half_square, 0, 0, 1.0}, "distance", true);
  equation.drive_ = Drive::length;
  equation.driven_ = driven;
  equation.function_ = length;
  return equation;
}

QuadraticForm Equation::form_at(double t) const {
  if (drive_ == Drive::angle) return sine_of_difference(function_(t));
  if (drive_ == Drive::length) return form_.scaled(1.0 / function_(t));
  return form_;
}

double Equation::offset(double t) const {
  if (drive_ == Drive::displacement) return function_(t);
  if (drive_ == Drive::length) return 0.5 * function_(t);
  return 0.0;
}

double Equation::explicit_rate(const FramePlace& A, const FramePlace& B, double t) const {
  if (drive_ == Drive::none) return 0.0;
  const Jet f = function_.jet(t);
  if (drive_ == Drive::displacement) return -f.rate;
  if (drive_ == Drive::angle) return f.rate * sine_of_difference_derivative(f.value).value(A, B, A.a);
  return -f.rate * (form_.value(A, B, A.a) / (f.value * f.value) + 0.5);
}

double Equation::explicit_second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate,
                                      const FramePlace& B_rate, double t) const {
  if (drive_ == Drive::none) return 0.0;
  const Jet f = function_.jet(t);
  if (drive_ == Drive::displacement) return -f.second_rate;
  if (drive_ == Drive::angle) {
    const QuadraticForm derivative = sine_of_difference_derivative(f.value);
    return 2.0 * f.rate * rate_of(derivative, A, B, A_rate, B_rate) + f.second_rate * derivative.value(A, B, A.a) -
           f.rate * f.rate * sine_of_difference(f.value).value(A, B, A.a);
  }
  const double half_square = form_.value(A, B, A.a);
  const double length = f.value;
  return -2.0 * f.rate / (length * length) * rate_of(form_, A, B, A_rate, B_rate) -
         f.second_rate * (half_square / (length * length) + 0.5) +
         2.0 * f.rate * f.rate * half_square / (length * length * length);
}

}  // namespace freeplay
