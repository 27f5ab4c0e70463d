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

NonlinearReport TimeStepper::solve_equations(double dt) {
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
  return solved;
}

StepReport TimeStepper::solve(double dt, const Accurate& accurate) {
  using Outcome = StepReport::Outcome;
  const NonlinearReport solved = solve_equations(dt);
  StepReport report;
  report.dt = dt;
  report.newton_iterations = solved.iterations;
  report.factorisations = solved.factorisations;
  report.relative_residual = solved.relative_residual;
  if (!solved.converged) {
    equations_.residual(unknowns_, residual_);
    return report.refused(Outcome::not_converged, equations_.worst_place(residual_), solved.reason);
  }
  // The Cayley map is singular at half a turn per step; far before that a step is not accurate.
  if (equations_.largest_rotation() >= 1.0)
    return report.refused(Outcome::too_much_rotation, "body '" + fastest_node() + "'",
                          "the body turns by more than about 50 degrees in one step");
  for (const std::size_t e : contacts_)
    if (model_.elements[e]->overshoots(equations_.motion(), internal_of(model_, state_, e)))
      return report.refused(Outcome::contact_overshot, "joint '" + model_.elements[e]->name() + "'",
                            "the contact begins too deep, or its gap or slip changes too fast");
  work_ = equations_.finish(unknowns_, trial_);
  find_error(dt, report);
  if (accurate && !accurate(report))
    return report.refused(Outcome::too_inaccurate,
                          (report.error_of_friction ? "the friction of joint '" : "body '") + *report.least_exact + "'",
                          "the local error stays above the tolerance");
  projection_ = instant_.project(trial_);
  if (!projection_.ok || is_no_correction(dt))
    return report.refused(Outcome::projection_failed, "joint '" + model_.joints[projection_.worst_joint].name + "'",
                          "the joints do not allow consistent velocities in this position");
  if (friction_may_fail_) {
    const InstantSystem::Feedback feedback = instant_.friction_feedback(trial_);
    report.unsolvable_friction = feedback.gain >= 1.0 ? feedback.friction : -1;
    if (feedback.gain >= 1.0)
      return report.refused(Outcome::friction_unsolvable,
                            "joint '" + model_.joints[model_.frictions[feedback.friction].joint].name + "'",
                            "no reaction balances the friction that it causes");
  }
  if (dropped_violation() > 1e-9)
    return report.refused(Outcome::dropped_equation_violated, "",
                          "an equation that was redundant before is not redundant any more");
  return report;
}

const std::string& TimeStepper::fastest_node() const {
  const auto rotation = [&](int n) { return equations_.mean_twist(n).tail<3>().norm(); };
  int fastest = 0;
  for (int n = 1; n < static_cast<int>(model_.nodes.size()); ++n)
    if (rotation(n) > rotation(fastest)) fastest = n;
  return model_.nodes[fastest].name;
}

/// What is far below the tolerance lets the step grow as fast as it may.
void TimeStepper::find_error(double dt, StepReport& report) {
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
}

/// A correction much larger than the motion itself is none: near a dead point the constraints ask for any speed. (A
/// drive whose speed jumps changes the motion by its own size.) At rest there is only round-off of positions per step.
bool TimeStepper::is_no_correction(double dt) const {
  const double round_off = 0.5 * model_.mass_scale * std::pow(1e-11 * model_.length_scale / dt, 2);
  const auto is_large = [&](double energy) { return projection_.correction > 10.0 * energy; };
  if (!is_large(std::max(ledger_.largest_energy, round_off))) return false;
  return is_large(kinetic_energy(model_, trial_) + projection_.loss - projection_.drive_work);
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

}  // namespace freeplay
