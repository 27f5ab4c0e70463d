#pragma once

#include "freeplay/scheme/solver_interface.h"
#include "freeplay/solver/mpi_team.h"

namespace freeplay {

/// Solvers on PETSc: Newton (SNES) and Krylov (KSP) with a KLU factorisation that is kept as long as it serves.
/// Options with prefix `step_` (Newton) and `kkt_` (linear) or none reach them from the PETSc options database.
class PetscSolvers : public SolverFactory {
 public:
  std::unique_ptr<NonlinearSolver> nonlinear(NonlinearProblem& problem, double tolerance, int max_iterations) override;
  std::unique_ptr<LinearSolver> linear(BlockMatrix& pattern) override;
  std::unique_ptr<LinearSolver> direct() override;
  Pivots pivots(BlockMatrix& matrix) override;
  const MpiTeam& team() const override { return team_; }

 private:
  MpiTeam team_;
};

}  // namespace freeplay
