#include "klu_pivots.h"

#include <klu.h>

#include <Eigen/Core>
#include <cmath>

namespace freeplay {

namespace {

/// A factorisation and its memory.
struct UnpivotedLu {
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  explicit UnpivotedLu(BlockMatrix& matrix) {
    klu_defaults(&common);
    common.btf = 0;    // one block: the pivots of all unknowns
    common.tol = 0.0;  // the diagonal element, however small
    common.scale = 0;
    common.halt_if_singular = 0;
    symbolic = klu_analyze(matrix.size(), matrix.row_start().data(), matrix.column().data(), &common);
    if (symbolic)
      numeric = klu_factor(matrix.row_start().data(), matrix.column().data(), matrix.value().data(), symbolic, &common);
  }
  ~UnpivotedLu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  UnpivotedLu(const UnpivotedLu&) = delete;
  UnpivotedLu& operator=(const UnpivotedLu&) = delete;
};

bool is_symmetric(const BlockMatrix& matrix) {
  constexpr double round_off = 1e-9;
  for (int row = 0; row < matrix.size(); ++row)
    for (int k = matrix.row_start()[row]; k < matrix.row_start()[row + 1]; ++k) {
      const int column = matrix.column()[k];
      const double size = std::sqrt(std::abs(matrix.at(row, row) * matrix.at(column, column)));
      if (std::abs(matrix.value()[k] - matrix.at(column, row)) > round_off * size) return false;
    }
  return true;
}

/// Whether the matrix has no stiffness against a motion. A small pivot alone does not tell: what eliminating others
/// leaves of round-off in it may be as much as a slender beam has in one. So the motion is found, by inverse iteration
/// from the unknown of that pivot, and the sum of the terms of its stiffness is compared with what rounding each of
/// them makes of it.
bool is_singular(UnpivotedLu& klu, const BlockMatrix& matrix, int unknown) {
  constexpr double round_off = 3e-13;  // of terms that are themselves sums, of positions far from the origin
  constexpr int n_iterations = 2;
  Eigen::VectorXd motion = Eigen::VectorXd::Unit(matrix.size(), unknown);
  for (int k = 0; k < n_iterations; ++k) {
    // KLU takes rows for columns.
    if (!klu_tsolve(klu.symbolic, klu.numeric, matrix.size(), 1, motion.data(), &klu.common)) return true;
    motion.normalize();
    if (!motion.allFinite()) return true;
  }
  double sum = 0.0, squares = 0.0;
  for (int row = 0; row < matrix.size(); ++row)
    for (int k = matrix.row_start()[row]; k < matrix.row_start()[row + 1]; ++k) {
      const double term = motion[row] * matrix.value()[k] * motion[matrix.column()[k]];
      sum += term;
      squares += term * term;
    }
  return !(std::abs(sum) > round_off * std::sqrt(squares));
}

}  // namespace

Pivots diagonal_pivots(BlockMatrix& matrix) {
  Pivots result;
  if (matrix.size() == 0) return result;
  UnpivotedLu klu(matrix);
  if (!klu.numeric) return {0, true, true};
  result.symmetric = is_symmetric(matrix);
  constexpr double small = 1e-9, noise = 1e-10;  // beside the diagonal element that it was
  const auto* pivot = static_cast<const double*>(klu.numeric->Udiag);
  int smallest = 0;
  double smallest_share = INFINITY;
  int clearly_negative = 0;
  for (int k = 0; k < matrix.size(); ++k) {
    const int unknown = klu.symbolic->Q[k];
    const double share = pivot[k] / std::abs(matrix.at(unknown, unknown));
    if (!(std::abs(share) > 0.0)) result.singular = true;
    if (std::abs(share) < smallest_share) {
      smallest_share = std::abs(share);
      smallest = unknown;
    }
    if (pivot[k] < 0.0) ++result.negative;
    if (share < -noise) ++clearly_negative;
  }
  if (smallest_share < small && !result.singular) result.singular = is_singular(klu, matrix, smallest);
  if (result.singular) result.negative = clearly_negative;  // the sign of what should be zero says nothing
  return result;
}

}  // namespace freeplay
