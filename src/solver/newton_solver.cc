#include "newton_solver.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "petsc_error.h"

namespace freeplay {

namespace {

constexpr double slow_contraction = 0.1;
constexpr double no_contraction = 0.3;
constexpr double round_off_range = 1e3;  // times the tolerance

double largest_of(std::span<const double> x) {
  return x.empty() ? 0.0
                   : Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()))
                         .lpNorm<Eigen::Infinity>();
}

}  // namespace

NewtonSolver::NewtonSolver(NonlinearProblem& problem, double tolerance, int max_iterations, const Team& team)
    : problem_(problem),
      tolerance_(tolerance),
      max_iterations_(max_iterations),
      matrix_(problem.make_matrix()),
      team_(team_of(matrix_, team)),
      own_(matrix_, team_),
      residual_(problem.size()),
      correction_(problem.size()) {
  mat_ = share_with_petsc(matrix_, team_);
  check(MatCreateVecs(mat_, &solution_, &right_side_));
  check(KSPCreate(team_.size() == 1 ? PETSC_COMM_SELF : PETSC_COMM_WORLD, &ksp_));
  check(KSPSetType(ksp_, KSPPREONLY));
  check(KSPSetOperators(ksp_, mat_, mat_));
  PC pc = nullptr;
  check(KSPGetPC(ksp_, &pc));
  preconditioner_ = std::make_unique<DirectPreconditioner>(pc, matrix_, DirectPreconditioner::Use::correction, team_);
  check(KSPSetFromOptions(ksp_));
}

NewtonSolver::~NewtonSolver() {
  KSPDestroy(&ksp_);
  MatDestroy(&mat_);
  VecDestroy(&right_side_);
  VecDestroy(&solution_);
}

NonlinearReport NewtonSolver::solve(NonlinearProblem&, std::span<double> u) {
  // In iterations; measured: about 8 for a beam of a thousand nodes, 4 for one of ten thousand, which no cache holds.
  // With 4 and with 8 the time is the same, and with 4 smooth motion needs fewer than 4 iterations.
  constexpr int cost_of_jacobian = 4;
  constexpr double forgetting = 0.995;  // per solve
  round_off_ *= forgetting;
  if (excess_iterations_ > cost_of_jacobian || fresh_starts_ > 0) have_jacobian_ = false;
  if (fresh_starts_ > 0) --fresh_starts_;
  const bool renewed = !have_jacobian_;
  const int factorisations_before = preconditioner_->n_factorisations();
  previous_size_ = INFINITY;
  is_fresh_ = false;

  NonlinearReport report;
  Verdict verdict = Verdict::go_on;
  problem_.residual(u, residual_);
  for (int iteration = 0;; ++iteration) {
    const Progress now = progress(iteration);
    verdict = judge(now, u);
    report.iterations = iteration;
    if (verdict == Verdict::stopped_by_round_off && now.is_certain) remember_round_off(now);
    if (verdict != Verdict::go_on) break;
    const bool worn_out = is_worn_out(now);
    jacobian_is_good_ = iteration > 0 && now.contraction <= slow_contraction;
    previous_size_ = now.size;
    if (worn_out)
      differentiate(u);
    else if (is_fresh_)
      preconditioner_->check_next();  // whether it contracts shall not depend on the precision of its factors
    solve_linear(residual_, correction_);
    if (preconditioner_->singular()) {
      verdict = Verdict::singular;
      break;
    }
    for (std::size_t k = 0; k < u.size(); ++k) u[k] -= correction_[k];
    problem_.residual(u, residual_);
  }
  report.converged = verdict == Verdict::converged || verdict == Verdict::stopped_by_round_off;
  report.factorisations = preconditioner_->n_factorisations() - factorisations_before;
  report.relative_residual = problem_.relative_size();
  if (!report.converged) {
    report.reason = verdict == Verdict::singular              ? "the equations are singular"
                    : verdict == Verdict::not_finite          ? "Newton's method left the range of numbers"
                    : verdict == Verdict::too_many_iterations ? "Newton's method did not converge"
                                                              : "Newton's method diverged";
    have_jacobian_ = false;
  }
  plan_next_start(renewed, report);
  return report;
}

