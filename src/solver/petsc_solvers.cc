#include "freeplay/solver/petsc_solvers.h"

#include <petscsnes.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "direct_preconditioner.h"
#include "klu_pivots.h"
#include "petsc_error.h"

namespace freeplay {

namespace {

/// Newton's method with an old Jacobian as long as it contracts well, and as long as the additional iterations that its
/// age has cost are fewer than a new one would cost.
class SnesSolver : public NonlinearSolver {
 public:
  SnesSolver(NonlinearProblem& problem, double tolerance, int max_iterations)
      : problem_(problem), matrix_(problem.make_matrix()), tolerance_(tolerance) {
    check(VecCreateSeq(PETSC_COMM_SELF, problem.size(), &solution_));
    check(VecDuplicate(solution_, &residual_));
    check(VecDuplicate(solution_, &correction_));
    mat_ = share_with_petsc(matrix_);
    check(SNESCreate(PETSC_COMM_SELF, &snes_));
    check(SNESSetType(snes_, SNESNEWTONLS));
    check(SNESSetFunction(snes_, residual_, evaluate, this));
    check(SNESSetJacobian(snes_, mat_, mat_, differentiate, this));
    check(SNESSetConvergenceTest(snes_, test, this, nullptr));
    // The convergence test decides when the Jacobian is renewed; SNES itself never asks for it (it would look up
    // options, and allocate for that, in every iteration). `-snes_lag_jacobian 1` restores the textbook method.
    check(SNESSetLagJacobian(snes_, -1));
    check(SNESSetTolerances(snes_, 0.0, 0.0, 0.0, max_iterations, 100000));
    SNESLineSearch line_search = nullptr;
    check(SNESGetLineSearch(snes_, &line_search));
    check(SNESLineSearchSetType(line_search, SNESLINESEARCHSHELL));
    check(SNESLineSearchShellSetUserFunc(line_search, step, nullptr));
    KSP ksp = nullptr;
    PC pc = nullptr;
    check(SNESGetKSP(snes_, &ksp));
    check(KSPSetType(ksp, KSPPREONLY));
    check(KSPGetPC(ksp, &pc));
    preconditioner_ = std::make_unique<DirectPreconditioner>(pc, matrix_, DirectPreconditioner::Use::correction);
    check(SNESSetFromOptions(snes_));
  }

  ~SnesSolver() override {
    SNESDestroy(&snes_);
    MatDestroy(&mat_);
    VecDestroy(&correction_);
    VecDestroy(&residual_);
    VecDestroy(&solution_);
  }

  NonlinearReport solve(NonlinearProblem&, std::span<double> u) override {
    PetscScalar* values = nullptr;
    check(VecGetArray(solution_, &values));
    std::copy(u.begin(), u.end(), values);
    check(VecRestoreArray(solution_, &values));
    previous_size_ = INFINITY;
    is_fresh_ = false;
    round_off_ *= forgetting;
    // In iterations; measured: about 8 for a beam of a thousand nodes, 4 for one of ten thousand, which no cache holds.
    // With 4 and with 8 the time is the same, and with 4 smooth motion needs fewer than 4 iterations.
    constexpr int cost_of_jacobian = 4;
    if (excess_iterations_ > cost_of_jacobian || fresh_starts_ > 0) have_jacobian_ = false;
    if (fresh_starts_ > 0) --fresh_starts_;
    const bool renewed = !have_jacobian_;
    const int factorisations_before = preconditioner_->n_factorisations();
    check(SNESSolve(snes_, nullptr, solution_));
    NonlinearReport report;
    SNESConvergedReason reason{};
    PetscInt iterations = 0;
    check(SNESGetConvergedReason(snes_, &reason));
    check(SNESGetIterationNumber(snes_, &iterations));
    check(VecGetArray(solution_, &values));
    std::copy(values, values + u.size(), u.begin());
    check(VecRestoreArray(solution_, &values));
    report.converged = reason > 0;
    report.iterations = static_cast<int>(iterations);
    report.factorisations = preconditioner_->n_factorisations() - factorisations_before;
    report.relative_residual = problem_.relative_size();
    if (renewed)
      fresh_iterations_ = report.iterations;
    else
      plan_fresh_starts(report.factorisations > 0);
    excess_iterations_ = renewed ? 0 : std::max(0, excess_iterations_ + report.iterations - fresh_iterations_);
    if (!report.converged) {
      report.reason = preconditioner_->singular() ? "the equations are singular" : describe(reason);
      have_jacobian_ = false;
    }
    return report;
  }

