#include <algorithm>
#include <cmath>

#include "freeplay/mechanics/contact_element.h"

// Which steps a contact allows.

namespace freeplay {

double ContactElement::landing_depth(double speed) const {
  return law_->depth_of(approach_.landing_energy * 0.5 * approach_.mass * speed * speed);
}

double ContactElement::approach_limit(double gap, double rate) const {
  if (approach_.rules_step) {
    const double kappa = gap / (approach_.penetration * approach_.nearness);
    double change = approach_.penetration * std::pow(std::max(1.0, kappa), approach_.growth);
    // From one side of a large clearance to the other in one step is too far.
    if (gap > 0.0) change = std::min(change, std::max(approach_.penetration, 0.5 * gap));
    return rate != 0.0 ? change / std::abs(rate) : INFINITY;
  }
  if (gap < 0.0 || rate >= 0.0) return INFINITY;
  return std::max(landing_depth(rate), 0.5 * gap) / -rate;
}

double ContactElement::step_limit(const Motion& motion, std::span<const double> internal) const {
  const Forces<double> f = forces<double>(motion, internal);
  const ContactKinematics<double>& k = f.where;
  const FrameStep<double> a = frame_step<double>(motion, a_, 0);
  const FrameStep<double> b = frame_step<double>(motion, b_, 1);
  const double rate =
      k.force_b.dot(b.displacement - a.displacement) + k.moment_b.dot(b.rotation) + k.moment_a.dot(a.rotation);
  double limit = approach_limit(k.gap_i, rate);
  if (!friction_) return limit;
  const Vec3 z = a.a_i * Vec3::Map(internal.data() + bristle);
  if (k.gap_i < 0.0) {
    // A slip that passes zero is no rest: what the slip of the last step asks for counts too.
    const Vec3 before = a.a_i * Vec3::Map(internal.data() + last_slip);
    limit = std::min({limit, friction_->step_limit(f.slip, f.normal, z), friction_->step_limit(before, f.normal, z)});
    // Bristles on the force settle ever faster as the load vanishes.
    constexpr double part_of_the_way = 0.3;
    if (rate <= 0.0) return limit;
    return std::min(limit, std::max(part_of_the_way * -k.gap_i / rate, friction_->step_limit(f.slip, 0.0, z)));
  }
  // Friction that needs small steps from the first moment on: one step up to the touch, and such steps from there.
  if (rate >= 0.0) return limit;
  return std::min(limit, std::max(k.gap_i / -rate, friction_->step_limit(f.slip, 0.0, Vec3::Zero())));
}

bool ContactElement::overshoots(const Motion& motion, std::span<const double> internal) const {
  constexpr double few = 4.0;
  const Forces<double> f = forces<double>(motion, internal);
  if (!approach_.rules_step) {
    if (f.where.gap_i >= 0.0 && f.where.gap_f < 0.0)
      return -f.where.gap_f > few * landing_depth((f.where.gap_i - f.where.gap_f) / motion.dt);
  } else if (f.where.gap_i >= 0.0) {
    return f.where.gap_f < -few * approach_.penetration;
  }
  // Where a contact turns round it has no speed, and its step no limit but that of the error.
  if (approach_.rules_step && std::abs(f.where.gap_f - f.where.gap_i) > few * approach_.penetration) return true;
  // A contact that breaks away within a step that was chosen for rest.
  return friction_ && f.normal > 0.0 && motion.dt > few * friction_->step_limit(f.slip, f.normal, f.friction.state);
}

}  // namespace freeplay
