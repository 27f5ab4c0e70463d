#include "freeplay/analysis/dynamic.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/formatted.h"
#include "freeplay/base/time_resolution.h"

namespace freeplay {

namespace {

/// Multiples of an interval without accumulated round-off.
double multiple_after(double time, double interval) { return (std::floor(time / interval + 1e-6) + 1.0) * interval; }

/// Sums of steps miss a target by round-off; and what is closer than time can resolve is no way to go.
bool reached(double time, double target, double end) {
  return time >= target - std::max(1e-12 * std::abs(target), time_resolution(end));
}

StepControlOptions control_options(const AnalysisSpec& analysis, const Assembled& assembled, double output_interval) {
  StepControlOptions options;
  options.fixed = analysis.step.has_value();
  options.tolerance = analysis.tolerance;
  options.max_step = analysis.max_step.value_or(analysis.end / 10.0);
  double first = std::min({analysis.end / 1000.0, output_interval, options.max_step});
  for (const Vec6& twist : assembled.state.twist) {
    const double spin = twist.tail<3>().norm();
    if (spin > 0.0) first = std::min(first, 0.02 / spin);
  }
  first = std::max(first, time_resolution(analysis.end));
  options.step = analysis.step.value_or(analysis.initial_step.value_or(first));
  const double smallest = 1e-6 * std::min(options.step, analysis.end / 1000.0);
  options.min_step = analysis.min_step.value_or(std::max(smallest, time_resolution(analysis.end)));
  return options;
}

class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

DynamicAnalysis::DynamicAnalysis(Assembled& assembled, const AnalysisSpec& analysis, const OutputSpec& output,
                                 SolverFactory& solvers, Observer& observer)
    : assembled_(assembled),
      analysis_(analysis),
      solvers_(solvers),
      observer_(observer),
      output_interval_(output.every.value_or(analysis.end / 500.0)),
      control_(control_options(analysis, assembled, output_interval_)),
      frame_interval_(output.paraview_every),
      monitor_(assembled.model, observer),
      friction_monitor_(assembled.model, observer),
      steps_between_fresh_starts_(default_steps_between_fresh_starts(assembled.model)) {
  for (const auto& element : assembled.model.elements)
    for (const double corner : element->corners()) corners_.push_back(corner);
  for (const Joint& joint : assembled.model.joints)
    for (const Equation& equation : joint.equations)
      if (equation.is_driven())
        corners_.insert(corners_.end(), equation.drive_function().corners().begin(),
                        equation.drive_function().corners().end());
  std::sort(corners_.begin(), corners_.end());
  make_stepper();
  twist_rate_.resize(assembled.model.nodes.size());
  multipliers_.resize(assembled.model.n_multipliers);
}

long DynamicAnalysis::default_steps_between_fresh_starts(const Model& model) {
  // A step takes some 4 us per node, and a new stepper about as much as a few of them.
  constexpr long fewest = 100, most = 1000;
  return std::clamp(200000L / std::max<long>(1, static_cast<long>(model.nodes.size())), fewest, most);
}

void DynamicAnalysis::make_stepper() {
  stepper_.reset();  // its memory first: two of them may be too much
  StepperOptions options;
  options.alpha = analysis_.alpha;
  options.newton_tolerance = analysis_.newton_tolerance;
  options.newton_iterations = analysis_.newton_iterations;
  // Whoever moves by a hundred-thousandth of the size of the model in all is at rest.
  if (!analysis_.step) options.tolerance = analysis_.tolerance;
  options.slow = 1e-5 * assembled_.model.length_scale / analysis_.end;
  options.stiction = analysis_.stiction;
  stepper_ = std::make_unique<TimeStepper>(assembled_.model, assembled_.state, options, solvers_);
}

void DynamicAnalysis::resume(const Continuation& continuation) {
  assembled_.model.dropped = continuation.dropped;
  make_stepper();
  stepper_->restore(continuation.state, continuation.ledger);
  stepper_->set_memory(continuation.memory);
  control_.set_step(continuation.control_step, continuation.control_last);
  statistics_ = continuation.statistics;
  next_output_ = continuation.next_output;
  next_frame_ = continuation.next_frame;
  last_output_ = continuation.last_output;
  ruled_by_friction_ = continuation.ruled_by_friction;
  monitor_.set_memory(continuation.contacts);
  friction_monitor_.set_memory(continuation.frictions);
  started_ = true;
}

/// A stepper knows more than a checkpoint has: old Jacobians and their factors, round-off that it has met. All runs
/// drop that here, so that one that is continued from here does the same arithmetic as one that was never interrupted.
void DynamicAnalysis::start_afresh() {
  const Continuation here = continuation();
  observer_.keep(here);
  resume(here);
}

Continuation DynamicAnalysis::continuation() const {
  return {stepper_->state(),
          stepper_->ledger(),
          stepper_->memory(),
          assembled_.model.dropped,
          control_.step(),
          control_.last(),
          statistics_,
          next_output_,
          next_frame_,
          last_output_,
          ruled_by_friction_,
          monitor_.memory(),
          friction_monitor_.memory()};
}

/// Of all targets that are not reached, so that there is a way to go: intervals may be below the resolution of time.
double DynamicAnalysis::next_target() const {
  const auto is_ahead = [&](double stop) { return !reached(stepper_->state().time, stop, analysis_.end); };
  double target = analysis_.end;
  if (is_ahead(next_output_)) target = std::min(target, next_output_);
  if (frame_interval_ && is_ahead(next_frame_)) target = std::min(target, next_frame_);
  const auto corner = std::find_if(corners_.begin(), corners_.end(), is_ahead);
  return corner == corners_.end() ? target : std::min(target, *corner);
}

/// Writes what is due now: rows at multiples of the interval and at the very end.
void DynamicAnalysis::write_outputs() {
  const double time = stepper_->state().time;
  const auto is_due = [&](double when) { return reached(time, when, analysis_.end); };
  const bool at_end = is_due(analysis_.end);
  const bool row = is_due(next_output_) || at_end;
  const bool frame = frame_interval_ && (is_due(next_frame_) || at_end);
  if (!row && !frame) return;
  const Stopwatch stopwatch(statistics_.output_seconds);
  if (!stepper_->accelerate(twist_rate_, multipliers_)) {
    // A singular position: there is no unique answer; what the last step found is the best there is.
    twist_rate_ = stepper_->mean_twist_rate();
    multipliers_ = stepper_->state().multiplier;
  }
  const Snapshot snapshot{stepper_->state(), twist_rate_, multipliers_, stepper_->ledger()};
  if (row) {
    observer_.record(snapshot);
    stepper_->forget_peaks();
    last_output_ = time;
    next_output_ = multiple_after(time, output_interval_);
  }
  if (frame) {
    observer_.picture(snapshot);
    next_frame_ = multiple_after(time, *frame_interval_);
  }
}

bool DynamicAnalysis::renew_redundancy() {
  const std::vector<int> redundant = find_redundant_equations(assembled_.model, stepper_->rejected_state());
  std::vector<bool> dropped(assembled_.model.n_equations, false);
  for (const int e : redundant) dropped[e] = true;
  if (dropped == assembled_.model.dropped) return false;
  observer_.event(
      {stepper_->state().time, "redundancy", "", static_cast<double>(redundant.size()), "", "equations dropped"});
  observer_.message("t = " + formatted("%.9g", stepper_->state().time) +
                    " s: the set of redundant equations changes; now dropped: " + std::to_string(redundant.size()));
  Continuation here = continuation();
  here.dropped = dropped;
  // Multipliers belong to the old set.
  here.memory.dt = here.memory.previous_dt = 0.0;
  here.memory.guess_errors.clear();
  here.memory.shares.reset();
  resume(here);
  return true;
}

void DynamicAnalysis::note_ruler(double dt, const TimeStepper::ContactLimit& contact_limit, StepReport& report) {
  // Steps towards a target are of equal size, so that most are a little shorter than they might be.
  constexpr double much_shorter = 0.5;
  using Ruler = StepReport::Ruler;
  const auto rules = [&](Ruler ruler, const std::string* name, long& count) {
    report.ruler = ruler;
    report.ruler_name = name;
    ++count;
  };
  if (contact_limit.step < control_.step())
    rules(Ruler::contact, contact_limit.element, statistics_.ruled_by_contact);
  else if (dt < much_shorter * control_.step())
    rules(Ruler::target, nullptr, statistics_.ruled_by_target);
  else if (control_.step() >= control_.max_step())
    rules(Ruler::user, nullptr, statistics_.ruled_by_user);
  else if (ruled_by_friction_)
    rules(Ruler::friction, least_exact_, statistics_.ruled_by_friction);
  else
    rules(Ruler::motion, least_exact_, statistics_.ruled_by_motion);
}

bool DynamicAnalysis::take_step(double target) {
  bool redundancy_renewed = false;
  for (;;) {
    const TimeStepper::ContactLimit contact_limit = stepper_->contact_limit();
    const double dt = control_.next(stepper_->state().time, target, contact_limit.step);
    StepReport report = [&] {
      const Stopwatch stopwatch(statistics_.step_seconds);
      return stepper_->step(
          dt, [&](const StepReport& solved) { return control_.accept(solved.error / control_.tolerance()); });
    }();
    statistics_.newton_iterations += report.newton_iterations;
    statistics_.factorisations += report.factorisations;
    friction_monitor_.watch(*stepper_);
    if (report.accepted()) {
      ++statistics_.steps;
      note_ruler(dt, contact_limit, report);
      ruled_by_friction_ = report.error_of_friction;
      least_exact_ = report.least_exact;
      statistics_.largest_step = std::max(statistics_.largest_step, report.dt);
      statistics_.smallest_step =
          statistics_.smallest_step > 0.0 ? std::min(statistics_.smallest_step, report.dt) : report.dt;
      control_.accepted(dt, report.error / control_.tolerance());
      monitor_.watch(*stepper_, report.dt);
      observer_.progress(*stepper_, report, report.dt);
      return true;
    }
    switch (report.outcome) {
      case StepReport::Outcome::friction_switched:
        // Each joint may stick, slip and turn round once; more is a search without end.
        if (stepper_->n_switches() > 4 * static_cast<int>(assembled_.model.frictions.size())) give_up(report, dt);
        break;
      case StepReport::Outcome::too_inaccurate:
        ++statistics_.rejected_error;
        if (!control_.reject(dt, report.error / control_.tolerance())) give_up(report, dt);
        break;
      case StepReport::Outcome::contact_overshot:
        ++statistics_.rejected_contact;
        if (!control_.shrink(dt, 0.3)) give_up(report, dt);
        break;
      case StepReport::Outcome::dropped_equation_violated:
        if (!redundancy_renewed && renew_redundancy()) {
          redundancy_renewed = true;
          break;
        }
        [[fallthrough]];
      case StepReport::Outcome::too_much_rotation:
        ++statistics_.rejected_rotation;
        if (!control_.shrink(dt, 0.5)) give_up(report, dt);
        break;
      default:
        ++statistics_.rejected_not_converged;
        if (!control_.shrink(dt, 0.25)) give_up(report, dt);
    }
    // The search for a step may be long.
    if (observer_.interrupted()) return false;
  }
}

RunEnd DynamicAnalysis::run() {
  try {
    return integrate();
  } catch (const NumericalFailure&) {
    // The state just before the failure is what the user wants to look at.
    if (stepper_->state().time > last_output_) {
      next_output_ = stepper_->state().time;
      write_outputs();
    }
    observer_.save();
    throw;
  }
}

RunEnd DynamicAnalysis::integrate() {
  friction_monitor_.watch(*stepper_);
  if (!started_) {
    write_outputs();
    start_afresh();
  }
  while (!reached(stepper_->state().time, analysis_.end, analysis_.end)) {
    if (statistics_.steps >= analysis_.max_steps) {
      throw NumericalFailure("t = " + formatted("%.9g", stepper_->state().time) + " s: the limit of " +
                             std::to_string(analysis_.max_steps) +
                             " steps is reached (analysis.dynamic.max-steps); raise it, or use larger steps");
    }
    const double target = next_target();
    const bool moved = take_step(target);
    // From rest, round-off may be a good part of the first little energy.
    if (moved) check_balance(0.5);
    // The sum of many steps misses the target by round-off.
    if (reached(stepper_->state().time, target, analysis_.end)) stepper_->set_time(target);
    write_outputs();
    // A search that was interrupted has left marks in the step control: no point to continue from.
    if (moved && statistics_.steps % steps_between_fresh_starts_ == 0) start_afresh();
    if (observer_.interrupted()) {
      observer_.save();
      return RunEnd::interrupted;
    }
  }
  check_balance(1e-3);
  statistics_.solver_bytes = stepper_->solver_bytes();
  solvers_.team().largest({&statistics_.solver_bytes, 1});
  observer_.keep(continuation());
  observer_.save();
  return RunEnd::finished;
}

}  // namespace freeplay
