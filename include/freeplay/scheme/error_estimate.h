#pragma once

#include <vector>

#include "freeplay/scheme/solver_interface.h"
#include "freeplay/scheme/step_nodes.h"

namespace freeplay {

/// How exact a step is: its motion against the fourth-order formulas of Hermite (positions) and Magnus (rotations),
///
///     e_x     = x_f - x_i - [dt/2 (v_i + v_f) - dt^2/12 da]
///     e_theta = rotation vector of R_i^T R_f - [dt/2 (w_i + w_f) - dt^2/12 dw' + dt^2/12 w_i x w_f]
///
/// with x, v at the centre of mass in inertial axes, w in body axes, and the change da, dw' of accelerations over the
/// step from those of this step and the one before. For each body
///
///     error = sqrt(sum m |e_x|^2 + e_theta . J e_theta) / (dt sqrt(2 T))
///
/// is the error of the displacement per distance travelled, T being its largest kinetic energy so far: a fast flywheel
/// does not hide what is wrong with a small mechanism. Of a body that hardly moves T is what it would have at a
/// thousandth of the speed of the model, so that rest asks for no small steps. (As the error of all bodies together is
/// never larger than that of the worst one, it need not be looked at.)
///
/// Vibration too fast for the step, and velocities that joints will correct, must not rule the step: where the error
/// counts, it is filtered as in codes for stiff equations (Hairer and Wanner 1996, IV.8), by the Jacobian of the step,
/// which lets through what inertia alone decides, and removes what stiffness and constraints do not follow.
class ErrorEstimate {
 public:
  /// Slower than `slow` [m/s] is at rest.
  ErrorEstimate(const Model& model, int n_unknowns, double slow);

  /// Nothing is known of the motion before `state` but the rates of twists there.
  void start(const State& state, const std::vector<Vec6>& twist_rate);

  struct Error {
    double value = 0.0;
    int body = 0;  ///< whose motion is least exact
  };
  /// Of a solved step, not filtered. What comes after it belongs to the same start, until it is accepted.
  Error of(const StepNodes& nodes, double dt);
  /// The same error, filtered; not that of bodies that are marked: contacts are stiff, too, but their impacts are
  /// wanted, and drives, which determine the motion exactly, must also do the right work.
  Error filtered(const StepNodes& nodes, NonlinearSolver& solver, const std::vector<bool>& marked);
  void accept() {
    std::swap(memory_.acceleration, acceleration_);
    std::swap(memory_.kinetic, kinetic_);
    memory_.dt = dt_;
  }

  /// What the next estimate needs from before.
  struct Memory {
    std::vector<Vec6> acceleration;  ///< per node, see StepNodes::compare()
    std::vector<double> kinetic;     ///< largest kinetic energy of each body so far [J]
    double dt = 0.0;                 ///< of the last step; 0: accelerations are those of the instant
  };
  const Memory& memory() const { return memory_; }
  void set_memory(const Memory& memory) { memory_ = memory; }

 private:
  Error worst() const;
  double scale(int body, double kinetic_of_all) const;

  const Model& model_;
  double slow_;
  std::vector<double> mass_;  ///< of each body
  double mass_of_all_ = 0.0;
  Memory memory_;

  // Of the step looked at last.
  double dt_ = 0.0;
  std::vector<Vec6> acceleration_;
  std::vector<double> kinetic_;
  std::vector<Vec6> errors_;                ///< per node
  std::vector<double> squares_, filtered_;  ///< per body
  std::vector<double> residual_, correction_;
};

}  // namespace freeplay
