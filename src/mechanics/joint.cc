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

Equation Equation::relation(std::vector<Part> parts, std::string label, bool is_length,
                            std::optional<double> constant) {
  Equation equation(QuadraticForm(), std::move(label), is_length);
  equation.parts_ = std::move(parts);
  equation.constant_ = constant;
  return equation;
}

void Equation::set_drive_start(const JointMotion& at) {
  const FramePlace& A = at.places[0].end;
  const FramePlace& B = at.places[1].end;
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

QuadraticForm Equation::form_by_load_factor(double t, double load_factor) const {
  if (!driven_ || drive_ == Drive::displacement) return {};
  const double value = drive_value(t, load_factor);
  const double change = function_(t) - drive_start_;
  if (drive_ == Drive::angle) return sine_of_difference_derivative(value).scaled(change);
  return form_.scaled(-change / (value * value));
}

double Equation::explicit_rate(const JointMotion& at, double t) const {
  if (drive_ == Drive::none) return 0.0;
  const Jet f = function_.jet(t);
  return f.rate * by_drive_value(at.places[0].end, at.places[1].end, f.value);
}

double Equation::by_load_factor(const JointMotion& at, double t, double load_factor) const {
  if (!driven_) return 0.0;
  return (function_(t) - drive_start_) *
         by_drive_value(at.places[0].end, at.places[1].end, drive_value(t, load_factor));
}

JointVector Equation::gradient_by_load_factor(const JointMotion& at, double t, double load_factor) const {
  if (!driven_) return JointVector::Zero(6 * at.n_places);
  return form_by_load_factor(t, load_factor).wrench(at.places[0].end, at.places[1].end, at.frozen);
}

double Equation::sum_of_parts(const JointMotion& at, std::span<const double> internal) const {
  double sum = 0.0;
  for (const Part& part : parts_) {
    double c = part.coordinate->value(at.places[2 * part.pair].end, at.places[2 * part.pair + 1].end);
    // No step turns a body by more than a part of a turn, so that the nearest of all angles that fit is the right one.
    if (part.count >= 0) c = internal[part.count] + std::remainder(c - internal[part.count], 2.0 * M_PI);
    sum += part.factor * c;
  }
  return sum;
}

void Equation::set_constant(const JointMotion& at, std::span<const double> internal) {
  if (!parts_.empty() && !constant_) constant_ = sum_of_parts(at, internal);
}

double Equation::value(const JointMotion& at, double t, double load_factor, std::span<const double> internal) const {
  if (!parts_.empty()) return constant_ ? sum_of_parts(at, internal) - *constant_ : 0.0;
  return form_at(t, load_factor).value(at.places[0].end, at.places[1].end, at.frozen) - offset(t, load_factor);
}

JointVector Equation::gradient(const JointMotion& at, double t, double load_factor) const {
  if (parts_.empty()) return form_at(t, load_factor).wrench(at.places[0].end, at.places[1].end, at.frozen);
  JointVector sum = JointVector::Zero(6 * at.n_places);
  for (const Part& part : parts_) {
    const FrameMotion &A = at.places[2 * part.pair], &B = at.places[2 * part.pair + 1];
    sum.segment<12>(12 * part.pair) +=
        part.factor * part.coordinate->end_gradient(A, B, part.coordinate->change(A, B, 0.0));
  }
  return sum;
}

JointVector Equation::force(const JointMotion& at, double t, double load_factor) const {
  if (parts_.empty()) return form_at(t, load_factor).wrench(at.places[0].mid, at.places[1].mid, at.frozen);
  JointVector sum = JointVector::Zero(6 * at.n_places);
  for (const Part& part : parts_) {
    const FrameMotion &A = at.places[2 * part.pair], &B = at.places[2 * part.pair + 1];
    sum.segment<12>(12 * part.pair) += part.factor * part.coordinate->force(A, B, part.coordinate->change(A, B, 0.0));
  }
  return sum;
}

JointMatrix Equation::force_tangent(const JointMotion& at, double t, double load_factor) const {
  if (parts_.empty()) return form_at(t, load_factor).mid_wrench_tangent(at.places[0], at.places[1], at.frozen);
  JointMatrix sum = JointMatrix::Zero(6 * at.n_places, 6 * at.n_places);
  for (const Part& part : parts_) {
    const FrameMotion &A = at.places[2 * part.pair], &B = at.places[2 * part.pair + 1];
    sum.block<12, 12>(12 * part.pair, 12 * part.pair) +=
        part.factor * part.coordinate->force_tangent(A, B, part.coordinate->change(A, B, 0.0));
  }
  return sum;
}

double Equation::change(const JointMotion& at, double t) const {
  const FrameMotion &A = at.places[0], &B = at.places[1];
  if (parts_.empty()) {
    const QuadraticForm form = form_at(t, 1.0);
    return form.value(A.end, B.end, at.frozen) - form.value(A.start, B.start, at.frozen);
  }
  double sum = 0.0;
  for (const Part& part : parts_)
    sum += part.factor * part.coordinate->change(at.places[2 * part.pair], at.places[2 * part.pair + 1], 0.0).increment;
  return sum;
}

double Equation::second_rate(const JointMotion& at, const JointRates& rates, double t, double load_factor,
                             bool drive_moves) const {
  const auto& [rate, second] = rates;
  if (!parts_.empty()) {
    double sum = 0.0;
    for (const Part& part : parts_) {
      const int a = 2 * part.pair, b = a + 1;
      sum += part.factor *
             part.coordinate->second_rate(at.places[a].end, at.places[b].end, rate[a], rate[b], second[a], second[b]);
    }
    return sum;
  }
  const FramePlace &A = at.places[0].end, &B = at.places[1].end;
  const double by_places = form_at(t, load_factor).second_rate(A, B, rate[0], rate[1], second[0], second[1], at.frozen);
  return by_places + (drive_moves ? explicit_second_rate(A, B, rate[0], rate[1], t) : 0.0);
}

/// What time adds to the second derivative of C beyond that of the form: 2 C_qt q' + C_tt.
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
