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

  /// Of each contact, in the order of the elements.
  const std::vector<ContactMemory>& memory() const { return memory_; }
  void set_memory(const std::vector<ContactMemory>& memory) { memory_ = memory; }

 private:
  /// One contact in one step.
  struct Step {
    const std::string& joint;
    const ContactStatus& status;
    double time, dt;  ///< its end and length [s]
  };
  void watch_touch(const Step& step, ContactMemory& contact);
  void watch_impact(const Step& step, ContactMemory& contact);
  void watch_slip(const Step& step, ContactMemory& contact);
  void tell_impact(double time, const std::string& joint, const ContactMemory& contact);

  const Model& model_;
  Observer& observer_;
  std::vector<std::size_t> elements_;
  std::vector<ContactMemory> memory_;
  std::vector<Event> events_;  ///< of this step
};

}  // namespace freeplay
