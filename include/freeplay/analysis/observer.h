#pragma once

#include <string>
#include <vector>

#include "freeplay/analysis/event.h"
#include "freeplay/mechanics/model.h"
#include "freeplay/mechanics/snapshot.h"
#include "freeplay/scheme/time_stepper.h"

namespace freeplay {

/// Counters and timings of a run, for summary.json and the closing table.
struct RunStatistics {
  long steps = 0;
  long newton_iterations = 0;
  long factorisations = 0;
  long rejected_not_converged = 0;
  long rejected_error = 0;
  long rejected_rotation = 0;
  long rejected_contact = 0;  ///< a contact began too deep, or its gap or slip changed too fast
  /// What made accepted steps as long as they were: the error of the motion or of friction states, an approaching
  /// contact, a time at which something is written or changes, `max-step` (or the step that the user gave).
  long ruled_by_motion = 0, ruled_by_friction = 0, ruled_by_contact = 0, ruled_by_target = 0, ruled_by_user = 0;
  double smallest_step = 0.0, largest_step = 0.0;
  double step_seconds = 0.0, output_seconds = 0.0;
  double solver_bytes = 0.0;  ///< memory of matrix and factors, on the process that has most

  long rejected() const { return rejected_not_converged + rejected_error + rejected_rotation + rejected_contact; }
};

/// What the events of a contact follow from besides its state: kept by the ContactMonitor.
struct ContactMemory {
  enum class Slip { unknown, sticks, slips };
  bool touches = false;
  bool impact = false;               ///< the force has not yet fallen from its first peak
  double impulse = 0.0, peak = 0.0;  ///< of this impact so far [N s], [N]
  Slip slip = Slip::unknown;
  /// Of the last step: its middle, mean slip velocity and friction force there [s], [m/s], [N].
  double middle = 0.0, slip_velocity = 0.0, friction_force = 0.0;
};

/// Everything needed to go on later exactly as if the run had not been interrupted.
struct Continuation {
  State state;
  Ledger ledger;
  TimeStepper::Memory memory;
  std::vector<bool> dropped;
  double control_step = 0.0, control_last = 0.0;
  RunStatistics statistics;
  double next_output = 0.0, next_frame = 0.0;
  double last_output = -1.0;       ///< time of the last row; negative: none
  bool ruled_by_friction = false;  ///< the error of the last step
  std::vector<ContactMemory> contacts;
  std::vector<int> frictions;  ///< what the FrictionMonitor knows of each friction joint
};

/// What an analysis tells the world while it runs. Implemented by output/.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A row of the history is due.
  virtual void record(const Snapshot& snapshot) = 0;
  /// A picture is due.
  virtual void picture(const Snapshot& snapshot) = 0;
  /// After every accepted step.
  virtual void progress(const TimeStepper& stepper, const StepReport& report, double dt) = 0;
  virtual void message(const std::string& text) = 0;
  virtual void event(const Event& event) = 0;
  /// The user wants to stop.
  virtual bool interrupted() const = 0;
  /// From here the run can be continued exactly. It is kept until the next call; when it is time, it is saved.
  virtual void keep(const Continuation& continuation) = 0;
  /// The run ends: what was kept last is what it can be continued from.
  virtual void save() = 0;
};

}  // namespace freeplay
