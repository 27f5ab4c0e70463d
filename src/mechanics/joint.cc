#include "freeplay/mechanics/joint.h"

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

void Equation::set_drive_start(const FramePlace& A, const FramePlace& B) {
  if (drive_ == Drive::angle) drive_start_ = std::atan2(A.a.col(1).dot(B.a.col(0)), A.a.col(0).dot(B.a.col(0)));
  if (drive_ == Drive::displacement) drive_start_ = A.a.col(2).dot(B.x - A.x);
  if (drive_ == Drive::length) drive_start_ = (B.x - A.x).norm();
}

double Equation::drive_value(double t, double load_factor) const {
  const double target = function_(t);
  const bool on_its_way = driven_ && load_factor != 1.0;
  return on_its_way ? drive_start_ + load_factor * (target - drive_start_) : target;
}

QuadraticForm Equation::form_at(double t, double load_factor) const {
  if (drive_ == Drive::angle) return sine_of_difference(drive_value(t, load_factor));
  if (drive_ == Drive::length) return form_.scaled(1.0 / drive_value(t, load_factor));
  return form_;
}

double Equation::offset(double t, double load_factor) const {
  if (drive_ == Drive::displacement) return drive_value(t, load_factor);
  if (drive_ == Drive::length) return 0.5 * drive_value(t, load_factor);
  return 0.0;
}

double Equation::by_drive_value(const FramePlace& A, const FramePlace& B, double value) const {
  if (drive_ == Drive::displacement) return -1.0;
  if (drive_ == Drive::angle) return sine_of_difference_derivative(value).value(A, B, A.a);
  return -form_.value(A, B, A.a) / (value * value) - 0.5;
}

double Equation::explicit_rate(const FramePlace& A, const FramePlace& B, double t) const {
  if (drive_ == Drive::none) return 0.0;
  const Jet f = function_.jet(t);
  return f.rate * by_drive_value(A, B, f.value);
}

QuadraticForm Equation::form_by_load_factor(double t, double load_factor) const {
  if (!driven_ || drive_ == Drive::displacement) return {};
  const double value = drive_value(t, load_factor);
  const double way = function_(t) - drive_start_;
  if (drive_ == Drive::angle) return sine_of_difference_derivative(value).scaled(way);
  return form_.scaled(-way / (value * value));
}

double Equation::by_load_factor(const FramePlace& A, const FramePlace& B, double t, double load_factor) const {
  if (!driven_) return 0.0;
  return (function_(t) - drive_start_) * by_drive_value(A, B, drive_value(t, load_factor));
}

double Equation::explicit_second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate,
                                      const FramePlace& B_rate, double t) const {
  if (drive_ == Drive::none) return 0.0;
  const Jet f = function_.jet(t);
  if (drive_ == Drive::displacement) return -f.second_rate;
  if (drive_ == Drive::angle) {
    const QuadraticForm derivative = sine_of_difference_derivative(f.value);
    return 2.0 * f.rate * derivative.change(A, B, A_rate, B_rate, A.a) + f.second_rate * derivative.value(A, B, A.a) -
           f.rate * f.rate * sine_of_difference(f.value).value(A, B, A.a);
  }
  const double half_square = form_.value(A, B, A.a);
  const double length = f.value;
  return -2.0 * f.rate / (length * length) * form_.change(A, B, A_rate, B_rate, A.a) -
         f.second_rate * (half_square / (length * length) + 0.5) +
         2.0 * f.rate * f.rate * half_square / (length * length * length);
}

}  // namespace freeplay
