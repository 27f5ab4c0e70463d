#pragma once

#include "freeplay/scheme/solver_interface.h"
#include "freeplay/solver/mpi_team.h"

namespace freeplay {

/// Newton's method, iterative refinement and direct solutions, with factorisations that are kept as long as they serve.
/// PETSc's options for KSP and PC reach the linear systems of Newton's method.
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
