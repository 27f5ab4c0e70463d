#include "klu_factorisation.h"

#include <algorithm>

namespace freeplay {

KluFactorisation::~KluFactorisation() {
  klu_free_numeric(&numeric_, &common_);
  klu_free_symbolic(&symbolic_, &common_);
}

double KluFactorisation::operations_per_number(int n, int* row_start, int* column) {
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(n, row_start, column, &common);
  if (!symbolic) return 0.0;
  const double result = symbolic->est_flops / std::max(1.0, symbolic->lnz + symbolic->unz);
  klu_free_symbolic(&symbolic, &common);
  return result;
}

bool KluFactorisation::factorise(int n, int* row_start, int* column, double* value) {
  // Compressed rows of A are compressed columns of A^T: KLU factorises A^T, and solve() uses its transpose.
  if (!symbolic_) symbolic_ = klu_analyze(n, row_start, column, &common_);
  if (!symbolic_) return false;
  if (numeric_) {
    // The old pivots are good as long as they do not lose more than two digits against the matrix they were chosen for.
    constexpr double acceptable_loss = 1e-2;
    if (klu_refactor(row_start, column, value, symbolic_, numeric_, &common_) && common_.status == KLU_OK &&
        klu_rcond(symbolic_, numeric_, &common_) && common_.rcond > acceptable_loss * first_rcond_)
      return true;
    klu_free_numeric(&numeric_, &common_);
  }
  numeric_ = klu_factor(row_start, column, value, symbolic_, &common_);
  if (!numeric_ || common_.status != KLU_OK) {
    klu_free_numeric(&numeric_, &common_);
    return false;
  }
  klu_rcond(symbolic_, numeric_, &common_);
  first_rcond_ = common_.rcond;
  return true;
}

void KluFactorisation::solve(std::span<double> x) {
  klu_tsolve(symbolic_, numeric_, static_cast<int>(x.size()), 1, x.data(), &common_);
}

}  // namespace freeplay
