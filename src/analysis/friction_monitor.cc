#include "freeplay/analysis/friction_monitor.h"

#include <cstdio>

#include "freeplay/laws/friction/friction_law.h"

namespace freeplay {

FrictionMonitor::FrictionMonitor(const Model& model, Observer& observer)
    : model_(model), observer_(observer), rows_(model), manner_(model.frictions.size(), Manner::unknown) {}

std::vector<int> FrictionMonitor::memory() const {
  std::vector<int> numbers;
  for (const Manner manner : manner_) numbers.push_back(static_cast<int>(manner));
  return numbers;
}

void FrictionMonitor::set_memory(const std::vector<int>& memory) {
  for (std::size_t k = 0; k < manner_.size(); ++k) manner_[k] = static_cast<Manner>(memory[k]);
}

/// Between half of the velocity of sticking and this velocity nothing changes, or noise would write events.
FrictionMonitor::Manner FrictionMonitor::manner(int k, const State& state, Manner before) {
  const JointFriction& friction = rows_.friction(k);
  if (friction.coulomb) {
    const FrictionMode mode = numbers_of(friction, state).mode();
    return mode == FrictionMode::slips ? Manner::slips : mode == FrictionMode::held ? Manner::held : Manner::sticks;
  }
  const double speed = rows_.slip_displacement(k, now_).norm();
  if (speed < 0.5 * friction.law->stick_velocity()) return Manner::sticks;
  return speed >= friction.law->stick_velocity() ? Manner::slips : before;
}

void FrictionMonitor::watch(const TimeStepper& stepper) {
  if (manner_.empty()) return;
  const State& state = stepper.state();
  set_instant(state, now_);
  rows_.begin(now_);
  for (int k = 0; k < rows_.size(); ++k) {
    const Manner before = manner_[k];
    manner_[k] = manner(k, state, before);
    if (manner_[k] == before || before == Manner::unknown) continue;
    double square = 0.0;
    for (int c = 0; c < rows_.friction(k).n_slips(); ++c)
      square += std::pow(state.multiplier[rows_.friction(k).first_multiplier + c], 2);
    const char* const kind = manner_[k] == Manner::sticks ? "stick" : manner_[k] == Manner::held ? "limit" : "slip";
    observer_.event({state.time, kind, rows_.joint(k).name, std::sqrt(square), "N", ""});
  }
  const std::string undetermined = stepper.stick().undetermined_joints();
  if (!undetermined.empty() && undetermined != undetermined_) {
    char time[32];
    std::snprintf(time, sizeof time, "%.9g", state.time);
    observer_.message(std::string("warning: t = ") + time + " s: the friction forces of the stuck joints " +
                      undetermined +
                      " are not unique, since rigid bodies join them in a closed loop; they follow "
                      "analysis.dynamic.stiction (see `freeplay stiction` for their limits)");
    undetermined_ = undetermined;
  }
}

}  // namespace freeplay
