#include "freeplay/analysis/contact_monitor.h"

#include <cstdio>

namespace freeplay {

namespace {

std::string text(const char* format, double a) {
  char buffer[96];
  std::snprintf(buffer, sizeof buffer, format, a);
  return buffer;
}

}  // namespace

ContactMonitor::ContactMonitor(const Model& model, Observer& observer) : model_(model), observer_(observer) {
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    if (model.elements[e]->is_contact()) contacts_.push_back({e});
}

void ContactMonitor::watch(const TimeStepper& stepper, double dt) {
  for (Contact& contact : contacts_) {
    const ContactStatus status = stepper.contact_status(contact.element);
    const double time = stepper.state().time;
    watch_touch(contact, status, time, dt);
    watch_impact(contact, status, time, dt);
    watch_slip(contact, status, time);
  }
}

void ContactMonitor::watch_touch(Contact& contact, const ContactStatus& status, double time, double dt) {
  if (status.touches() == contact.touches) return;
  if (status.touches() && status.start_gap < 0.0) {
    // It was there before the first step: nothing happens now.
    contact.touches = true;
    return;
  }
  const std::string& name = model_.elements[contact.element]->name();
  // The gap is taken as linear over the step.
  const double part = status.start_gap / (status.start_gap - status.gap);
  const double when = time - dt * (1.0 - part);
  if (status.touches()) {
    observer_.event(when, "touch", name, text("speed %.6g m/s", (status.start_gap - status.gap) / dt));
    contact = {contact.element, true, true};
  } else {
    if (contact.impact)
      observer_.event(when, "impact", name,
                      text("impulse %.6g N*s, ", contact.impulse) + text("peak %.6g N", contact.peak));
    observer_.event(when, "loss", name, "");
    contact = {contact.element};
  }
}

/// An impact ends when the force has fallen to half of its first peak, or with the contact.
void ContactMonitor::watch_impact(Contact& contact, const ContactStatus& status, double time, double dt) {
  if (!contact.touches || !contact.impact) return;
  contact.impulse += status.normal_force * dt;
  contact.peak = std::max(contact.peak, status.normal_force);
  if (status.normal_force > 0.5 * contact.peak) return;
  contact.impact = false;
  observer_.event(time, "impact", model_.elements[contact.element]->name(),
                  text("impulse %.6g N*s, ", contact.impulse) + text("peak %.6g N", contact.peak));
}

/// Between half of the velocity of sticking and this velocity nothing changes, or noise would write events.
void ContactMonitor::watch_slip(Contact& contact, const ContactStatus& status, double time) {
  if (!contact.touches || status.stick_velocity == 0.0) return;
  const Slip before = contact.slip;
  if (status.slip_velocity < 0.5 * status.stick_velocity) contact.slip = Slip::sticks;
  if (status.slip_velocity >= status.stick_velocity) contact.slip = Slip::slips;
  if (contact.slip == before || before == Slip::unknown) return;
  observer_.event(time, contact.slip == Slip::sticks ? "stick" : "slip", model_.elements[contact.element]->name(),
                  text("friction %.6g N", status.friction_force));
}

}  // namespace freeplay
