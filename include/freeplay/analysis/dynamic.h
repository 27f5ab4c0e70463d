#pragma once

#include <optional>

#include "freeplay/analysis/contact_monitor.h"
#include "freeplay/analysis/friction_monitor.h"
#include "freeplay/analysis/observer.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/deck/spec.h"
#include "freeplay/scheme/step_control.h"

namespace freeplay {

enum class RunEnd { finished, interrupted };

/// Integrates the equations of motion to the end of the analysis. `statistics` and the observer's files are valid also
/// when it throws NumericalFailure.
class DynamicAnalysis {
 public:
  DynamicAnalysis(Assembled& assembled, const AnalysisSpec& analysis, const OutputSpec& output, SolverFactory& solvers,
                  Observer& observer);

  /// Goes on from here instead of from the start.
  void resume(const Continuation& continuation);

  /// Runs can be continued from every so-and-so-many-th step. A multiple of what a new stepper costs, and few enough
  /// that whoever ends a run loses little; it follows from the model alone, since all runs of it must do the same.
  static long default_steps_between_fresh_starts(const Model& model);
  void set_steps_between_fresh_starts(long n) { steps_between_fresh_starts_ = n; }

  RunEnd run();

  const RunStatistics& statistics() const { return statistics_; }
  const TimeStepper& stepper() const { return *stepper_; }

 private:
  RunEnd integrate();
  void make_stepper();
  void start_afresh();
  /// False if the user wants to stop before one is found.
  bool take_step(double target);
  /// Fills in what made a step of length `dt` as long as it is, and counts it.
  void note_ruler(double dt, const TimeStepper::ContactLimit& contact_limit, StepReport& report);
  /// NumericalFailure if the ledger is open by more than this part of the largest energy.
  void check_balance(double wrong) const;
  [[noreturn]] void give_up(const StepReport& report, double dt);
  bool renew_redundancy();
  double next_target() const;
  void write_outputs();
  Continuation continuation() const;

  Assembled& assembled_;
  const AnalysisSpec& analysis_;
  SolverFactory& solvers_;
  Observer& observer_;
  std::unique_ptr<TimeStepper> stepper_;
  std::vector<double> corners_;
  double output_interval_;
  StepControl control_;
  std::optional<double> frame_interval_;
  ContactMonitor monitor_;
  FrictionMonitor friction_monitor_;
  long steps_between_fresh_starts_;
  double next_output_ = 0.0, next_frame_ = 0.0;
  double last_output_ = -1.0;  ///< time of the last row; negative: none
  bool started_ = false;
  bool ruled_by_friction_ = false;            ///< the error of the last step
  const std::string* least_exact_ = nullptr;  ///< whose error that is
  RunStatistics statistics_;
  std::vector<Vec6> twist_rate_;
  std::vector<double> multipliers_;
};

}  // namespace freeplay
