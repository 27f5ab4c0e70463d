#include "freeplay/solver/eigen_solver.h"

#include <slepceps.h>

#include <algorithm>
#include <cmath>

#include "direct_preconditioner.h"
#include "freeplay/base/diagnostics.h"
#include "own_part.h"
#include "petsc_error.h"

namespace freeplay {

namespace {

void start_slepc() {
  PetscBool started = PETSC_FALSE;
  check(SlepcInitialized(&started));
  if (!started) check(SlepcInitializeNoArguments());  // PetscFinalize ends it
}

/// SLEPc's solver and what it works with, freed at the end.
class EigenSolver {
 public:
  explicit EigenSolver(MPI_Comm processes = PETSC_COMM_SELF) {
    start_slepc();
    check(EPSCreate(processes, &eps_));
    check(EPSSetTolerances(eps_, tolerance, max_restarts));
  }
  ~EigenSolver() {
    EPSDestroy(&eps_);
    MatDestroy(&A_);
    MatDestroy(&B_);
  }
  EigenSolver(const EigenSolver&) = delete;
  EigenSolver& operator=(const EigenSolver&) = delete;

  EPS eps() { return eps_; }

  /// Takes the matrices over. B may be null.
  void set_operators(Mat A, Mat B) {
    A_ = A;
    B_ = B;
    check(EPSSetOperators(eps_, A, B));
  }

  /// All that converge, at least `n` if there are as many.
  /// `whole_if_small`: where the Krylov space would be the whole space, the matrix is solved as a whole. Many motions
  /// that nothing hinders have so few eigenvalues of their own that the space ends before, and SLEPc fails.
  /// `part`: of the vectors, that of this process.
  std::vector<Eigenpair> solve(int n, bool whole_if_small, const OwnPart* part = nullptr,
                               const Team& team = Team::alone()) {
    // A Krylov space that starts from one vector finds the second of two equal eigenvalues (a round shaft bends in two
    // planes) only through round-off, and therefore late. Asking for more than needed gives it the time.
    constexpr int n_extra = 8;
    PetscInt size = 0;
    check(MatGetSize(A_, &size, nullptr));
    const PetscInt n_asked = std::min<PetscInt>(n + n_extra, size);
    const PetscInt n_space = 2 * n_asked + 20;
    if (whole_if_small && n_space >= size) check(EPSSetType(eps_, EPSLAPACK));
    check(EPSSetDimensions(eps_, n_asked, std::min<PetscInt>(size, n_space), PETSC_DEFAULT));
    check(EPSSetFromOptions(eps_));
    // Products beyond the range of numbers are an error to SLEPc.
    if (EPSSolve(eps_) != 0)
      throw NumericalFailure(
          "no natural frequencies: stiffnesses and masses are too large, too small or too different for any computer; "
          "look at the units");
    PetscInt n_converged = 0;
    check(EPSGetConverged(eps_, &n_converged));
    Vec real = nullptr, imaginary = nullptr;
    check(MatCreateVecs(A_, &real, &imaginary));
    std::vector<Eigenpair> pairs;
    for (PetscInt k = 0; k < n_converged; ++k) {
      PetscScalar value_real = 0.0, value_imaginary = 0.0;
      check(EPSGetEigenpair(eps_, k, &value_real, &value_imaginary, real, imaginary));
      Eigenpair pair{{value_real, value_imaginary}, std::vector<std::complex<double>>(size)};
      const std::vector<double> re = whole(real, size, part, team), im = whole(imaginary, size, part, team);
      for (PetscInt i = 0; i < size; ++i) pair.vector[i] = {re[i], im[i]};
      pairs.push_back(std::move(pair));
    }
    VecDestroy(&real);
    VecDestroy(&imaginary);
    return pairs;
  }

 private:
  /// With what the other processes have of it.
  static std::vector<double> whole(Vec vector, PetscInt size, const OwnPart* part, const Team& team) {
    std::vector<double> result(size);
    const PetscScalar* values = nullptr;
    check(VecGetArrayRead(vector, &values));
    if (part)
      part->unpack(values, result);
    else
      std::copy_n(values, size, result.begin());
    check(VecRestoreArrayRead(vector, &values));
    if (part) team.complete(result, part->parts());
    return result;
  }

  static constexpr double tolerance = 1e-12;
  static constexpr int max_restarts = 1000;
  EPS eps_ = nullptr;
  Mat A_ = nullptr, B_ = nullptr;
};

/// The `n` pairs with eigenvalues closest to the shift. Infinite ones, which round-off makes very large, are the last.
std::vector<Eigenpair> closest(std::vector<Eigenpair> pairs, int n, double shift) {
  std::sort(pairs.begin(), pairs.end(), [&](const Eigenpair& a, const Eigenpair& b) {
    return std::abs(a.value - shift) < std::abs(b.value - shift);
  });
  if (static_cast<int>(pairs.size()) > n) pairs.resize(n);
  return pairs;
}

[[noreturn]] void throw_singular() {
  throw NumericalFailure(
      "no natural frequencies: the equations are singular (do joints contradict or repeat each other?)");
}

/// Inverse iteration for (value^2 M + value C + K) x = 0 as a problem of twice the size, z = (x, value x / shift)
/// without multipliers: eigenvalues theta = 1/(value - shift) of an operator that needs only a factorisation of the
/// quadratic polynomial at the shift.
class QuadraticInverse {
 public:
  QuadraticInverse(const BlockMatrix& K, BlockMatrix& C, BlockMatrix& M, int n_dofs, double shift,
                   const SharedOut& shared)
      : C_(C), M_(M), shift_(shift), n_dofs_(n_dofs), team_(shared.team), factorisation_(shared.team) {
    BlockMatrix polynomial = K;
    for (std::size_t k = 0; k < polynomial.value().size(); ++k)
      polynomial.value()[k] += shift * (C.value()[k] + shift * M.value()[k]);
    polynomial_ = BlockMatrix(polynomial, shared.owners);
    parts_ = polynomial_.parts();
    if (!factorisation_.factorise(polynomial_)) throw_singular();
    for (auto* list : {&right_side_, &product_, &x_, &velocity_}) list->assign(K.size(), 0.0);
  }

