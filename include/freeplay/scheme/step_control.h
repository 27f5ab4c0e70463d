#pragma once

#include <limits>

namespace freeplay {

struct StepControlOptions {
  bool fixed = true;
  double step = 0.0;        ///< fixed: the step; controlled: the first step [s]
  double tolerance = 1e-4;  ///< controlled: error of the displacement per distance travelled
  double max_step = 0.0;
  double min_step = 0.0;
};

/// Chooses step sizes. A step never goes past a target (an output time, a corner of a load), and the steps towards a
/// target are of equal size, so that a factorisation serves for all of them.
class StepControl {
 public:
  explicit StepControl(const StepControlOptions& options) : options_(options), step_(options.step) {}

  /// The size of the next step on the way from `time` to `target`, not longer than `limit`.
  double next(double time, double target, double limit = std::numeric_limits<double>::infinity());

  /// Whether a solved step with this relative error (1 = as wanted) is good enough.
  bool accept(double relative_error) const { return options_.fixed || relative_error <= far_above; }
  void accepted(double dt, double relative_error);

  /// Shrinks the step after a failure. Returns false if it is at its lower limit already.
  bool shrink(double dt, double factor);
  /// After a solved step whose error was too large.
  bool reject(double dt, double relative_error);

  double tolerance() const { return options_.tolerance; }
  double step() const { return step_; }
  double last() const { return last_; }
  /// For continuing from a checkpoint.
  void set_step(double step, double last) {
    step_ = step;
    last_ = last;
  }
  /// The longest step that the user allows.
  double max_step() const { return options_.fixed ? options_.step : options_.max_step; }

 private:
  static constexpr double far_above = 2.0;
  StepControlOptions options_;
  double step_;
  double last_ = 0.0;  ///< the last step that was chosen
};

}  // namespace freeplay