NewtonSolver::Progress NewtonSolver::progress(int iteration) const {
  Progress now;
  now.iteration = iteration;
  now.size = problem_.relative_size();
  // Rows that the relative size does not look at may have left the range of numbers, too.
  double square = own_.square(residual_);
  team_.sum({&square, 1});
  if (!std::isfinite(square)) now.size = INFINITY;
  now.contraction = now.size / previous_size_;
  now.stagnates = iteration > 0 && now.contraction > no_contraction && now.contraction <= 2.0 &&
                  (now.size <= round_off_range * tolerance_ || problem_.at_round_off());
  now.is_certain = is_fresh_ && jacobian_is_good_;
  return now;
}

/// Converged if the residual is down to `tolerance_` of its terms, or down to where round-off stops it.
NewtonSolver::Verdict NewtonSolver::judge(const Progress& now, std::span<const double> u) const {
  constexpr double remembered = 10.0;  // times the tolerance; with 100 the ledger of iftomm/four_bar_40 opens by 1e-12
  if (!std::isfinite(now.size)) return Verdict::not_finite;
  if (now.size <= std::max(tolerance_, std::min(round_off_, remembered * tolerance_))) return Verdict::converged;
  // An old Jacobian that reduces the residual slowly leaves an error of the same sign in every step; so only one of
  // this solve can tell where round-off begins.
  if (now.stagnates && (now.is_certain || now.size <= round_off_)) return Verdict::stopped_by_round_off;
  if (now.iteration > 2 && now.contraction > 1e3) return Verdict::diverged;
  if (now.iteration > 1 && now.contraction > no_contraction && correction_is_round_off(u)) return Verdict::converged;
  return now.iteration < max_iterations_ ? Verdict::go_on : Verdict::too_many_iterations;
}

/// Whether the last correction is nothing but round-off of the solution: better can not be had. Positions far from the
/// origin and stiff springs have a residual of round-off that no estimate of its terms covers.
bool NewtonSolver::correction_is_round_off(std::span<const double> u) const {
  constexpr double round_off = 1e-14;
  return largest_of(correction_) <= round_off * largest_of(u);
}

void NewtonSolver::remember_round_off(const Progress& now) {
  constexpr double scatter = 3.0;  // of residuals that are round-off
  round_off_ = std::min(scatter * std::min(now.size, previous_size_), round_off_range * tolerance_);
}

bool NewtonSolver::is_worn_out(const Progress& now) const {
  constexpr double far_away = 1e-3;  // of the terms: here an old Jacobian may lead anywhere
  if (!have_jacobian_) return true;
  if (now.iteration == 0 || now.contraction <= slow_contraction) return false;
  const bool far = now.size > far_away || (now.contraction > 1.0 && !now.stagnates);
  return !jacobian_is_good_ || far || (now.stagnates && !now.is_certain);
}

void NewtonSolver::differentiate(std::span<const double> u) {
  problem_.jacobian(u, matrix_);
  changed(mat_);
  have_jacobian_ = jacobian_is_good_ = is_fresh_ = true;
}

void NewtonSolver::solve_linear(std::span<const double> r, std::span<double> du) {
  PetscScalar* values = nullptr;
  check(VecGetArrayWrite(right_side_, &values));
  own_.pack(r, values);
  check(VecRestoreArrayWrite(right_side_, &values));
  check(KSPSolve(ksp_, right_side_, solution_));
  const PetscScalar* solution = nullptr;
  check(VecGetArrayRead(solution_, &solution));
  own_.unpack(solution, du);
  check(VecRestoreArrayRead(solution_, &solution));
  team_.complete(du, own_.parts());
}

bool NewtonSolver::correction(std::span<const double> r, std::span<double> du) {
  if (!have_jacobian_) return false;
  solve_linear(r, du);
  return !preconditioner_->singular();
}

void NewtonSolver::forget_factorisation() {
  have_jacobian_ = false;
  round_off_ = 0.0;
}

/// If old Jacobians fail again and again, more and more solves begin with a new one before the next try.
void NewtonSolver::plan_next_start(bool renewed, const NonlinearReport& report) {
  constexpr int most = 31;
  if (renewed) {
    fresh_iterations_ = report.iterations;
    excess_iterations_ = 0;
    return;
  }
  const bool old_one_failed = report.factorisations > 0;
  fresh_starts_ = old_one_failed ? next_fresh_starts_ : 0;
  next_fresh_starts_ = old_one_failed ? std::min(2 * next_fresh_starts_ + 1, most) : 0;
  excess_iterations_ = std::max(0, excess_iterations_ + report.iterations - fresh_iterations_);
}

}  // namespace freeplay
