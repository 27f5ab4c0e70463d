#pragma once

#include <klu.h>

#include <span>

namespace freeplay {

/// Sparse LU with partial pivoting by KLU. A matrix of a known pattern is factorised again with the old pivots and in
/// the old memory, unless that would lose accuracy.
class KluFactorisation {
 public:
  KluFactorisation() { klu_defaults(&common_); }
  ~KluFactorisation();
  KluFactorisation(const KluFactorisation&) = delete;
  KluFactorisation& operator=(const KluFactorisation&) = delete;

  /// Of a pattern: estimated operations of a factorisation for each number of its factors.
  static double operations_per_number(int n, int* row_start, int* column);

  /// Compressed rows. Returns false if the matrix is singular.
  bool factorise(int n, int* row_start, int* column, double* value);
  /// x holds the right-hand side and becomes the solution.
  void solve(std::span<double> x);
  double bytes() const { return static_cast<double>(common_.memusage); }

 private:
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  double first_rcond_ = 0.0;
};

}  // namespace freeplay
