#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "freeplay/mechanics/ledger.h"
#include "freeplay/scheme/error_estimate.h"
#include "freeplay/scheme/guess_errors.h"
#include "freeplay/scheme/instant_system.h"
#include "freeplay/scheme/step_equations.h"
#include "freeplay/scheme/stick_control.h"

namespace freeplay {

struct StepperOptions {
  double alpha = 1.0;
  double newton_tolerance = AnalysisSpec{}.newton_tolerance;
  int newton_iterations = 25;
  double tolerance = std::numeric_limits<double>::infinity();  ///< of errors; infinite: nobody asks for them
  double slow = 0.0;  ///< what is slower counts as at rest where errors are estimated [m/s]
  StictionSpec stiction;
};

/// What one attempted step came to.
struct StepReport {
  enum class Outcome {
    accepted,
    not_converged,
    too_inaccurate,
    too_much_rotation,
    projection_failed,
    contact_overshot,
    friction_switched,
    friction_unsolvable,
    dropped_equation_violated
  };
  Outcome outcome = Outcome::accepted;
  double dt = 0.0;  ///< how far it went: an accepted step may end early, at the moment in which a joint sticks or slips
  int newton_iterations = 0;
  int factorisations = 0;
  double relative_residual = 0.0;
  double error =
      0.0;  ///< of the displacement per distance travelled (ErrorEstimate), or of bristles, whichever is larger
  bool error_of_friction = false;
  const std::string* least_exact = nullptr;  ///< body, or joint whose friction, has this error
  /// What made an accepted step as long as it is, and the body or joint in question; who chooses steps fills it in.
  enum class Ruler { motion, friction, contact, target, user };
  Ruler ruler = Ruler::motion;
  const std::string* ruler_name = nullptr;
  int unsolvable_friction = -1;  ///< number of the friction joint whose reaction has no solution
  std::string place;             ///< where the largest residual or error is, if the step failed
  std::string reason;            ///< why it failed

  StepReport& refused(Outcome why, std::string where, std::string because) {
    outcome = why;
    place = std::move(where);
    reason = std::move(because);
    return *this;
  }
  bool accepted() const { return outcome == Outcome::accepted; }
};

/// Advances a model step by step with the energy-decaying scheme and keeps its energy ledger.
/// All memory is allocated in the constructor.
class TimeStepper {
 public:
  TimeStepper(const Model& model, State initial, const StepperOptions& options, SolverFactory& solvers);

  /// Attempts a step. If it is not accepted, nothing has changed (`friction_switched`: but the mode of a joint).
  /// `accurate` may refuse a solved step for its error.
  using Accurate = std::function<bool(const StepReport&)>;
  StepReport step(double dt, const Accurate& accurate = {});
  /// Removes the round-off of summed steps from the time.
  void set_time(double time) { state_.time = time; }

  const State& state() const { return state_; }
  const Ledger& ledger() const { return ledger_; }
  const StickControl& stick() const { return stick_; }
  /// Changes of mode since the last step, without time passing.
  int n_switches() const { return n_switches_; }
  const Model& model() const { return model_; }
  /// Memory of matrix and factors on this process.
  double solver_bytes() const { return solver_->bytes(); }

  /// Accelerations and reactions at the present instant.
  bool accelerate(std::vector<Vec6>& twist_rate, std::vector<double>& multipliers) {
    return instant_.accelerate(state_, twist_rate, multipliers);
  }

  /// The longest step that the contacts allow now [s], and which of them asks for it.
  struct ContactLimit {
    double step = std::numeric_limits<double>::infinity();
    const std::string* element = nullptr;
  };
  ContactLimit contact_limit();
  /// What a contact did over the last accepted step.
  ContactStatus contact_status(std::size_t element) const {
    return model_.elements[element]->contact_status(equations_.motion(), internal_of(model_, trial_, element));
  }
  /// What the contacts, in the order of the elements, and friction in joints did over the last accepted step.
  std::span<const StepWork> contact_works() const { return equations_.contact_works(); }
  std::span<const double> friction_losses() const { return equations_.friction_losses(); }
  /// Largest values since the last output are written: they begin anew.
  void forget_peaks();

  /// For continuing from a checkpoint.
  void restore(const State& state, const Ledger& ledger);
  /// The state that a rejected step would have led to (to look at what went wrong).
  const State& rejected_state() const { return trial_; }

  /// What the next step needs from those before, for its guess and its balance, saved in checkpoints so that a
  /// continued run repeats the uninterrupted one.
  struct Memory {
    std::vector<Vec6> twist_rate;           ///< mean over the last step
    std::vector<Vec6> previous_twist_rate;  ///< mean over the step before
    std::vector<double> multipliers;        ///< of the step before the last
    std::vector<double> projection;         ///< mean reactions of the last projection, per multiplier
    std::vector<Vec6> unbalanced;           ///< momenta that the last step has left so
    double dt = 0.0;                        ///< of the last step; 0: there was none
    double previous_dt = 0.0;
    std::vector<double> guess_errors;
    ErrorEstimate::Memory estimate;
    std::optional<ShareRows> shares;  ///< how stuck joints share loads; none: as their modes alone say
  };
  Memory memory() const;
  const std::vector<Vec6>& mean_twist_rate() const { return memory_.twist_rate; }  ///< over the last step
  void set_memory(const Memory& memory);

 private:
  /// Solves a step into `trial_`; nothing else changes.
  StepReport solve(double dt, const Accurate& accurate);
  NonlinearReport solve_equations(double dt);
  void find_error(double dt, StepReport& report);
  bool is_no_correction(double dt) const;
  const std::string& fastest_node() const;
  void accept(double dt);
  StepReport step_to_event(double dt, StickControl::Event event, StepReport report, const Accurate& accurate);
  StickControl::Event worst_event();
  void switch_mode(const StickControl::Event& event);
  void use_shares();
  void settle();
  void predict(double dt);
  double dropped_violation() const;
  /// Whose errors are not filtered: bodies in contact at the start or the end of the step, and those that are driven.
  void mark_bodies();
  /// The largest error of a friction state over the step, relative to its break-away, and where it is.
  struct FrictionError {
    double value = 0.0;
    const std::string* joint = nullptr;
  };
  FrictionError friction_error(double dt);
  Ledger close_ledger(const InstantSystem::Projection& projection, const StepWork& work);

  const Model& model_;
  StepEquations equations_;
  std::unique_ptr<NonlinearSolver> solver_;
  InstantSystem instant_;
  StickControl stick_;
  int n_switches_ = 0;              ///< since the last step
  bool friction_may_fail_ = false;  ///< a law is there that can lose its solution
  bool has_bristles_ = false;       ///< a law is there whose state can be inexact
  InstantSystem::Projection projection_;
  StepWork work_;
  State state_, trial_;
  State at_end_;  ///< `trial_` with the multipliers of its instant, where a lock is to be judged
  std::vector<Vec6> rate_at_end_;
  Motion now_, then_;  ///< instants
  Ledger ledger_;
  Memory memory_;
  GuessErrors guess_errors_;
  double tolerance_;
  ErrorEstimate estimate_;
  std::vector<bool> is_driven_, is_marked_;  ///< per body
  FrictionRows slips_;
  bool guess_was_solution_ = false;  ///< the last guess, without an iteration
  std::vector<double> guess_, unknowns_, residual_;
  std::vector<Vec6> guess_twist_;
  std::vector<double> guess_multipliers_;
  std::vector<std::size_t> contacts_;  ///< elements that are contacts
};

}  // namespace freeplay
