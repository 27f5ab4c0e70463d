#include "freeplay/analysis/contact_monitor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace freeplay {

ContactMonitor::ContactMonitor(const Model& model, Observer& observer) : model_(model), observer_(observer) {
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    if (model.elements[e]->is_contact()) elements_.push_back(e);
  memory_.resize(elements_.size());
}

void ContactMonitor::watch(const TimeStepper& stepper, double dt) {
  events_.clear();
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const ContactStatus status = stepper.contact_status(elements_[k]);
    const Step step{model_.elements[elements_[k]]->name(), status, stepper.state().time, dt};
    watch_touch(step, memory_[k]);
    watch_impact(step, memory_[k]);
    watch_slip(step, memory_[k]);
  }
  // Several contacts may do something within one step.
  std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
  for (const Event& event : events_) observer_.event(event);
}

void ContactMonitor::watch_touch(const Step& step, ContactMemory& contact) {
  const ContactStatus& status = step.status;
  if (status.touches() == contact.touches) return;
  if (status.touches() && status.start_gap < 0.0) {
    // It was there before the first step: nothing happens now.
    contact.touches = true;
    return;
  }
  // The gap is taken as linear over the step.
  const double part = status.start_gap / (status.start_gap - status.gap);
  const double when = step.time - step.dt * (1.0 - part);
  if (status.touches()) {
    events_.push_back({when, "touch", step.joint, status.impact_speed, "m/s", ""});
    contact = {};
    contact.touches = contact.impact = true;
    return;
  }
  if (contact.impact) {
    contact.impulse += status.normal_force * step.dt;
    tell_impact(when, step.joint, contact);
  }
  events_.push_back({when, "loss", step.joint, (status.gap - status.start_gap) / step.dt, "m/s", ""});
  contact = {};
}

/// An impact ends when the force has fallen to half of its first peak, or with the contact.
void ContactMonitor::watch_impact(const Step& step, ContactMemory& contact) {
  if (!contact.touches || !contact.impact) return;
  const double force = step.status.normal_force;
  contact.impulse += force * step.dt;
  contact.peak = std::max(contact.peak, force);
  if (force > 0.5 * contact.peak) return;
  contact.impact = false;
  tell_impact(step.time, step.joint, contact);
}

void ContactMonitor::tell_impact(double time, const std::string& joint, const ContactMemory& contact) {
  char peak[64];
  std::snprintf(peak, sizeof peak, "peak %.6g N", contact.peak);
  events_.push_back({time, "impact", joint, contact.impulse, "N*s", peak});
}

/// Between half of the velocity of sticking and this velocity nothing changes, or noise would write events. When the
/// slip passed either, and the force then, are interpolated between the middles of this step and the last.
void ContactMonitor::watch_slip(const Step& step, ContactMemory& contact) {
  using Slip = ContactMemory::Slip;
  const ContactStatus& status = step.status;
  if (!contact.touches || status.stick_velocity == 0.0) return;
  const ContactMemory before = contact;
  contact.middle = step.time - 0.5 * step.dt;
  contact.slip_velocity = status.slip_velocity;
  contact.friction_force = status.friction_force;
  if (status.slip_velocity < 0.5 * status.stick_velocity) contact.slip = Slip::sticks;
  if (status.slip_velocity >= status.stick_velocity) contact.slip = Slip::slips;
  if (contact.slip == before.slip || before.slip == Slip::unknown) return;
  const bool sticks = contact.slip == Slip::sticks;
  const double passed = (sticks ? 0.5 : 1.0) * status.stick_velocity;
  const double part = (passed - before.slip_velocity) / (contact.slip_velocity - before.slip_velocity);
  events_.push_back({std::lerp(before.middle, contact.middle, part), sticks ? "stick" : "slip", step.joint,
                     std::lerp(before.friction_force, contact.friction_force, part), "N", ""});
}

}  // namespace freeplay
