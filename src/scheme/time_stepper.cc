#include "freeplay/scheme/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "freeplay/laws/friction/friction_law.h"
#include "freeplay/scheme/energy.h"

namespace freeplay {

TimeStepper::TimeStepper(const Model& model, State initial, const StepperOptions& options, SolverFactory& solvers)
    : model_(model),
      equations_(model, options.alpha, solvers.team()),
      solver_(solvers.nonlinear(equations_, options.newton_tolerance, options.newton_iterations)),
      instant_(model, solvers),
      stick_(model, options.stiction),
      state_(std::move(initial)),
      guess_errors_(equations_.weights()),
      tolerance_(options.tolerance),
      estimate_(model, equations_.size(), options.slow),
      is_driven_(model.bodies.size(), false),
      slips_(model) {
  state_.multiplier.resize(model.n_multipliers, 0.0);
  memory_.twist_rate.assign(model.nodes.size(), Vec6::Zero());
  memory_.multipliers.assign(model.n_multipliers, 0.0);
  memory_.projection.assign(model.n_multipliers, 0.0);
  memory_.unbalanced.assign(model.nodes.size(), Vec6::Zero());
  if (stick_.is_used()) stick_.start(state_);
  settle();
  estimate_.start(state_, memory_.twist_rate);
  memory_.previous_twist_rate = memory_.twist_rate;
  memory_.multipliers = state_.multiplier;
  trial_ = at_end_ = state_;
  rate_at_end_.resize(model.nodes.size());
  guess_twist_.resize(model.nodes.size());
  guess_multipliers_.resize(model.n_multipliers);
  guess_.resize(equations_.size());
  unknowns_.resize(equations_.size());
  residual_.resize(equations_.size());

  ledger_.kinetic = kinetic_energy(model, state_);
  ledger_.gravity = ledger_.initial_gravity = gravity_energy(model, state_);
  ledger_.elastic = elastic_energy(model, state_, now_);
  const ContactEnergy in_contacts = contact_energy(model, state_, now_);
  ledger_.contact = in_contacts.elastic;
  ledger_.friction_state = in_contacts.friction + friction_energy(model, state_);
  ledger_.initial = ledger_.total();
  ledger_.largest_energy = std::max({ledger_.kinetic, ledger_.elastic, ledger_.contact});
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    if (model.elements[e]->is_contact()) contacts_.push_back(e);
  for (const Joint& joint : model.joints)
    if (std::ranges::any_of(joint.equations, &Equation::is_driven))
      for (const int node : joint.nodes()) is_driven_[model.nodes[node].body] = true;
  for (const std::size_t e : contacts_) has_bristles_ = has_bristles_ || model.elements[e]->has_state_error();
  for (const JointFriction& friction : model.frictions) {
    if (!friction.law) continue;
    friction_may_fail_ = friction_may_fail_ || !friction.law->is_proportional();
    has_bristles_ = has_bristles_ || friction.law->has_state();
  }
}

void TimeStepper::restore(const State& state, const Ledger& ledger) {
  state_ = trial_ = state;
  ledger_ = ledger;
  if (stick_.is_used()) stick_.update(state_);
  use_shares();
}

/// A good guess for the next step. Where there is none nothing changes, and that step tells what cannot be solved.
void TimeStepper::settle() {
  use_shares();
  if (stick_.is_used())
    stick_.settle(state_, instant_, memory_.twist_rate);
  else
    instant_.accelerate(state_, memory_.twist_rate, state_.multiplier);
  use_shares();
}

void TimeStepper::use_shares() {
  equations_.set_shares(stick_.shares());
  instant_.set_shares(stick_.shares());
}

/// Accelerations and multipliers are continued linearly from the middles of the last two steps.
void TimeStepper::predict(double dt) {
  const double distance = memory_.previous_dt > 0.0 ? 0.5 * (memory_.dt + memory_.previous_dt) : 0.0;
  const double ahead = distance > 0.0 ? 0.5 * (dt + memory_.dt) / distance : 0.0;
  for (std::size_t n = 0; n < guess_twist_.size(); ++n)
    guess_twist_[n] =
        state_.twist[n] +
        0.5 * dt * (memory_.twist_rate[n] + ahead * (memory_.twist_rate[n] - memory_.previous_twist_rate[n]));
  for (std::size_t k = 0; k < guess_multipliers_.size(); ++k)
    guess_multipliers_[k] = state_.multiplier[k] + ahead * (state_.multiplier[k] - memory_.multipliers[k]);
}

StepReport TimeStepper::step(double dt, const Accurate& accurate) {
  StepReport report = solve(dt, accurate);
  if (!report.accepted()) return report;
  if (stick_.is_used()) {
    StickControl::Event event = worst_event();
    if (event.happens() && stick_.share_anew(at_end_)) {
      use_shares();
      report = solve(dt, accurate);
      if (!report.accepted()) return report;
      event = worst_event();
    }
    if (event.happens()) return step_to_event(dt, event, report, accurate);
  }
  accept(dt);
  return report;
}

/// Locks are judged by what they hold at the end of the step: its mean learns of a load that grows half a step late,
/// and a mechanism at rest makes long steps.
StickControl::Event TimeStepper::worst_event() {
  at_end_ = trial_;
  if (stick_.has_locks(trial_)) instant_.accelerate(trial_, rate_at_end_, at_end_.multiplier);
  return stick_.worst(equations_.motion(), state_, at_end_);
}

/// The joint begins or ends to slip within this step: goes up to that moment, then switches its mode. If the moment is
/// now, only the mode is switched.
StepReport TimeStepper::step_to_event(double dt, StickControl::Event event, StepReport report,
                                      const Accurate& accurate) {
  constexpr double precision = 1e-3;  // of the step
  double before = 0.0, after = dt;
  double excess_before = stick_.excess_at_start(event, state_);
  for (int k = 0; after - before > precision * dt; ++k) {
    const double guess = excess_before / (excess_before - event.excess);
    const double part = excess_before < 0.0 && k % 3 < 2 ? std::clamp(guess, 0.01, 0.99) : 0.5;
    const double middle = std::lerp(before, after, part);
    StepReport attempt = solve(middle, accurate);
    attempt.newton_iterations += report.newton_iterations;
    attempt.factorisations += report.factorisations;
    report = attempt;
    if (!report.accepted()) return report;
    const StickControl::Event here = worst_event();
    if (here.happens()) {
      event = here;
      after = middle;
    } else {
      excess_before = std::min(here.excess, 0.0);
      before = middle;
    }
  }
  // A lock holds up to where it gives way: a load that jumps there does not act before. Slip ends before it turns
  // round.
  const bool gives_way = numbers_of(model_.frictions[event.friction], state_).mode() == FrictionMode::sticks;
  const double until = gives_way ? after : before;
  if (state_.time + until > state_.time) {
    const StepReport last = solve(until, accurate);
    report.newton_iterations += last.newton_iterations;
    if (!last.accepted()) return last;
    report.dt = until;
    accept(until);
  } else {
    report.outcome = StepReport::Outcome::friction_switched;
    report.place = "joint '" + model_.joints[model_.frictions[event.friction].joint].name + "'";
    report.reason = "its friction finds no state: neither sticking nor slipping fits";
  }
  switch_mode(event);
  return report;
}

void TimeStepper::switch_mode(const StickControl::Event& event) {
  ++n_switches_;
  const bool stops = numbers_of(model_.frictions[event.friction], state_).mode() == FrictionMode::slips;
  stick_.switch_mode(event, state_);
  use_shares();
  trial_ = state_;
  InstantSystem::Projection projection = instant_.project(state_);
  // Coming to rest costs next to nothing. Where the mechanism passes a dead point, slip only turns round, and a lock
  // would stop everything.
  constexpr double next_to_nothing = 1e-6;
  if (!projection.ok || projection.loss > next_to_nothing * ledger_.largest_energy) {
    state_ = trial_;
    stick_.turn_round(event, state_);
    use_shares();
    projection = {};
  }
  ledger_.projection_loss += projection.loss;
  ledger_.drive_work += projection.drive_work;
  ledger_.kinetic = kinetic_energy(model_, state_);
  if (stops) stick_.stop_with(trial_, state_);
  solver_->forget_factorisation();
  // What comes after does not continue what was before.
  settle();
  estimate_.start(state_, memory_.twist_rate);
  memory_.previous_twist_rate = memory_.twist_rate;
  memory_.multipliers = state_.multiplier;
  std::fill(memory_.projection.begin(), memory_.projection.end(), 0.0);
  for (Vec6& momenta : memory_.unbalanced) momenta.setZero();
  memory_.dt = memory_.previous_dt = 0.0;
  guess_errors_.forget();
}

TimeStepper::Memory TimeStepper::memory() const {
  Memory memory = memory_;
  memory.guess_errors = guess_errors_.numbers();
  memory.estimate = estimate_.memory();
  memory.shares = stick_.shares();
  equations_.complete(memory.unbalanced);
  return memory;
}

void TimeStepper::set_memory(const Memory& memory) {
  memory_ = memory;
  guess_errors_.set_numbers(memory.guess_errors);
  memory_.guess_errors.clear();
  estimate_.set_memory(memory.estimate);
  if (!memory.shares) return;
  stick_.set_shares(*memory.shares);
  use_shares();
}

StepReport TimeStepper::solve(double dt, const Accurate& accurate) {
  StepReport report;
  report.dt = dt;
  equations_.begin(state_, dt);
  equations_.set_projection_reactions(memory_.projection);
  equations_.balance_too(memory_.unbalanced);
  predict(dt);
  equations_.guess(guess_twist_, guess_multipliers_, guess_);
  std::copy(guess_.begin(), guess_.end(), unknowns_.begin());
  guess_errors_.correct(dt, unknowns_);
  NonlinearReport solved = solver_->solve(equations_, unknowns_);
  if (!solved.converged) {
    // An old factorisation may have led it astray: once more from the start of the step with a new one.
    solver_->forget_factorisation();
    equations_.guess(state_.twist, state_.multiplier, unknowns_);
    const int spent = solved.iterations;
    solved = solver_->solve(equations_, unknowns_);
    solved.iterations += spent;
  }
  guess_was_solution_ = solved.iterations == 0;
  report.newton_iterations = solved.iterations;
  report.factorisations = solved.factorisations;
  report.relative_residual = solved.relative_residual;
  if (!solved.converged) {
    equations_.residual(unknowns_, residual_);
    report.outcome = StepReport::Outcome::not_converged;
    report.place = equations_.worst_place(residual_);
    report.reason = solved.reason;
    return report;
  }
  // The Cayley map is singular at half a turn per step; far before that a step is not accurate.
  if (equations_.largest_rotation() >= 1.0) {
    const auto rotation = [&](int n) { return equations_.mean_twist(n).tail<3>().norm(); };
    int fastest = 0;
    for (int n = 1; n < static_cast<int>(model_.nodes.size()); ++n)
      if (rotation(n) > rotation(fastest)) fastest = n;
    report.outcome = StepReport::Outcome::too_much_rotation;
    report.place = "body '" + model_.nodes[fastest].name + "'";
    report.reason = "the body turns by more than about 50 degrees in one step";
    return report;
  }
  for (const std::size_t e : contacts_) {
    if (!model_.elements[e]->overshoots(equations_.motion(), internal_of(model_, state_, e))) continue;
    report.outcome = StepReport::Outcome::contact_overshot;
    report.place = "joint '" + model_.elements[e]->name() + "'";
    report.reason = "the contact begins too deep, or its gap or slip changes too fast";
    return report;
  }
  work_ = equations_.finish(unknowns_, trial_);
  // What is far below the tolerance lets the step grow as fast as it may.
  constexpr double far_below = 0.3;
  ErrorEstimate::Error error = estimate_.of(equations_.nodes(), dt);
  if (error.value > far_below * tolerance_) {
    mark_bodies();
    error = estimate_.filtered(equations_.nodes(), *solver_, is_marked_);
  }
  const FrictionError of_friction = friction_error(dt);
  report.error = std::max(error.value, of_friction.value);
  report.error_of_friction = of_friction.value > error.value;
  report.least_exact = report.error_of_friction ? of_friction.joint : &model_.bodies[error.body];
  if (accurate && !accurate(report)) {
    report.outcome = StepReport::Outcome::too_inaccurate;
    report.place = report.error_of_friction ? "the friction of joint '" + *of_friction.joint + "'"
                                            : "body '" + model_.bodies[error.body] + "'";
    report.reason = "the local error stays above the tolerance";
    return report;
  }
  // A correction much larger than the motion itself is none: near a dead point the constraints ask for any speed. (A
  // drive whose speed jumps changes the motion by its own size.) At rest there is only round-off of positions per step.
  const double round_off = 0.5 * model_.mass_scale * std::pow(1e-11 * model_.length_scale / dt, 2);
  projection_ = instant_.project(trial_);
  const auto is_large = [&](double energy) { return projection_.correction > 10.0 * energy; };
  const auto before = [&] { return kinetic_energy(model_, trial_) + projection_.loss - projection_.drive_work; };
  if (!projection_.ok || (is_large(std::max(ledger_.largest_energy, round_off)) && is_large(before()))) {
    report.outcome = StepReport::Outcome::projection_failed;
    report.place = "joint '" + model_.joints[projection_.worst_joint].name + "'";
    report.reason = "the joints do not allow consistent velocities in this position";
    return report;
  }
  if (friction_may_fail_) {
    const InstantSystem::Feedback feedback = instant_.friction_feedback(trial_);
    if (feedback.gain >= 1.0) {
      report.outcome = StepReport::Outcome::friction_unsolvable;
      report.unsolvable_friction = feedback.friction;
      report.place = "joint '" + model_.joints[model_.frictions[feedback.friction].joint].name + "'";
      report.reason = "no reaction balances the friction that it causes";
      return report;
    }
  }
  if (dropped_violation() > 1e-9) {
    report.outcome = StepReport::Outcome::dropped_equation_violated;
    report.reason = "an equation that was redundant before is not redundant any more";
    return report;
  }
  return report;
}

void TimeStepper::accept(double dt) {
  n_switches_ = 0;
  // A guess that nothing was found wrong with would confirm itself.
  if (guess_was_solution_)
    guess_errors_.forget();
  else
    guess_errors_.learn(dt, guess_, unknowns_);
  estimate_.accept();
  ledger_ = close_ledger(projection_, work_);
  std::swap(memory_.previous_twist_rate, memory_.twist_rate);
  for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
    memory_.twist_rate[n] = (trial_.twist[n] - state_.twist[n]) / dt;
    memory_.unbalanced[n] = equations_.unbalanced(static_cast<int>(n));
  }
  std::copy(state_.multiplier.begin(), state_.multiplier.end(), memory_.multipliers.begin());
  for (std::size_t k = 0; k < memory_.projection.size(); ++k) memory_.projection[k] = instant_.impulses()[k] / dt;
  memory_.previous_dt = memory_.dt;
  memory_.dt = dt;
  std::swap(state_, trial_);
  if (stick_.release_moving(state_)) use_shares();
}

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

TimeStepper::ContactLimit TimeStepper::contact_limit() {
  ContactLimit limit;
  for (const std::size_t e : contacts_) {
    set_instant_of(model_.elements[e]->nodes(), state_, now_);
    const double step = model_.elements[e]->step_limit(now_, internal_of(model_, state_, e));
    if (step < limit.step) limit = {step, &model_.elements[e]->name()};
  }
  return limit;
}

void TimeStepper::forget_peaks() {
  for (const std::size_t e : contacts_) model_.elements[e]->forget_peaks(internal_of(model_, state_, e));
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