  Mat matrix() {
    Mat mat = nullptr;
    const int n = 2 * n_dofs_;
    check(MatCreateShell(PETSC_COMM_SELF, n, n, n, n, this, &mat));
    check(MatShellSetOperation(mat, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
    return mat;
  }

 private:
  /// From (x, v) to (y, u), where P(shift) y = -(C x + M (v + shift x)) and u = x + shift y; v and u divided by shift.
  void apply(std::span<const double> z, std::span<double> result) {
    for (int k = 0; k < n_dofs_; ++k) {
      x_[k] = z[k];
      velocity_[k] = shift_ * (z[n_dofs_ + k] + z[k]);
    }
    M_.multiply(velocity_, right_side_);
    C_.multiply(x_, product_);
    for (std::size_t k = 0; k < right_side_.size(); ++k) right_side_[k] = -(right_side_[k] + product_[k]);
    factorisation_.solve(right_side_);
    team_.complete(right_side_, parts_);
    for (int k = 0; k < n_dofs_; ++k) {
      result[k] = right_side_[k];
      result[n_dofs_ + k] = x_[k] / shift_ + right_side_[k];
    }
  }

  static PetscErrorCode multiply(Mat mat, Vec x, Vec y) {
    QuadraticInverse* self = nullptr;
    const PetscScalar* x_values = nullptr;
    PetscScalar* y_values = nullptr;
    PetscCall(MatShellGetContext(mat, &self));
    const auto n = static_cast<std::size_t>(2 * self->n_dofs_);
    PetscCall(VecGetArrayRead(x, &x_values));
    PetscCall(VecGetArray(y, &y_values));
    self->apply({x_values, n}, {y_values, n});
    PetscCall(VecRestoreArray(y, &y_values));
    PetscCall(VecRestoreArrayRead(x, &x_values));
    return 0;
  }

  BlockMatrix &C_, &M_;
  double shift_;
  int n_dofs_;
  const Team& team_;
  BlockMatrix polynomial_;
  Parts parts_;
  WholeFactorisation factorisation_;
  std::vector<double> right_side_, product_, x_, velocity_;
};

}  // namespace

std::vector<Eigenpair> symmetric_eigenpairs(BlockMatrix& K, BlockMatrix& M, int n, double shift,
                                            const SharedOut& shared) {
  BlockMatrix own_K(K, shared.owners), own_M(M, shared.owners);
  BlockMatrix shifted = own_K;
  for (std::size_t k = 0; k < shifted.value().size(); ++k) shifted.value()[k] -= shift * own_M.value()[k];
  const Team& team = team_of(shifted, shared.team);
  EigenSolver solver(team.size() == 1 ? PETSC_COMM_SELF : PETSC_COMM_WORLD);
  solver.set_operators(share_with_petsc(own_K, team), share_with_petsc(own_M, team));
  check(EPSSetProblemType(solver.eps(), EPS_GHEP));
  check(EPSSetTarget(solver.eps(), shift));
  check(EPSSetWhichEigenpairs(solver.eps(), EPS_TARGET_MAGNITUDE));
  ST transformation = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(EPSGetST(solver.eps(), &transformation));
  check(STSetType(transformation, STSINVERT));
  check(STSetMatMode(transformation, ST_MATMODE_SHELL));
  check(STGetKSP(transformation, &ksp));
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  const DirectPreconditioner factorisation(pc, shifted, DirectPreconditioner::Use::solution, team);
  const OwnPart part(shifted, team);
  std::vector<Eigenpair> pairs = closest(solver.solve(n, false, team.size() == 1 ? nullptr : &part, team), n, shift);
  if (factorisation.singular()) throw_singular();
  return pairs;
}

std::vector<Eigenpair> quadratic_eigenpairs(BlockMatrix& K, BlockMatrix& C, BlockMatrix& M, int n_dofs, int n,
                                            double shift, const SharedOut& shared) {
  // Its Krylov space is small beside the factors: each process has the whole of it.
  QuadraticInverse inverse(K, C, M, n_dofs, shift, shared);
  EigenSolver solver;
  solver.set_operators(inverse.matrix(), nullptr);
  check(EPSSetProblemType(solver.eps(), EPS_NHEP));
  check(EPSSetWhichEigenpairs(solver.eps(), EPS_LARGEST_MAGNITUDE));
  std::vector<Eigenpair> pairs = solver.solve(n, true);
  double largest = 0.0;
  for (const Eigenpair& pair : pairs) largest = std::max(largest, std::abs(pair.value));
  // Those are infinite: of joint equations.
  std::erase_if(pairs, [&](const Eigenpair& pair) { return !(std::abs(pair.value) > 1e-15 * largest); });
  for (Eigenpair& pair : pairs) {
    pair.value = shift + 1.0 / pair.value;
    pair.vector.resize(n_dofs);
  }
  return closest(std::move(pairs), n, shift);
}

}  // namespace freeplay