  bool correction(std::span<const double> r, std::span<double> du) override {
    if (!have_jacobian_) return false;
    KSP ksp = nullptr;
    PetscScalar* values = nullptr;
    check(VecGetArray(residual_, &values));
    std::copy(r.begin(), r.end(), values);
    check(VecRestoreArray(residual_, &values));
    check(SNESGetKSP(snes_, &ksp));
    check(KSPSolve(ksp, residual_, correction_));
    check(VecGetArray(correction_, &values));
    std::copy(values, values + du.size(), du.begin());
    check(VecRestoreArray(correction_, &values));
    return !preconditioner_->singular();
  }

  void forget_factorisation() override {
    have_jacobian_ = false;
    round_off_ = 0.0;
  }

 private:
  /// If old Jacobians fail again and again, more and more solves begin with a new one before the next try.
  void plan_fresh_starts(bool old_one_failed) {
    constexpr int most = 31;
    fresh_starts_ = old_one_failed ? next_fresh_starts_ : 0;
    next_fresh_starts_ = old_one_failed ? std::min(2 * next_fresh_starts_ + 1, most) : 0;
  }

  static std::string describe(SNESConvergedReason reason) {
    if (reason == SNES_DIVERGED_MAX_IT) return "Newton's method did not converge";
    if (reason == SNES_DIVERGED_FNORM_NAN) return "Newton's method left the range of numbers";
    if (reason == SNES_DIVERGED_DTOL) return "Newton's method diverged";
    return std::string("Newton's method failed (") + SNESConvergedReasons[reason] + ")";
  }

  static PetscErrorCode evaluate(SNES, Vec u, Vec r, void* context) {
    auto* self = static_cast<SnesSolver*>(context);
    const PetscScalar* u_values = nullptr;
    PetscScalar* r_values = nullptr;
    const auto n = static_cast<std::size_t>(self->problem_.size());
    PetscCall(VecGetArrayRead(u, &u_values));
    PetscCall(VecGetArray(r, &r_values));
    self->problem_.residual({u_values, n}, {r_values, n});
    PetscCall(VecRestoreArray(r, &r_values));
    PetscCall(VecRestoreArrayRead(u, &u_values));
    return 0;
  }

  /// A full step. PETSc's own copies vectors that it need not, and takes three norms where one is asked for.
  static PetscErrorCode step(SNESLineSearch line_search, void*) {
    SNES snes = nullptr;
    Vec u = nullptr, residual = nullptr, correction = nullptr;
    PetscCall(SNESLineSearchGetSNES(line_search, &snes));
    PetscCall(SNESLineSearchGetVecs(line_search, &u, &residual, &correction, nullptr, nullptr));
    PetscCall(VecAXPY(u, -1.0, correction));
    PetscCall(SNESComputeFunction(snes, u, residual));
    const PetscScalar* values = nullptr;
    PetscInt n = 0;
    PetscCall(VecGetLocalSize(residual, &n));
    PetscCall(VecGetArrayRead(residual, &values));
    const double norm = Eigen::Map<const Eigen::VectorXd>(values, n).norm();
    PetscCall(VecRestoreArrayRead(residual, &values));
    return SNESLineSearchSetNorms(line_search, 0.0, norm, 0.0);
  }

  static PetscErrorCode differentiate(SNES, Vec u, Mat, Mat, void* context) {
    auto* self = static_cast<SnesSolver*>(context);
    const PetscScalar* u_values = nullptr;
    PetscCall(VecGetArrayRead(u, &u_values));
    self->problem_.jacobian({u_values, static_cast<std::size_t>(self->problem_.size())}, self->matrix_);
    PetscCall(VecRestoreArrayRead(u, &u_values));
    changed(self->mat_);
    self->have_jacobian_ = self->jacobian_is_good_ = self->is_fresh_ = true;
    return 0;
  }

  /// Whether the last correction is nothing but round-off of the solution: better can not be had. Positions far from
  /// the origin and stiff springs have a residual of round-off that no estimate of its terms covers.
  static PetscErrorCode correction_is_round_off(SNES snes, bool* answer) {
    constexpr double round_off = 1e-14;
    Vec u = nullptr, correction = nullptr;
    PetscReal u_size = 0.0, correction_size = 0.0;
    PetscCall(SNESGetSolution(snes, &u));
    PetscCall(SNESGetSolutionUpdate(snes, &correction));
    PetscCall(VecNorm(u, NORM_INFINITY, &u_size));
    PetscCall(VecNorm(correction, NORM_INFINITY, &correction_size));
    *answer = correction_size <= round_off * u_size;
    return 0;
  }

