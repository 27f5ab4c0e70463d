#pragma once

#include <vector>

#include "freeplay/analysis/observer.h"

namespace freeplay {

/// Watches the friction joints and tells when they stick, slip, or are held at the limit of their friction; and, once,
/// which stuck joints have friction forces that are not unique.
class FrictionMonitor {
 public:
  FrictionMonitor(const Model& model, Observer& observer);

  /// After a step, or a switch of mode.
  void watch(const TimeStepper& stepper);

  /// How each joint behaves, as numbers for checkpoints.
  std::vector<int> memory() const;
  void set_memory(const std::vector<int>& memory);

 private:
  enum class Manner { unknown, sticks, held, slips };
  Manner manner(int k, const State& state, Manner before);

  const Model& model_;
  Observer& observer_;
  FrictionRows rows_;
  Motion now_;
  std::vector<Manner> manner_;
  std::string undetermined_;
};

}  // namespace freeplay
