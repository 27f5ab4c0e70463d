#include "freeplay/scheme/step_control.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

double StepControl::next(double time, double target, double limit) {
  const double remaining = target - time;
  double wanted = std::min(step_, std::max(limit, options_.min_step));
  // A limit that changes from step to step must not change the step each time: a factorisation serves for one step
  // size.
  if (wanted < step_ && last_ <= wanted && wanted < 2.0 * last_) wanted = last_;
  // A remainder of round-off size is not a step.
  const double n_steps = std::max(1.0, std::ceil(remaining / wanted * (1.0 - 1e-9) - 1e-9));
  return last_ = remaining / n_steps;
}

void StepControl::accepted(double dt, double relative_error) {
  if (options_.fixed) {
    // Back to the user's step after a difficult place.
    step_ = std::min(options_.step, std::max(step_, 2.0 * dt));
    return;
  }
  // The error of a step falls with dt^2. Small changes are not worth a new factorisation.
  const double wish = 0.9 * std::sqrt(1.0 / std::max(relative_error, 1e-6));
  const double factor = std::clamp(wish, 0.5, 1.5);
  if (factor > 0.9 && factor < 1.2) return;
  // If a target has cut the step short, growth counts from the step that was wanted.
  step_ = std::min(options_.max_step, factor > 1.0 ? std::max(step_, factor * dt) : factor * dt);
}

bool StepControl::shrink(double dt, double factor) {
  if (dt <= options_.min_step * (1.0 + 1e-9)) return false;
  step_ = std::max(options_.min_step, factor * dt);
  return true;
}

bool StepControl::reject(double dt, double relative_error) {
  return shrink(dt, std::clamp(0.9 / std::sqrt(relative_error), 0.1, 0.5));
}

}  // namespace freeplay
