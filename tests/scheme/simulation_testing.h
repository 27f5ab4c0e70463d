#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "freeplay/assembly/assembly.h"
#include "freeplay/deck/model_file.h"
#include "freeplay/scheme/time_stepper.h"
#include "freeplay/solver/petsc_session.h"
#include "freeplay/solver/petsc_solvers.h"

namespace freeplay {

/// The solvers of all tests of a program: PETSc is started when the first test needs it, and once.
inline SolverFactory& test_solvers() {
  static PetscSession session;
  static PetscSolvers solvers;
  return solvers;
}

inline StepperOptions with_alpha(double alpha) {
  StepperOptions options;
  options.alpha = alpha;
  return options;
}

/// A mechanism and its stepper.
class Simulation {
 public:
  explicit Simulation(Assembled assembled, const StepperOptions& options = {})
      : assembled_(std::move(assembled)), stepper_(assembled_.model, assembled_.state, options, test_solvers()) {}
  /// From the text of a model file; its analysis is not used.
  explicit Simulation(const std::string& text, const StepperOptions& options = {})
      : Simulation(assemble(read_model_text(text, "test.yaml")), options) {}
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Takes steps of equal size; `after_each()` is called after each of them.
  template <class Function>
  void run(double dt, int n_steps, Function&& after_each) {
    for (int k = 0; k < n_steps; ++k) {
      const StepReport report = stepper_.step(dt);
      if (!report.accepted()) throw std::runtime_error("the step failed: " + report.reason + " at " + report.place);
      after_each();
    }
  }
  void run(double dt, int n_steps) {
    run(dt, n_steps, [] {});
  }

  const Model& model() const { return assembled_.model; }
  const AssemblyReport& report() const { return assembled_.report; }
  const State& state() const { return stepper_.state(); }
  const Ledger& ledger() const { return stepper_.ledger(); }
  TimeStepper& stepper() { return stepper_; }

 private:
  Assembled assembled_;
  TimeStepper stepper_;
};

/// Order of convergence from the errors of two step sizes of which the second is half of the first.
inline double order(double coarse_error, double fine_error) { return std::log2(coarse_error / fine_error); }

}  // namespace freeplay
