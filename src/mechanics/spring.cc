#include "freeplay/mechanics/spring.h"

#include <cmath>

#include "pair_assembly.h"

namespace freeplay {

using Kind = QuadraticTerm::Kind;

ScalarSpring::ScalarSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
                           std::optional<double> free_value)
    : ForceElement(std::move(name)),
      a_(a),
      b_(b),
      nodes_{a.node, b.node},
      law_(std::move(law)),
      damping_(damping),
      free_value_(free_value) {}

ScalarSpring::Kinematics ScalarSpring::kinematics(const Motion& motion) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  Kinematics result;
  result.dt = motion.dt;
  for (int k = 0; k < n_forms(); ++k) {
    result.start[k] = form(k).value(A.start, B.start, A.start.a);
    result.end[k] = form(k).value(A.end, B.end, A.start.a);
    result.rate[k] = rate_of(form(k), motion, nodes_, A, B);
  }
  return result;
}

void ScalarSpring::settle(const Motion& motion) {
  if (!free_value_) free_value_ = assembled_value(kinematics(motion));
}

double ScalarSpring::force(const Scalar& c) const {
  return law_.mean(c.start - *free_value_, c.end - *free_value_) + damping_ * c.rate;
}

void ScalarSpring::add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const Scalar c = scalar(kinematics(motion), internal);
  const double f = force(c);
  for (int k = 0; k < n_forms(); ++k)
    add_wrench(nodes_, f * c.gradient[k] * form(k).wrench(A.mid, B.mid, A.start.a), forces);
}

void ScalarSpring::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const Scalar c = scalar(kinematics(motion), internal);
  const double f = force(c);
  const Values f_derivative = law_.mean_derivative(c.start - *free_value_, c.end - *free_value_) * c.end_derivative +
                              damping_ * c.rate_derivative;
  Mat12 tangent = Mat12::Zero();
  for (int k = 0; k < n_forms(); ++k) {
    const Vec12 mid_wrench = form(k).wrench(A.mid, B.mid, A.start.a);
    for (int l = 0; l < n_forms(); ++l) {
      const double derivative = f_derivative[l] * c.gradient[k] + f * c.gradient_derivative(k, l);
      tangent += derivative * mid_wrench * form(l).wrench(A.end, B.end, A.start.a).transpose();
    }
    tangent += f * c.gradient[k] * form(k).mid_wrench_tangent(A, B);
  }
  add_block(nodes_, TangentSink::Row::balance, TangentSink::Column::end, tangent, sink);
}

StepWork ScalarSpring::work(const Motion& motion, std::span<const double> internal) const {
  const Scalar c = scalar(kinematics(motion), internal);
  StepWork work;
  work.damping_loss = damping_ * c.rate * (c.end - c.start);
  return work;
}

double ScalarSpring::stored_energy(const Motion& motion, std::span<const double> internal) const {
  const Scalar c = scalar(kinematics(motion), internal);
  return law_.integral(0.0, c.start - *free_value_);
}

void ScalarSpring::evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const {
  const Scalar c = scalar(kinematics(motion), internal);
  values[0] = c.end;
  values[1] = force(c);
}

TranslationalSpring::TranslationalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law,
                                         double damping, std::optional<double> free_length)
    : ScalarSpring(std::move(name), a, b, std::move(law), damping, free_length) {}

std::vector<ForceElement::Quantity> TranslationalSpring::quantities() const {
  return {{"length", "m"}, {"force", "N"}};
}

QuadraticForm TranslationalSpring::form(int) const { return QuadraticTerm{Kind::half_square, 0, 0, 1.0}; }

ScalarSpring::Scalar TranslationalSpring::scalar(const Kinematics& kinematics, std::span<const double>) const {
  // c = sqrt(2 pi), so c_f - c_i = 2 (pi_f - pi_i) / (c_f + c_i). Where both lengths vanish the line of action is
  // undefined; a tiny length keeps the quotients finite (up to its third power) and the force zero there.
  constexpr double tiny = 1e-40;  // m^2
  Scalar c;
  c.start = std::sqrt(2.0 * kinematics.start[0] + tiny);
  c.end = std::sqrt(2.0 * kinematics.end[0] + tiny);
  const double sum = c.start + c.end;
  c.gradient[0] = 2.0 / sum;
  c.rate = c.gradient[0] * kinematics.rate[0];
  c.end_derivative[0] = 1.0 / c.end;
  if (kinematics.dt > 0.0) c.rate_derivative[0] = c.end_derivative[0] / kinematics.dt;
  c.gradient_derivative(0, 0) = -2.0 / (sum * sum) * c.end_derivative[0];
  return c;
}

double TranslationalSpring::assembled_value(const Kinematics& now) const { return std::sqrt(2.0 * now.start[0]); }

TorsionalSpring::TorsionalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
                                 std::optional<double> free_angle)
    : ScalarSpring(std::move(name), a, b, std::move(law), damping, free_angle) {}

std::vector<ForceElement::Quantity> TorsionalSpring::quantities() const {
  return {{"angle", "rad"}, {"moment", "N*m"}};
}

/// pi_0 = a_1 . b_1 (cosine), pi_1 = a_2 . b_1 (sine).
QuadraticForm TorsionalSpring::form(int k) const { return QuadraticTerm{Kind::dot, k, 0, 1.0}; }

ScalarSpring::Scalar TorsionalSpring::scalar(const Kinematics& kinematics, std::span<const double> internal) const {
  const double cos_i = kinematics.start[0], sin_i = kinematics.start[1];
  const double cos_f = kinematics.end[0], sin_f = kinematics.end[1];
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

  Scalar c;
  c.start = internal[0];
  c.end = internal[0] + increment;
  c.gradient << -ratio * sin_m, ratio * cos_m;
  c.rate = c.gradient.dot(kinematics.rate);
  c.end_derivative = d_increment;
  if (kinematics.dt > 0.0) c.rate_derivative = d_increment / kinematics.dt;
  c.gradient_derivative.row(0) = -sin_m * d_ratio.transpose();
  c.gradient_derivative.row(1) = cos_m * d_ratio.transpose();
  c.gradient_derivative(0, 1) -= 0.5 * ratio;
  c.gradient_derivative(1, 0) += 0.5 * ratio;
  return c;
}

double TorsionalSpring::assembled_value(const Kinematics& now) const { return std::atan2(now.start[1], now.start[0]); }

void TorsionalSpring::initialise(const Motion& motion, std::span<double> internal) const {
  internal[0] = assembled_value(kinematics(motion));
}

void TorsionalSpring::advance(const Motion& motion, std::span<double> internal) const {
  internal[0] = scalar(kinematics(motion), internal).end;
}

}  // namespace freeplay
