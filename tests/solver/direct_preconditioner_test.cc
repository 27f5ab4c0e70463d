#include "solver/direct_preconditioner.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scheme/simulation_testing.h"
#include "solver/petsc_error.h"

namespace freeplay {
namespace {

using Precision = FrontalFactorisation::Precision;
using Use = DirectPreconditioner::Use;
using Block = Eigen::Matrix<double, 12, 12>;

/// A chain of elements with two inner nodes, 12 unknowns per node.
BlockMatrix chain(int n_elements) {
  std::vector<std::pair<int, int>> couplings;
  for (int e = 0; e < n_elements; ++e)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) couplings.emplace_back(3 * e + a, 3 * e + b);
  return {std::vector<int>(3 * n_elements + 1, 12), couplings};
}

/// Arbitrary numbers and a large diagonal; all nodes are `stiffness` times as stiff in one direction.
void fill(BlockMatrix& matrix, double stiffness) {
  for (std::size_t k = 0; k < matrix.value().size(); ++k)
    matrix.value()[k] = std::sin(1.0 + 3.7 * static_cast<double>(k * k % 1013));
  Eigen::Matrix<double, 12, 1> direction;
  for (int k = 0; k < 12; ++k) direction[k] = std::cos(static_cast<double>(k));
  const Block diagonal = 20.0 * Block::Identity() + stiffness * direction * direction.transpose();
  for (int n = 0; n < matrix.n_blocks(); ++n) matrix.add(n, n, diagonal);
}

/// A KSP that does nothing but apply the preconditioner.
class Solver {
 public:
  Solver(BlockMatrix& matrix, Use use) : matrix_(matrix) {
    test_solvers();  // starts PETSc
    mat = share_with_petsc(matrix);
    check(KSPCreate(PETSC_COMM_SELF, &ksp_));
    check(KSPSetType(ksp_, KSPPREONLY));
    check(KSPSetOperators(ksp_, mat, mat));
    PC pc = nullptr;
    check(KSPGetPC(ksp_, &pc));
    preconditioner = std::make_unique<DirectPreconditioner>(pc, matrix, use);
    check(VecCreateSeq(PETSC_COMM_SELF, matrix.size(), &x_));
    check(VecDuplicate(x_, &b_));
  }
  ~Solver() {
    VecDestroy(&x_);
    VecDestroy(&b_);
    KSPDestroy(&ksp_);
    MatDestroy(&mat);
  }

  /// Returns which part of the right-hand side is left.
  double part_left() {
    const auto n = static_cast<std::size_t>(matrix_.size());
    Eigen::VectorXd b(n), product(n);
    for (std::size_t k = 0; k < n; ++k) b[k] = std::cos(static_cast<double>(k));
    PetscScalar* values = nullptr;
    check(VecGetArray(b_, &values));
    std::copy_n(b.data(), n, values);
    check(VecRestoreArray(b_, &values));
    check(KSPSolve(ksp_, b_, x_));
    check(VecGetArray(x_, &values));
    matrix_.multiply({values, n}, {product.data(), n});
    check(VecRestoreArray(x_, &values));
    return (b - product).norm() / b.norm();
  }

  Mat mat = nullptr;  ///< tell it when the numbers have changed
  std::unique_ptr<DirectPreconditioner> preconditioner;

 private:
  BlockMatrix& matrix_;
  KSP ksp_ = nullptr;
  Vec x_ = nullptr, b_ = nullptr;
};

constexpr int many = 300, few = 20;  // elements
constexpr double soft = 1.0, stiff = 1e9;

// Protects: factors of large matrices are kept in single precision for corrections only, small ones never are; the
// first solution is refined, the others are as good as single precision makes them.
TEST(DirectPreconditioner, single_precision_for_corrections_with_large_matrices) {
  constexpr double single_round_off = 1e-5, refined = 1e-10, round_off = 1e-13;
  for (const int n_elements : {few, many})
    for (const Use use : {Use::solution, Use::correction}) {
      BlockMatrix matrix = chain(n_elements);
      fill(matrix, soft);
      Solver solver(matrix, use);
      const double first = solver.part_left(), left = solver.part_left();
      solver.preconditioner->check_next();
      const double checked = solver.part_left();
      const bool is_single = n_elements == many && use == Use::correction;
      EXPECT_EQ(solver.preconditioner->precision(), is_single ? Precision::single : Precision::full);
      for (const double each : {first, checked}) EXPECT_LT(each, is_single ? refined : round_off);
      EXPECT_LT(left, is_single ? single_round_off : round_off);
      EXPECT_TRUE(!is_single || left > refined) << left;
      EXPECT_EQ(solver.preconditioner->n_factorisations(), 1);
    }
}

// Protects: where single precision loses the soft directions of a matrix, the very solution that shows it is made again
// in full precision, and so are all that follow.
TEST(DirectPreconditioner, single_precision_proves_itself) {
  BlockMatrix matrix = chain(many);
  fill(matrix, soft);
  Solver solver(matrix, Use::correction);
  solver.part_left();
  ASSERT_EQ(solver.preconditioner->precision(), Precision::single);
  fill(matrix, stiff);
  changed(solver.mat);
  constexpr double round_off = 1e-5;  // 1e9 times 1e-16, and a hundred for the sum of many
  EXPECT_LT(solver.part_left(), round_off);
  EXPECT_EQ(solver.preconditioner->precision(), Precision::full);
  EXPECT_EQ(solver.preconditioner->n_factorisations(), 3);
  fill(matrix, soft);
  changed(solver.mat);
  EXPECT_LT(solver.part_left(), 1e-13);
  EXPECT_EQ(solver.preconditioner->n_factorisations(), 4);
}

// Protects: numbers that single precision has not are found like those that it loses.
TEST(DirectPreconditioner, numbers_beyond_single_precision) {
  BlockMatrix matrix = chain(many);
  fill(matrix, soft);
  for (double& value : matrix.value()) value *= 1e-50;  // factors have the inverse
  Solver solver(matrix, Use::correction);
  EXPECT_LT(solver.part_left(), 1e-12);
  EXPECT_EQ(solver.preconditioner->precision(), Precision::full);
}

}  // namespace
}  // namespace freeplay
