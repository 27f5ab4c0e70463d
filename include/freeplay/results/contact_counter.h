#pragma once

#include "freeplay/mechanics/friction_rows.h"
#include "freeplay/results/progress.h"
#include "freeplay/scheme/time_stepper.h"

namespace freeplay {

/// Counts what contacts and joints with friction do after a step.
class ContactCounter {
 public:
  explicit ContactCounter(const Model& model);

  /// Nothing if there is nothing to count.
  std::optional<ContactCounts> count(const TimeStepper& stepper);

 private:
  bool sticks(int friction, const State& state);

  std::vector<std::size_t> contacts_;  ///< elements
  FrictionRows frictions_;
  Motion now_;
};

/// `contact T`, `friction of T`, `motion of crank`: what made a step as long as it is.
std::string ruler_text(const StepReport& report);

}  // namespace freeplay
