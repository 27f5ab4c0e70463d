#include "freeplay/mechanics/relative_coordinate.h"

#include <cmath>

namespace freeplay {

using Kind = QuadraticTerm::Kind;

RelativeCoordinate::Change RelativeCoordinate::change(const FrameMotion& A, const FrameMotion& B, double count) const {
  const Mat3 along = frozen(A.start);
  Values start = Values::Zero(), end = Values::Zero();
  for (int k = 0; k < n_forms(); ++k) {
    start[k] = form(k).value(A.start, B.start, along);
    end[k] = form(k).value(A.end, B.end, along);
  }
  return change_of(start, end, count);
}

double RelativeCoordinate::value(const FramePlace& A, const FramePlace& B) const {
  Values values = Values::Zero();
  for (int k = 0; k < n_forms(); ++k) values[k] = form(k).value(A, B, frozen(A));
  return value_of(values);
}

Vec12 RelativeCoordinate::force(const FrameMotion& A, const FrameMotion& B, const Change& change) const {
  Vec12 sum = Vec12::Zero();
  for (int k = 0; k < n_forms(); ++k) sum += change.gradient[k] * form(k).wrench(A.mid, B.mid, frozen(A.start));
  return sum;
}

Vec12 RelativeCoordinate::end_gradient(const FrameMotion& A, const FrameMotion& B, const Change& change) const {
  Vec12 sum = Vec12::Zero();
  for (int k = 0; k < n_forms(); ++k) sum += change.end_derivative[k] * form(k).wrench(A.end, B.end, frozen(A.start));
  return sum;
}

Mat12 RelativeCoordinate::force_tangent(const FrameMotion& A, const FrameMotion& B, const Change& change) const {
  const Mat3 along = frozen(A.start);
  Mat12 tangent = Mat12::Zero();
  for (int k = 0; k < n_forms(); ++k) {
    const Vec12 mid = form(k).wrench(A.mid, B.mid, along);
    for (int l = 0; l < n_forms(); ++l)
      tangent += change.gradient_derivative(k, l) * mid * form(l).wrench(A.end, B.end, along).transpose();
    tangent += change.gradient[k] * form(k).mid_wrench_tangent(A, B, along);
  }
  return tangent;
}

double RelativeCoordinate::second_rate(const FramePlace& A, const FramePlace& B, const FramePlace& A_rate,
                                       const FramePlace& B_rate, const FramePlace& A_second,
                                       const FramePlace& B_second) const {
  const Mat3 along = frozen(A);
  const Change here = change({A, A, A}, {B, B, B}, 0.0);
  Values rate = Values::Zero(), second = Values::Zero();
  for (int k = 0; k < n_forms(); ++k) {
    rate[k] = form(k).change(A, B, A_rate, B_rate, along);
    second[k] = form(k).second_rate(A, B, A_rate, B_rate, A_second, B_second, along);
  }
  // The gradient of a step depends on its start as on its end: twice the derivative by the end is the second
  // derivative.
  return here.gradient.dot(second) + 2.0 * rate.dot(here.gradient_derivative * rate);
}

namespace {

class Length : public RelativeCoordinate {
  QuadraticForm form(int) const override { return QuadraticTerm{Kind::half_square, 0, 0, 1.0}; }

  Change change_of(const Values& start, const Values& end, double) const override {
    // c = sqrt(2 pi), so c_f - c_i = 2 (pi_f - pi_i) / (c_f + c_i). Where both lengths vanish the line of action is
    // undefined; a tiny length keeps the quotients finite (up to its third power) and the force zero there.
    constexpr double tiny = 1e-40;  // m^2
    Change c;
    c.start = std::sqrt(2.0 * start[0] + tiny);
    c.end = std::sqrt(2.0 * end[0] + tiny);
    const double sum = c.start + c.end;
    c.gradient[0] = 2.0 / sum;
    c.increment = c.gradient[0] * (end[0] - start[0]);
    c.end_derivative[0] = 1.0 / c.end;
    c.gradient_derivative(0, 0) = -2.0 / (sum * sum) * c.end_derivative[0];
    return c;
  }

  double value_of(const Values& forms) const override { return std::sqrt(2.0 * forms[0]); }
};

/// A form itself.
class FormCoordinate : public RelativeCoordinate {
  Change change_of(const Values& start, const Values& end, double) const override {
    Change c;
    c.start = start[0];
    c.end = end[0];
    c.increment = end[0] - start[0];
    c.gradient[0] = c.end_derivative[0] = 1.0;
    return c;
  }

  double value_of(const Values& forms) const override { return forms[0]; }
};

/// a_3 . b_2 and -a_3 . b_1 are the sines of rotations about a_1 and a_2.
class Tilt : public FormCoordinate {
 public:
  explicit Tilt(const Vec3& direction) : direction_(direction.normalized()) {}

 private:
  QuadraticForm form(int) const override {
    return {QuadraticTerm{Kind::dot, 2, 1, direction_[0]}, QuadraticTerm{Kind::dot, 2, 0, -direction_[1]}};
  }

  Vec3 direction_;
};

class Displacement : public FormCoordinate {
 public:
  Displacement(const Vec3& direction, bool in_space) : direction_(direction.normalized()), in_space_(in_space) {}

