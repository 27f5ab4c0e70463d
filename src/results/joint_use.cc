#include "freeplay/results/joint_use.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/mechanics/contact_element.h"

namespace freeplay {

JointUse::JointUse(const Model& model) : model_(model), rows_(model), sticks_(model.frictions.size(), 0) {
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    if (model.elements[e]->is_contact()) contacts_.push_back(e);
  for (const ReportedJoint& reported : reported_joints(model)) {
    Joint joint{reported.name, {}, {}, has_friction(model, reported), {}};
    for (const std::size_t e : reported.contacts)
      joint.contacts.push_back(static_cast<std::size_t>(std::ranges::find(contacts_, e) - contacts_.begin()));
    for (std::size_t k = 0; k < model.frictions.size(); ++k)
      if (reported.joint >= 0 && model.frictions[k].joint == reported.joint)
        joint.frictions.push_back(static_cast<int>(k));
    if (!joint.contacts.empty() || !joint.frictions.empty()) joints_.push_back(std::move(joint));
  }
}

void JointUse::step(const TimeStepper& stepper, double dt) {
  if (joints_.empty()) return;
  time_ += dt;
  if (!is_started_ && !sticks_.empty()) note_sticking(stepper.state());
  for (Joint& joint : joints_) {
    if (!joint.contacts.empty()) add_contacts(stepper, dt, joint);
    if (!joint.frictions.empty()) add_frictions(stepper, dt, joint);
  }
  if (!sticks_.empty()) note_sticking(stepper.state());
}

/// A joint sticks if all of its contacts do that touch.
void JointUse::add_contacts(const TimeStepper& stepper, double dt, Joint& joint) const {
  bool touches = false, sticks = true;
  for (const std::size_t k : joint.contacts) {
    const StepWork& work = stepper.contact_works()[k];
    joint.sums.friction_loss += work.friction_loss;
    joint.sums.contact_loss += work.contact_loss;
    const ContactStatus status = stepper.contact_status(contacts_[k]);
    if (!status.touches()) continue;
    touches = true;
    sticks = sticks && status.sticks();
    const double force = std::hypot(status.normal_force, status.friction_force);
    if (force <= joint.sums.peak) continue;
    joint.sums.peak = force;
    joint.sums.peak_time = stepper.state().time;
  }
  if (touches) joint.sums.touch_time += dt;
  if (touches && sticks) joint.sums.stick_time += dt;
}

/// A step is what the joint was at its start: a change of Coulomb's friction ends a step.
void JointUse::add_frictions(const TimeStepper& stepper, double dt, Joint& joint) {
  for (const int k : joint.frictions) joint.sums.friction_loss += stepper.friction_losses()[k];
  const bool sticks = std::ranges::all_of(joint.frictions, [&](int k) { return sticks_[k] != 0; });
  if (sticks) joint.sums.stick_time += dt;
}

void JointUse::note_sticking(const State& state) {
  set_instant(state, now_);
  rows_.begin(now_);
  for (int k = 0; k < rows_.size(); ++k)
    sticks_[k] = FrictionRows::is_at_rest(rows_.friction(k), rows_.slip_displacement(k, now_),
                                          numbers_of(rows_.friction(k), state));
  is_started_ = true;
}

nlohmann::json JointUse::json() const {
  if (time_ == 0.0) return nullptr;
  nlohmann::json all = nlohmann::json::object();
  for (const Joint& joint : joints_) {
    const Sums& sums = joint.sums;
    nlohmann::json& of_joint = all[joint.name];
    if (!joint.contacts.empty()) {
      of_joint["contact_fraction"] = sums.touch_time / time_;
      of_joint["contact_loss"] = sums.contact_loss;
      of_joint["largest_contact_force"] = {{"value", sums.peak}, {"time", sums.peak_time}};
    }
    if (joint.has_friction) {
      of_joint["stick_fraction"] = sums.stick_time / time_;
      of_joint["friction_loss"] = sums.friction_loss;
    }
  }
  return all;
}

std::vector<double> JointUse::numbers() const {
  std::vector<double> numbers{time_, is_started_ ? 1.0 : 0.0};
  numbers.insert(numbers.end(), sticks_.begin(), sticks_.end());
  for (const Joint& joint : joints_) {
    const Sums& s = joint.sums;
    numbers.insert(numbers.end(), {s.touch_time, s.stick_time, s.friction_loss, s.contact_loss, s.peak, s.peak_time});
  }
  return numbers;
}

void JointUse::set_numbers(std::span<const double> numbers) {
  if (numbers.size() != this->numbers().size()) return;  // of an older checkpoint, which had none
  auto next = numbers.begin();
  time_ = *next++;
  is_started_ = *next++ != 0.0;
  for (char& sticks : sticks_) sticks = *next++ != 0.0;
  for (Joint& joint : joints_)
    for (double* sum : {&joint.sums.touch_time, &joint.sums.stick_time, &joint.sums.friction_loss,
                        &joint.sums.contact_loss, &joint.sums.peak, &joint.sums.peak_time})
      *sum = *next++;
}

}  // namespace freeplay
