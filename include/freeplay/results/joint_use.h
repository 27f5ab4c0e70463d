#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "freeplay/assembly/reported_joints.h"
#include "freeplay/scheme/time_stepper.h"

namespace freeplay {

/// What joints with contacts or friction went through, summed over the steps of a run: how long they touched and stuck,
/// what friction and contact laws took in them, and the largest force of a contact.
class JointUse {
 public:
  explicit JointUse(const Model& model);

  /// After an accepted step of length dt.
  void step(const TimeStepper& stepper, double dt);

  /// For summary.json: by the names of the joints. Null: there was no step.
  nlohmann::json json() const;

  /// All that is summed, for continuing later.
  std::vector<double> numbers() const;
  void set_numbers(std::span<const double> numbers);

 private:
  struct Sums {
    double touch_time = 0.0, stick_time = 0.0;  ///< [s]
    double friction_loss = 0.0, contact_loss = 0.0;
    double peak = 0.0, peak_time = 0.0;  ///< largest force of one contact [N], and when
  };
  struct Joint {
    std::string name;
    std::vector<std::size_t> contacts;  ///< numbers among the contacts
    std::vector<int> frictions;         ///< of the model
    bool has_friction = false;
    Sums sums;
  };
  void add_contacts(const TimeStepper& stepper, double dt, Joint& joint) const;
  void add_frictions(const TimeStepper& stepper, double dt, Joint& joint);
  void note_sticking(const State& state);

  const Model& model_;
  std::vector<std::size_t> contacts_;  ///< elements
  std::vector<Joint> joints_;
  FrictionRows rows_;
  Motion now_;
  std::vector<char> sticks_;  ///< per friction of the model, at the end of the last step
  bool is_started_ = false;
  double time_ = 0.0;  ///< of all steps
};

}  // namespace freeplay
