#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

/// The rows that this process has of a sparse matrix, compressed, with the numbers of columns through all processes:
/// first those of the first process, then those of the second, ...
struct SparseRows {
  int n = 0;      ///< rows of this process
  int n_all = 0;  ///< of all
  int* row_start = nullptr;
  int* column = nullptr;
  double* value = nullptr;
};

/// Numbers that some unknowns have through all processes.
struct SharedNumbers {
  /// `is_mine`: per unknown, whether it is one of them and belongs to this process.
  SharedNumbers(const std::vector<char>& is_mine, const Team& team);
  std::vector<int> of;    ///< per unknown; -1: it is not one of them
  std::vector<int> mine;  ///< unknowns of this process, in order
  int n_all = 0;
};

/// LU factors of a sparse matrix with partial pivoting.
class SparseFactorisation {
 public:
  virtual ~SparseFactorisation() = default;
  /// The pattern must always be the same. Returns false if the matrix is singular.
  virtual bool factorise(const SparseRows& rows) = 0;
  /// x holds this process's part of the right-hand side and becomes that of the solution.
  virtual void solve(std::span<double> x) = 0;
  virtual double bytes() const = 0;  ///< of the factors, on this process
};

/// Of a single process KLU or MUMPS, whichever suits the first matrix; MUMPS if there are several processes.
std::unique_ptr<SparseFactorisation> sparse_factorisation(const Team& team);

/// By any package that PETSc knows under this name.
std::unique_ptr<SparseFactorisation> petsc_factorisation(const std::string& package, const Team& team);

/// A whole BlockMatrix.
class WholeFactorisation {
 public:
  explicit WholeFactorisation(const Team& team) : team_(&team) {}
  bool factorise(BlockMatrix& matrix);
  /// The part of x that belongs to this process is replaced.
  void solve(std::span<double> x);
  double bytes() const {
    return (factorisation_ ? factorisation_->bytes() : 0.0) + 12.0 * static_cast<double>(value_.size());
  }

 private:
  void set_up(const BlockMatrix& pattern);

  const Team* team_;
  std::unique_ptr<SparseFactorisation> factorisation_;
  // Of several processes, the rows of this one.
  std::unique_ptr<SharedNumbers> numbers_;
  std::vector<int> row_start_, column_, from_;
  std::vector<double> value_, own_;
};

}  // namespace freeplay