 private:
  QuadraticForm form(int) const override {
    const Kind kind = in_space_ ? Kind::coordinate : Kind::offset;
    return {QuadraticTerm{kind, 0, 0, direction_[0]}, QuadraticTerm{kind, 1, 0, direction_[1]},
            QuadraticTerm{kind, 2, 0, direction_[2]}};
  }
  Mat3 frozen(const FramePlace& A_start) const override { return in_space_ ? Mat3(Mat3::Identity()) : A_start.a; }

  Vec3 direction_;
  bool in_space_;
};

class Angle : public RelativeCoordinate {
  bool is_angle() const override { return true; }
  int n_forms() const override { return 2; }
  /// pi_0 = a_1 . b_1 (cosine), pi_1 = a_2 . b_1 (sine).
  QuadraticForm form(int k) const override { return QuadraticTerm{Kind::dot, k, 0, 1.0}; }

  Change change_of(const Values& start, const Values& end, double count) const override {
    const double cos_i = start[0], sin_i = start[1], cos_f = end[0], sin_f = end[1];
    const double cos_m = 0.5 * (cos_i + cos_f), sin_m = 0.5 * (sin_i + sin_f);
    // cross = cos_m (sin_f - sin_i) - sin_m (cos_f - cos_i) exactly: a gradient ratio * (-sin_m, cos_m) with
    // ratio = increment / cross has the required work identity.
    const double cross = cos_i * sin_f - sin_i * cos_f;
    const double along = cos_i * cos_f + sin_i * sin_f;
    const double increment = std::atan2(cross, along);
    const double square = cross * cross + along * along;
    const bool small = std::abs(cross) < 1e-5 * along;
    // increment/cross = (x / sin x) / rho^2 with rho^2 = sqrt(square); its series where the quotient loses digits.
    const double ratio = small ? (1.0 + increment * increment / 6.0) / std::sqrt(square) : increment / cross;

    Values d_cross, d_along;
    d_cross << -sin_i, cos_i;
    d_along << cos_i, sin_i;
    const Values d_increment = (along * d_cross - cross * d_along) / square;
    const Values d_ratio = small ? Values(increment / 3.0 / std::sqrt(square) * d_increment -
                                          ratio / square * (cross * d_cross + along * d_along))
                                 : Values(d_increment / cross - ratio / cross * d_cross);

    Change c;
    c.start = count;
    c.end = count + increment;
    c.increment = increment;
    c.gradient << -ratio * sin_m, ratio * cos_m;
    c.end_derivative = d_increment;
    c.gradient_derivative.row(0) = -sin_m * d_ratio.transpose();
    c.gradient_derivative.row(1) = cos_m * d_ratio.transpose();
    c.gradient_derivative(0, 1) -= 0.5 * ratio;
    c.gradient_derivative(1, 0) += 0.5 * ratio;
    return c;
  }

  double value_of(const Values& forms) const override { return std::atan2(forms[1], forms[0]); }
};

class DistanceFromCurve : public RelativeCoordinate {
 public:
  explicit DistanceFromCurve(PlaneCurve curve) : curve_(std::move(curve)) {}

 private:
  int n_forms() const override { return 2; }
  QuadraticForm form(int k) const override { return QuadraticTerm{Kind::offset, k, 0, 1.0}; }

  /// The gradient in the middle, corrected along the step (Gonzalez 1996).
  Change change_of(const Values& start, const Values& end, double) const override {
    const PlaneCurve::Distance from = curve_.distance(start), to = curve_.distance(end),
                               mid = curve_.distance(0.5 * (start + end));
    const Values step = end - start;
    Change c;
    c.start = from.value;
    c.end = to.value;
    c.gradient = mid.gradient;
    c.end_derivative = to.gradient;
    c.gradient_derivative = 0.5 * mid.second;
    // What the correction mends is of third order in the step: in a short one it is less than round-off.
    constexpr double shortest = 1e-5;
    const double square = step.squaredNorm();
    if (square > std::pow(shortest * curve_.length(), 2)) {
      const double correction = (to.value - from.value - mid.gradient.dot(step)) / square;
      const Values by_end = (to.gradient - mid.gradient - 0.5 * mid.second * step - 2.0 * correction * step) / square;
      c.gradient += correction * step;
      c.gradient_derivative += correction * Mat2::Identity() + step * by_end.transpose();
    }
    c.increment = c.gradient.dot(step);
    return c;
  }

  double value_of(const Values& forms) const override { return curve_.distance(forms).value; }

  PlaneCurve curve_;
};

}  // namespace

RelativeCoordinate::Pointer RelativeCoordinate::distance_from(PlaneCurve curve) {
  return std::make_shared<DistanceFromCurve>(std::move(curve));
}

RelativeCoordinate::Pointer RelativeCoordinate::length() { return std::make_shared<Length>(); }

RelativeCoordinate::Pointer RelativeCoordinate::displacement(const Vec3& direction) {
  return std::make_shared<Displacement>(direction, false);
}

RelativeCoordinate::Pointer RelativeCoordinate::displacement_in_space(const Vec3& direction) {
  return std::make_shared<Displacement>(direction, true);
}

RelativeCoordinate::Pointer RelativeCoordinate::tilt(const Vec3& direction) {
  return std::make_shared<Tilt>(direction);
}

RelativeCoordinate::Pointer RelativeCoordinate::angle() { return std::make_shared<Angle>(); }

}  // namespace freeplay
