#include <algorithm>

#include "freeplay/mechanics/contact_element.h"

// What is reported of a contact.

namespace freeplay {

ContactStatus ContactElement::contact_status(const Motion& motion, std::span<const double> internal) const {
  const Forces<double> f = forces<double>(motion, internal);
  ContactStatus status;
  status.start_gap = f.where.gap_i;
  status.gap = f.where.gap_f;
  status.normal_force = f.normal;
  status.friction_force = f.friction.force.norm();
  status.slip_velocity = f.slip.norm();
  status.stick_velocity = friction_ ? friction_->stick_velocity() : 0.0;
  if (status.touches()) status.impact_speed = speed_of_impact(motion, internal, f.where.gap_i, f.where.gap_f);
  return status;
}

ContactPoint ContactElement::contact_point(const Motion& motion, std::span<const double> internal) const {
  const Forces<double> f = forces<double>(motion, internal);
  const bool touches = f.where.gap_i < 0.0;
  const bool sticks = touches && friction_ && f.slip.norm() < friction_->stick_velocity();
  ContactPoint point;
  point.position = (b_.node == ground ? Vec3(Vec3::Zero()) : motion.nodes[b_.node].start.x) + f.where.arm_b;
  point.normal_force = f.normal * f.where.normal;
  point.friction_force = -f.friction.force;
  if (touches) point.slip_velocity = f.slip;
  point.gap = f.where.gap_i;
  point.state = !touches ? 0 : sticks ? 1 : 2;
  return point;
}

std::vector<ForceElement::Quantity> ContactElement::quantities() const {
  std::vector<Quantity> list = {{"gap", "m"},
                                {"penetration", "m"},
                                {"eccentricity.x", "m"},
                                {"eccentricity.y", "m"},
                                {"normal_force", "N"},
                                {"normal_force_max", "N"},
                                {"normal_impulse", "N*s"},
                                {"impulse.x", "N*s"},
                                {"impulse.y", "N*s"},
                                {"impulse.z", "N*s"},
                                {"friction_force", "N"},
                                {"friction_ratio", "1"},
                                {"slip_velocity", "m/s"},
                                {"bristle", "m"},
                                {"state", "1"}};
  return list;
}

void ContactElement::evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const {
  const Forces<double> f = forces<double>(motion, internal);
  const FramePlace A = place(a_, a_.node == ground ? Pose{} : motion.nodes[a_.node].start);
  const FramePlace B = place(b_, b_.node == ground ? Pose{} : motion.nodes[b_.node].start);
  const Vec3 u = A.a.transpose() * (B.x - A.x);
  const ContactPoint point = contact_point(motion, internal);
  const double friction_force = point.friction_force.norm();
  const double result[] = {f.where.gap_i,
                           std::max(0.0, -f.where.gap_i),
                           u[0],
                           u[1],
                           f.normal,
                           std::max(internal[peak], f.normal),
                           internal[normal_impulse],
                           internal[impulse],
                           internal[impulse + 1],
                           internal[impulse + 2],
                           friction_force,
                           f.normal > 0.0 ? friction_force / f.normal : 0.0,
                           point.slip_velocity.norm(),
                           Vec3::Map(internal.data() + bristle).norm(),
                           static_cast<double>(point.state)};
  std::copy(std::begin(result), std::end(result), values.begin());
}

}  // namespace freeplay
