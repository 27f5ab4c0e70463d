#include "freeplay/mechanics/coefficient_bearing.h"

#include <algorithm>
#include <cmath>

#include "load_components.h"
#include "pair_assembly.h"

namespace freeplay {

namespace {

/// The rotation vector of a node over a step, inertial axes.
Vec3 turn_over(const Motion& motion, int node) {
  if (node == ground) return Vec3::Zero();
  const Vec3 cayley = rotation_over(motion.nodes[node]);
  const double half_tangent = 0.5 * cayley.norm();  // tan(angle / 2)
  return half_tangent > 0.0 ? Vec3(cayley * (std::atan(half_tangent) / half_tangent)) : cayley;
}

}  // namespace

CoefficientBearing::CoefficientBearing(std::string name, const Frame& bearing, const Frame& journal,
                                       std::vector<BearingCoefficients> table, std::optional<double> speed)
    : ForceElement(std::move(name)),
      a_(bearing),
      b_(journal),
      nodes_{bearing.node, journal.node},
      table_(std::move(table)),
      speed_(speed) {
  for (int k = 0; k < 2; ++k) forms_[k] = QuadraticTerm{QuadraticTerm::Kind::offset, k, 0, 1.0};
}

BearingCoefficients CoefficientBearing::at(double speed) const {
  if (speed_) speed = *speed_;
  const auto right =
      std::ranges::find_if(table_, [&](const BearingCoefficients& entry) { return entry.speed > speed; });
  BearingCoefficients result = right == table_.begin() ? table_.front() : *(right - 1);
  if (right != table_.begin() && right != table_.end()) {
    const double weight = (speed - result.speed) / (right->speed - result.speed);
    result.stiffness += weight * (right->stiffness - result.stiffness);
    result.damping += weight * (right->damping - result.damping);
  }
  result.speed = speed;
  return result;
}

BearingCoefficients CoefficientBearing::over(const Motion& motion, std::span<const double> internal) const {
  return at(internal[start_speed] + 0.5 * motion.passed * internal[slope]);
}

double CoefficientBearing::speed_of(const Motion& motion) const {
  const FrameMotion A = motion(a_);
  if (motion.is_instant())
    return (motion.velocity_of(b_.node) - motion.velocity_of(a_.node)).tail<3>().dot(A.start.a.col(2));
  return (turn_over(motion, b_.node) - turn_over(motion, a_.node)).dot(A.mid.a.col(2)) / motion.dt;
}

void CoefficientBearing::initialise(const Motion& motion, std::span<double> internal) const {
  std::ranges::fill(internal, 0.0);
  internal[start_speed] = speed_of(motion);
}

void CoefficientBearing::advance(const Motion& motion, std::span<double> internal) const {
  if (!(motion.passed > 0.0)) return;  // no time passes in statics
  const double mean = speed_of(motion);
  internal[slope] = internal[last_length] > 0.0
                        ? 2.0 * (mean - internal[last_mean]) / (motion.dt + internal[last_length])
                        : 2.0 * (mean - internal[start_speed]) / motion.dt;
  internal[start_speed] = mean + 0.5 * motion.dt * internal[slope];
  internal[last_mean] = mean;
  internal[last_length] = motion.dt;
}

CoefficientBearing::Vec2 CoefficientBearing::displacement(const FramePlace& A, const FramePlace& B) const {
  return {forms_[0].value(A, B, A.a), forms_[1].value(A, B, A.a)};
}

CoefficientBearing::Vec2 CoefficientBearing::force(const Motion& motion, const BearingCoefficients& now) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const Vec2 mean = 0.5 * (displacement(A.start, B.start) + displacement(A.end, B.end));
  const Vec2 rate(rate_of(forms_[0], motion, nodes_, A, B), rate_of(forms_[1], motion, nodes_, A, B));
  return now.stiffness * mean + now.damping * rate;
}

void CoefficientBearing::add_forces(const Motion& motion, std::span<const double> internal,
                                    std::vector<Vec6>& forces) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const Vec2 f = force(motion, over(motion, internal));
  for (int k = 0; k < 2; ++k) add_wrench(nodes_, f[k] * forms_[k].wrench(A.mid, B.mid, A.start.a), forces);
}

void CoefficientBearing::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const BearingCoefficients now = over(motion, internal);
  const Vec2 f = force(motion, now);
  const BearingCoefficients::Mat2 by_end = 0.5 * now.stiffness + now.damping / motion.dt;
  Mat12 tangent = Mat12::Zero();
  for (int k = 0; k < 2; ++k) {
    const Vec12 mid = forms_[k].wrench(A.mid, B.mid, A.start.a);
    for (int l = 0; l < 2; ++l) tangent += by_end(k, l) * mid * forms_[l].wrench(A.end, B.end, A.start.a).transpose();
    tangent += f[k] * forms_[k].mid_wrench_tangent(A, B, A.start.a);
  }
  add_block(nodes_, TangentSink::Row::balance, TangentSink::Column::end, tangent, sink);
}

double CoefficientBearing::potential(const Vec2& u, double speed) const {
  return 0.5 * u.dot(at(speed).stiffness * u);  // the antisymmetric part drops out
}

StepWork CoefficientBearing::work(const Motion& motion, std::span<const double> internal) const {
  const FrameMotion A = motion(a_);
  const FrameMotion B = motion(b_);
  const BearingCoefficients now = over(motion, internal);
  const Vec2 start = displacement(A.start, B.start), end = displacement(A.end, B.end), change = end - start;
  std::array<double, n_numbers> after;
  std::ranges::copy(internal, after.begin());
  advance(motion, after);
  StepWork work;
  work.damping_loss = change.dot(now.damping * change) / motion.dt;
  work.load_work = potential(end, after[start_speed]) - potential(start, internal[start_speed]) + work.damping_loss -
                   force(motion, now).dot(change);
  return work;
}

double CoefficientBearing::stored_energy(const Motion& motion, std::span<const double> internal) const {
  return potential(displacement(motion(a_).start, motion(b_).start), internal[start_speed]);
}

std::vector<ForceElement::Quantity> CoefficientBearing::quantities() const {
  return {{"displacement.x", "m"}, {"displacement.y", "m"}, {"force.x", "N"}, {"force.y", "N"}, {"speed", "rad/s"}};
}

void CoefficientBearing::evaluate(const Motion& motion, std::span<const double> internal,
                                  std::span<double> values) const {
  const BearingCoefficients now = over(motion, internal);
  const Vec2 u = displacement(motion(a_).end, motion(b_).end), f = force(motion, now);
  values[0] = u.x();
  values[1] = u.y();
  values[2] = f.x();
  values[3] = f.y();
  values[4] = now.speed;
}

}  // namespace freeplay