  /// Converged if the residual is down to `tolerance_` of its terms, or down to where round-off stops it.
  static PetscErrorCode test(SNES snes, PetscInt iteration, PetscReal, PetscReal, PetscReal norm,
                             SNESConvergedReason* reason, void* context) {
    auto* self = static_cast<SnesSolver*>(context);
    constexpr double round_off_range = 1e3;  // times the tolerance
    constexpr double slow_contraction = 0.1;
    constexpr double far_away = 1e-3;  // of the terms: here an old Jacobian may lead anywhere
    constexpr double scatter = 3.0;    // of residuals that are round-off
    constexpr double remembered =
        10.0;  // times the tolerance; with 100 the ledger of iftomm/four_bar_40 opens by 1e-12
    const double size = self->problem_.relative_size();
    const double contraction = size / self->previous_size_;
    const bool stagnates = iteration > 0 && contraction > 0.3 && contraction <= 2.0 &&
                           (size <= round_off_range * self->tolerance_ || self->problem_.at_round_off());
    const bool is_certain = self->is_fresh_ && self->jacobian_is_good_;
    *reason = SNES_CONVERGED_ITERATING;
    if (!std::isfinite(norm) || !std::isfinite(size)) {
      *reason = SNES_DIVERGED_FNORM_NAN;
    } else if (size <= std::max(self->tolerance_, std::min(self->round_off_, remembered * self->tolerance_))) {
      *reason = SNES_CONVERGED_FNORM_RELATIVE;
    } else if (stagnates && (is_certain || size <= self->round_off_)) {
      *reason = SNES_CONVERGED_FNORM_RELATIVE;
      if (is_certain)
        self->round_off_ = std::min(scatter * std::min(size, self->previous_size_), round_off_range * self->tolerance_);
    } else if (iteration > 2 && contraction > 1e3) {
      *reason = SNES_DIVERGED_DTOL;
    } else if (iteration > 1 && contraction > 0.3) {
      bool round_off = false;
      PetscCall(correction_is_round_off(snes, &round_off));
      if (round_off) *reason = SNES_CONVERGED_SNORM_RELATIVE;
    }
    PetscInt max_iterations = 0;
    PetscCall(SNESGetTolerances(snes, nullptr, nullptr, nullptr, &max_iterations, nullptr));
    if (*reason == SNES_CONVERGED_ITERATING && iteration >= max_iterations) *reason = SNES_DIVERGED_MAX_IT;
    self->previous_size_ = size;
    // An old Jacobian that reduces the residual slowly leaves an error of the same sign in every step; so only one of
    // this step can tell where round-off begins.
    const bool far = size > far_away || (contraction > 1.0 && !stagnates);
    const bool slow = iteration > 0 && contraction > slow_contraction &&
                      (!self->jacobian_is_good_ || far || (stagnates && !is_certain));
    self->jacobian_is_good_ = iteration > 0 && contraction <= slow_contraction;
    if (*reason != SNES_CONVERGED_ITERATING) return 0;
    if (self->have_jacobian_ && !slow) {
      // Whether a Jacobian of this step still contracts shall not depend on the precision of its factors.
      if (self->is_fresh_) self->preconditioner_->check_next();
      return 0;
    }
    Vec u = nullptr;
    PetscCall(SNESGetSolution(snes, &u));
    return differentiate(snes, u, nullptr, nullptr, context);
  }

  NonlinearProblem& problem_;
  BlockMatrix matrix_;
  double tolerance_;
  SNES snes_ = nullptr;
  Mat mat_ = nullptr;
  Vec solution_ = nullptr, residual_ = nullptr, correction_ = nullptr;
  std::unique_ptr<DirectPreconditioner> preconditioner_;
  bool have_jacobian_ = false;
  bool jacobian_is_good_ = false;  ///< for the correction at hand: just made, or has just reduced the residual well
  int fresh_iterations_ = 0;       ///< of the last solve that began with a new Jacobian
  int excess_iterations_ = 0;      ///< more than that, in all solves since
  int fresh_starts_ = 0, next_fresh_starts_ = 0;
  double previous_size_ = 0.0;
  bool is_fresh_ = false;  ///< Jacobian made in this solve
  /// The residual that a new Jacobian could not reduce: no iterations are spent to find that again, but now and then it
  /// is measured anew.
  double round_off_ = 0.0;
  static constexpr double forgetting = 0.995;  ///< per solve
};

/// Iterates with the factorisation of an earlier matrix, renewed when it takes too long.
class KspSolver : public LinearSolver {
 public:
  explicit KspSolver(BlockMatrix& matrix) {
    const int n = matrix.size();
    check(VecCreateSeq(PETSC_COMM_SELF, n, &b_));
    check(VecDuplicate(b_, &x_));
    mat_ = share_with_petsc(matrix);
    check(KSPCreate(PETSC_COMM_SELF, &ksp_));
    check(KSPSetOptionsPrefix(ksp_, "kkt_"));
    // Iterative refinement: with a factorisation that is nearly right it needs as few iterations as any Krylov method.
    check(KSPSetType(ksp_, KSPRICHARDSON));
    check(KSPSetNormType(ksp_, KSP_NORM_UNPRECONDITIONED));
    check(KSPSetOperators(ksp_, mat_, mat_));
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc));
    preconditioner_ = std::make_unique<DirectPreconditioner>(pc, matrix, DirectPreconditioner::Use::solution);
    check(KSPSetFromOptions(ksp_));
  }

