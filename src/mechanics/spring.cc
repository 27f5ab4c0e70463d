#include "freeplay/mechanics/spring.h"

#include "pair_assembly.h"

namespace freeplay {

using Change = RelativeCoordinate::Change;

ScalarSpring::ScalarSpring(std::string name, const Frame& a, const Frame& b, RelativeCoordinate::Pointer coordinate,
                           PiecewiseLinear law, double damping, std::optional<double> free_value)
    : ForceElement(std::move(name)),
      a_(a),
      b_(b),
      nodes_{a.node, b.node},
      coordinate_(std::move(coordinate)),
      law_(std::move(law)),
      damping_(damping),
      free_value_(free_value) {}

Change ScalarSpring::change(const Motion& motion, std::span<const double> internal) const {
  return coordinate_->change(motion(a_), motion(b_), internal.empty() ? 0.0 : internal[0]);
}

double ScalarSpring::rate(const Motion& motion, const Change& c) const {
  if (!motion.is_instant()) return c.increment / motion.dt;
  Vec12 velocity;
  velocity << motion.velocity_of(nodes_[0]), motion.velocity_of(nodes_[1]);
  return coordinate_->force(motion(a_), motion(b_), c).dot(velocity);
}

double ScalarSpring::force(const Motion& motion, const Change& c) const {
  return law_.mean(c.start - *free_value_, c.end - *free_value_) + damping_ * rate(motion, c);
}

void ScalarSpring::settle(const Motion& motion) {
  if (!free_value_) free_value_ = coordinate_->value(motion(a_).start, motion(b_).start);
}

void ScalarSpring::add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const {
  const Change c = change(motion, internal);
  add_wrench(nodes_, force(motion, c) * coordinate_->force(motion(a_), motion(b_), c), forces);
}

void ScalarSpring::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  const FrameMotion A = motion(a_), B = motion(b_);
  const Change c = change(motion, internal);
  double by_end = law_.mean_derivative(c.start - *free_value_, c.end - *free_value_);
  if (motion.dt > 0.0) by_end += damping_ / motion.dt;
  const Mat12 tangent = by_end * coordinate_->force(A, B, c) * coordinate_->end_gradient(A, B, c).transpose() +
                        force(motion, c) * coordinate_->force_tangent(A, B, c);
  add_block(nodes_, TangentSink::Row::balance, TangentSink::Column::end, tangent, sink);
}

StepWork ScalarSpring::work(const Motion& motion, std::span<const double> internal) const {
  const Change c = change(motion, internal);
  StepWork work;
  work.damping_loss = damping_ * rate(motion, c) * c.increment;
  return work;
}

double ScalarSpring::stored_energy(const Motion& motion, std::span<const double> internal) const {
  return law_.integral(0.0, change(motion, internal).start - *free_value_);
}

void ScalarSpring::initialise(const Motion& motion, std::span<double> internal) const {
  if (!internal.empty()) internal[0] = coordinate_->value(motion(a_).start, motion(b_).start);
}

void ScalarSpring::advance(const Motion& motion, std::span<double> internal) const {
  if (!internal.empty()) internal[0] = change(motion, internal).end;
}

void ScalarSpring::evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const {
  const Change c = change(motion, internal);
  values[0] = c.end;
  values[1] = force(motion, c);
}

TranslationalSpring::TranslationalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law,
                                         double damping, std::optional<double> free_length)
    : ScalarSpring(std::move(name), a, b, RelativeCoordinate::length(), std::move(law), damping, free_length) {}

DirectedSpring::DirectedSpring(std::string name, const Frame& a, const Frame& b, const Vec3& direction,
                               PiecewiseLinear law, double damping, std::optional<double> free_displacement)
    : ScalarSpring(std::move(name), a, b, RelativeCoordinate::displacement_in_space(direction), std::move(law), damping,
                   free_displacement) {}

TorsionalSpring::TorsionalSpring(std::string name, const Frame& a, const Frame& b, PiecewiseLinear law, double damping,
                                 std::optional<double> free_angle)
    : ScalarSpring(std::move(name), a, b, RelativeCoordinate::angle(), std::move(law), damping, free_angle) {}

}  // namespace freeplay
