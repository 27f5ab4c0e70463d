#include "freeplay/solver/petsc_solvers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "klu_pivots.h"
#include "newton_solver.h"
#include "petsc_error.h"

namespace freeplay {

namespace {

/// b - A x, in the rows of this process; x is known to all.
void subtract_product(const BlockMatrix& A, std::span<const double> b, std::span<const double> x,
                      std::span<double> left) {
  A.multiply(x, left);
  for (std::size_t k = 0; k < b.size(); ++k) left[k] = b[k] - left[k];
}

/// Iterative refinement with the factorisation of an earlier matrix, renewed when it takes too long: with one that is
/// nearly right it needs as few iterations as any Krylov method.
class RefinedSolver : public LinearSolver {
 public:
  RefinedSolver(BlockMatrix& matrix, const Team& team)
      : team_(team_of(matrix, team)),
        own_(matrix, team_),
        factorisation_(matrix, team_),
        left_(matrix.size()),
        correction_(matrix.size()) {}

  bool solve(BlockMatrix& A, std::span<const double> b, double tolerance, std::span<double> x) override {
    if (factorised_ && refine(A, b, 0.5 * tolerance, 2.0 * tolerance, x, cost_of_factorisation())) return true;
    factorised_ = factorisation_.factorise(A);
    // A new factorisation gives what can be had.
    constexpr double what_can_be_had = 1e-9;
    return factorised_ && refine(A, b, tolerance, std::max(tolerance, what_can_be_had), x, most_iterations);
  }

 private:
  static constexpr int most_iterations = 8;
  /// In iterations: measured where KLU has it all; that of large models is worth any number of them.
  int cost_of_factorisation() const {
    constexpr std::size_t small = 200;
    return left_.size() <= small ? 4 : most_iterations;
  }

  double norm(std::span<const double> r) const {
    double square = own_.square(r);
    team_.sum({&square, 1});
    return std::sqrt(square);
  }

  /// Until the residual is below `wanted`, or hardly falls any more: what is left is round-off. False if it is not
  /// below `enough` in the end, or as soon as it looks as if more than some iterations were needed for that.
  bool refine(const BlockMatrix& A, std::span<const double> b, double wanted, double enough, std::span<double> x,
              int most) {
    constexpr double hardly = 0.3;
    const double size = norm(b);
    std::fill(x.begin(), x.end(), 0.0);
    std::copy(b.begin(), b.end(), left_.begin());
    double residual = size;
    for (int k = 0; k < most_iterations && residual > wanted * size; ++k) {
      std::copy(left_.begin(), left_.end(), correction_.begin());
      factorisation_.solve(correction_);
      team_.complete(correction_, own_.parts());
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction_[i];
      subtract_product(A, b, x, left_);
      const double before = std::exchange(residual, norm(left_));
      if (!std::isfinite(residual)) return false;
      if (residual > hardly * before) break;
      const double iterations_to_go = std::log(wanted * size / residual) / std::log(residual / before);
      if (iterations_to_go > most) return false;
    }
    return residual <= enough * size;
  }

  const Team& team_;
  OwnPart own_;
  FrontalFactorisation factorisation_;
  bool factorised_ = false;
  std::vector<double> left_, correction_;
};

class DirectSolver : public LinearSolver {
 public:
  explicit DirectSolver(const Team& team) : team_(team), factorisation_(team) {}

  bool solve(BlockMatrix& A, std::span<const double> b, double, std::span<double> x) override {
    if (!factorisation_.factorise(A)) return false;
    const Parts parts = A.parts();
    const auto solve_all = [&](std::span<double> values) {
      factorisation_.solve(values);
      team_.complete(values, parts);
    };
    std::copy(b.begin(), b.end(), x.begin());
    solve_all(x);
    correction_.resize(b.size());
    subtract_product(A, b, x, correction_);
    solve_all(correction_);
    for (std::size_t k = 0; k < b.size(); ++k) x[k] += correction_[k];
    return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
  }

 private:
  const Team& team_;
  WholeFactorisation factorisation_;
  std::vector<double> correction_;  ///< by iterative refinement
};

}  // namespace

std::unique_ptr<NonlinearSolver> PetscSolvers::nonlinear(NonlinearProblem& problem, double tolerance,
                                                         int max_iterations) {
  return std::make_unique<NewtonSolver>(problem, tolerance, max_iterations, team_);
}

std::unique_ptr<LinearSolver> PetscSolvers::linear(BlockMatrix& pattern) {
  return std::make_unique<RefinedSolver>(pattern, team_);
}

std::unique_ptr<LinearSolver> PetscSolvers::direct() { return std::make_unique<DirectSolver>(team_); }

Pivots PetscSolvers::pivots(BlockMatrix& matrix) { return diagonal_pivots(matrix); }

}  // namespace freeplay