  ~KspSolver() override {
    KSPDestroy(&ksp_);
    MatDestroy(&mat_);
    VecDestroy(&x_);
    VecDestroy(&b_);
  }

  bool solve(BlockMatrix&, std::span<const double> b, double tolerance, std::span<double> x) override {
    PetscScalar* values = nullptr;
    check(VecGetArray(b_, &values));
    std::copy(b.begin(), b.end(), values);
    check(VecRestoreArray(b_, &values));
    changed(mat_);
    check(KSPSetTolerances(ksp_, tolerance, 1e-300, 1e6, max_iterations));
    if (!attempt(factorised_, tolerance) && !(factorised_ && attempt(false, tolerance))) return false;
    const PetscScalar* solution = nullptr;
    check(VecGetArrayRead(x_, &solution));
    std::copy(solution, solution + x.size(), x.begin());
    check(VecRestoreArrayRead(x_, &solution));
    return true;
  }

 private:
  bool attempt(bool reuse, double tolerance) {
    check(KSPSetReusePreconditioner(ksp_, reuse ? PETSC_TRUE : PETSC_FALSE));
    check(KSPSolve(ksp_, b_, x_));
    if (preconditioner_->singular()) {
      factorised_ = false;
      return false;
    }
    factorised_ = true;
    PetscInt iterations = 0;
    PetscReal b_norm = 0.0, residual = 0.0;
    check(KSPGetIterationNumber(ksp_, &iterations));
    check(KSPGetResidualNorm(ksp_, &residual));
    check(VecNorm(b_, NORM_2, &b_norm));
    // A new factorisation gives what can be had; an old one must reach the tolerance.
    const double wanted = reuse ? 2.0 * tolerance : std::max(tolerance, 1e-9);
    return std::isfinite(residual) && residual <= wanted * b_norm;
  }

  static constexpr int max_iterations = 8;
  KSP ksp_ = nullptr;
  Mat mat_ = nullptr;
  Vec b_ = nullptr, x_ = nullptr;
  std::unique_ptr<DirectPreconditioner> preconditioner_;
  bool factorised_ = false;
};

class DirectSolver : public LinearSolver {
 public:
  bool solve(BlockMatrix& A, std::span<const double> b, double, std::span<double> x) override {
    if (!factorisation_.factorise(A.size(), A.row_start().data(), A.column().data(), A.value().data())) return false;
    std::copy(b.begin(), b.end(), x.begin());
    factorisation_.solve(x);
    correction_.resize(b.size());
    A.multiply(x, correction_);
    for (std::size_t k = 0; k < b.size(); ++k) correction_[k] = b[k] - correction_[k];
    factorisation_.solve(correction_);
    for (std::size_t k = 0; k < b.size(); ++k) x[k] += correction_[k];
    return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
  }

 private:
  KluFactorisation factorisation_;
  std::vector<double> correction_;  ///< by iterative refinement
};

}  // namespace

std::unique_ptr<NonlinearSolver> PetscSolvers::nonlinear(NonlinearProblem& problem, double tolerance,
                                                         int max_iterations) {
  return std::make_unique<SnesSolver>(problem, tolerance, max_iterations);
}

std::unique_ptr<LinearSolver> PetscSolvers::linear(BlockMatrix& pattern) {
  return std::make_unique<KspSolver>(pattern);
}

std::unique_ptr<LinearSolver> PetscSolvers::direct() { return std::make_unique<DirectSolver>(); }

Pivots PetscSolvers::pivots(BlockMatrix& matrix) { return diagonal_pivots(matrix); }

}  // namespace freeplay
