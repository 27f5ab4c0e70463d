#include "klu_pivots.h"

#include <klu.h>

#include <cmath>

namespace freeplay {

namespace {

/// A factorisation and its memory.
struct Klu {
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  explicit Klu(BlockMatrix& matrix) {
    klu_defaults(&common);
    common.btf = 0;    // one block: the pivots of all unknowns
    common.tol = 0.0;  // the diagonal element, however small
    common.scale = 0;
    common.halt_if_singular = 0;
    symbolic = klu_analyze(matrix.size(), matrix.row_start().data(), matrix.column().data(), &common);
    if (symbolic)
      numeric = klu_factor(matrix.row_start().data(), matrix.column().data(), matrix.value().data(), symbolic, &common);
  }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
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

}  // namespace

Pivots diagonal_pivots(BlockMatrix& matrix) {
  Pivots result;
  if (matrix.size() == 0) return result;
  const Klu klu(matrix);
  if (!klu.numeric) return {0, true, true};
  result.symmetric = is_symmetric(matrix);
  // What is left of a diagonal element of a slender beam is small, but far above round-off.
  constexpr double round_off = 1e-13;
  const auto* pivot = static_cast<const double*>(klu.numeric->Udiag);
  for (int k = 0; k < matrix.size(); ++k) {
    const int unknown = klu.symbolic->Q[k];
    if (!(std::abs(pivot[k]) > round_off * std::abs(matrix.at(unknown, unknown)))) result.singular = true;
    if (pivot[k] < 0.0) ++result.negative;
  }
  return result;
}

}  // namespace freeplay
