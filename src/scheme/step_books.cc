#include <algorithm>
#include <cmath>

#include "freeplay/laws/friction/friction_law.h"
#include "freeplay/scheme/energy.h"
#include "freeplay/scheme/time_stepper.h"

// What a step was worth: its errors, and its lines in the ledger.

namespace freeplay {

void TimeStepper::mark_bodies() {
  is_marked_ = is_driven_;
  for (const std::size_t e : contacts_) {
    const ContactStatus status =
        model_.elements[e]->contact_status(equations_.motion(), internal_of(model_, state_, e));
    if (status.start_gap >= 0.0 && status.gap >= 0.0) continue;
    for (const int node : model_.elements[e]->nodes())
      if (node != ground) is_marked_[model_.nodes[node].body] = true;
  }
}

TimeStepper::FrictionError TimeStepper::friction_error(double dt) {
  FrictionError worst;
  if (!has_bristles_) return worst;
  const auto add = [&](double error, const std::string& joint) {
    if (error > worst.value) worst = {error, &joint};
  };
  for (const std::size_t e : contacts_) {
    const ForceElement& element = *model_.elements[e];
    set_instant_of(element.nodes(), state_, now_);
    set_instant_of(element.nodes(), trial_, then_);
    add(element.state_error(now_, internal_of(model_, state_, e), then_, internal_of(model_, trial_, e), dt),
        element.name());
  }
  for (int k = 0; k < slips_.size(); ++k) {
    const JointFriction& friction = model_.frictions[k];
    if (!friction.law || !friction.law->has_state()) continue;
    const auto bristles_at = [&](const State& state) {
      const std::array<int, 2> nodes{slips_.joint(k).a.node, slips_.joint(k).b.node};
      set_instant_of(nodes, state, now_);
      slips_.begin(k, now_);
      return Bristles{slips_.slip_displacement(k, now_), numbers_of(friction, state).bristles()};
    };
    const double normal_force = numbers_of(friction, trial_).normal_force();
    add(friction.law->state_error(bristles_at(state_), bristles_at(trial_), normal_force, dt), slips_.joint(k).name);
  }
  return worst;
}

double TimeStepper::dropped_violation() const {
  double largest = 0.0;
  const Motion& motion = equations_.motion();
  for (const Joint& joint : model_.joints) {
    for (std::size_t k = 0; k < joint.equations.size(); ++k) {
      if (!model_.dropped[joint.first_equation + k]) continue;
      const Equation& equation = joint.equations[k];
      const double c = equation.value(motion_of(joint, motion), motion.end_time(), 1.0, state_.internal);
      largest = std::max(largest, std::abs(c) / (equation.is_length() ? model_.length_scale : 1.0));
    }
  }
  return largest;
}

Ledger TimeStepper::close_ledger(const InstantSystem::Projection& projection, const StepWork& work) {
  Ledger ledger = ledger_;
  const Motion& motion = equations_.motion();
  ledger.load_work += work.load_work;
  ledger.damping_loss += work.damping_loss;
  ledger.numerical_loss += work.numerical_loss + 0.5 * motion.alpha * equations_.jump_square();
  ledger.contact_loss += work.contact_loss;
  ledger.friction_loss += work.friction_loss;
  ledger.drive_work += equations_.drive_work(trial_) + projection.drive_work;
  ledger.projection_loss += projection.loss;
  ledger.kinetic = kinetic_energy(model_, trial_);
  ledger.gravity = gravity_energy(model_, trial_);
  ledger.elastic = elastic_energy(model_, trial_, now_);
  ledger.contact = 0.0;
  ledger.friction_state = friction_energy(model_, trial_);
  for (const std::size_t e : contacts_) {
    set_instant_of(model_.elements[e]->nodes(), trial_, now_);
    const ContactEnergy energy = model_.elements[e]->contact_energy(now_, internal_of(model_, trial_, e));
    ledger.contact += energy.elastic;
    ledger.friction_state += energy.friction;
  }
  if (!model_.frictions.empty()) {
    // A mechanism that is stuck has no energy to compare with: what its forces do over 1e-4 of its size, as in a
    // structure.
    double force = 0.0;
    for (const double multiplier : trial_.multiplier) force = std::max(force, std::abs(multiplier));
    ledger.largest_energy = std::max(ledger.largest_energy, 1e-4 * model_.length_scale * force);
  }
  ledger.residual = ledger.total() - ledger.expected();
  ledger.largest_residual = std::max(ledger.largest_residual, std::abs(ledger.residual - ledger_.residual));
  ledger.largest_energy = std::max({ledger.largest_energy, ledger.kinetic, ledger.elastic, ledger.contact,
                                    std::abs(ledger.gravity - ledger.initial_gravity)});
  return ledger;
}

}  // namespace freeplay
