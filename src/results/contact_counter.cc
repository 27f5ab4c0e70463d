#include "freeplay/results/contact_counter.h"

#include "freeplay/laws/friction/friction_law.h"

namespace freeplay {

ContactCounter::ContactCounter(const Model& model) : frictions_(model) {
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    if (model.elements[e]->is_contact()) contacts_.push_back(e);
}

std::optional<ContactCounts> ContactCounter::count(const TimeStepper& stepper) {
  if (contacts_.empty() && frictions_.size() == 0) return std::nullopt;
  ContactCounts counts;
  for (const std::size_t e : contacts_) {
    const ContactStatus status = stepper.contact_status(e);
    ++(!status.touches() ? counts.free : status.sticks() ? counts.stick : counts.slip);
  }
  if (frictions_.size() == 0) return counts;
  set_instant(stepper.state(), now_);
  frictions_.begin(now_);
  for (int k = 0; k < frictions_.size(); ++k) ++(sticks(k, stepper.state()) ? counts.stick : counts.slip);
  return counts;
}

bool ContactCounter::sticks(int friction, const State& state) {
  const JointFriction& joint = frictions_.friction(friction);
  if (joint.coulomb) return numbers_of(joint, state).mode() != FrictionMode::slips;
  return frictions_.slip_displacement(friction, now_).norm() < joint.law->stick_velocity();
}

std::string ruler_text(const StepReport& report) {
  const std::string name = report.ruler_name ? *report.ruler_name : "";
  switch (report.ruler) {
    case StepReport::Ruler::contact:
      return "contact " + name;
    case StepReport::Ruler::friction:
      return "friction of " + name;
    case StepReport::Ruler::motion:
      return name.empty() ? "" : "motion of " + name;
    case StepReport::Ruler::target:
      return "output";
    case StepReport::Ruler::user:
      break;
  }
  return "max-step";
}

}  // namespace freeplay
