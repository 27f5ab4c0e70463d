#pragma once

#include <vector>

#include "freeplay/analysis/observer.h"

namespace freeplay {

/// Watches the contacts step by step and tells what happens in them: touch, impact, loss, stick, slip.
class ContactMonitor {
 public:
  ContactMonitor(const Model& model, Observer& observer);

  /// After an accepted step.
  void watch(const TimeStepper& stepper, double dt);

 private:
  enum class Slip { unknown, sticks, slips };
  struct Contact {
    std::size_t element = 0;
    bool touches = false;
    bool impact = false;  ///< the force has not yet passed its first peak
    double impulse = 0.0, peak = 0.0;
    Slip slip = Slip::unknown;
  };

  void watch_touch(Contact& contact, const ContactStatus& status, double time, double dt);
  void watch_impact(Contact& contact, const ContactStatus& status, double time, double dt);
  void watch_slip(Contact& contact, const ContactStatus& status, double time);

  const Model& model_;
  Observer& observer_;
  std::vector<Contact> contacts_;
};

}  // namespace freeplay
