#include "sparse_factorisation.h"

#include <petscmat.h>

#include <algorithm>
#include <cmath>

#include "klu_factorisation.h"
#include "own_part.h"
#include "petsc_error.h"

namespace freeplay {

namespace {

class Klu : public SparseFactorisation {
 public:
  bool factorise(const SparseRows& rows) override {
    return factorisation_.factorise(rows.n, rows.row_start, rows.column, rows.value);
  }
  void solve(std::span<double> x) override { factorisation_.solve(x); }
  double bytes() const override { return factorisation_.bytes(); }

 private:
  KluFactorisation factorisation_;
};

class Petsc : public SparseFactorisation {
 public:
  Petsc(std::string package, const Team& team) : package_(std::move(package)), is_alone_(team.size() == 1) {}
  ~Petsc() override {
    VecDestroy(&b_);
    VecDestroy(&x_);
    MatDestroy(&factors_);
    MatDestroy(&matrix_);
  }
  Petsc(const Petsc&) = delete;
  Petsc& operator=(const Petsc&) = delete;

  bool factorise(const SparseRows& rows) override {
    MatFactorInfo info;
    check(MatFactorInfoInitialize(&info));
    if (matrix_)
      renew(rows);
    else
      create(rows, info);
    if (!factors_) return false;
    check(MatLUFactorNumeric(factors_, matrix_, &info));
    MatFactorError error{};
    check(MatFactorGetError(factors_, &error));
    return error == MAT_FACTOR_NOERROR;
  }

  void solve(std::span<double> x) override {
    PetscScalar* values = nullptr;
    check(VecGetArrayWrite(b_, &values));
    std::copy(x.begin(), x.end(), values);
    check(VecRestoreArrayWrite(b_, &values));
    check(MatSolve(factors_, b_, x_));
    const PetscScalar* solution = nullptr;
    check(VecGetArrayRead(x_, &solution));
    std::copy_n(solution, x.size(), x.begin());
    check(VecRestoreArrayRead(x_, &solution));
  }

  double bytes() const override {
    // INFO(22) of MUMPS: memory that the factorisation used on this process, in millions of bytes.
    constexpr PetscInt used = 22;
    PetscInt millions = 0;
    if (factors_ && package_ == MATSOLVERMUMPS) check(MatMumpsGetInfo(factors_, used, &millions));
    return 1e6 * static_cast<double>(millions);
  }

 private:
  void create(const SparseRows& rows, const MatFactorInfo& info) {
    if (is_alone_)
      check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, rows.n, rows.n, rows.row_start, rows.column, rows.value,
                                      &matrix_));
    else
      check(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, rows.n, rows.n, rows.n_all, rows.n_all, rows.row_start,
                                      rows.column, rows.value, &matrix_));
    check(MatCreateVecs(matrix_, &x_, &b_));
    check(MatGetFactor(matrix_, package_.c_str(), MAT_FACTOR_LU, &factors_));
    check(MatLUFactorSymbolic(factors_, matrix_, nullptr, nullptr, &info));
  }

  void renew(const SparseRows& rows) {
    if (!is_alone_) return check(MatUpdateMPIAIJWithArray(matrix_, rows.value));
    // It shares the memory; returning the array is what tells PETSc that the values are new.
    PetscScalar* values = nullptr;
    check(MatSeqAIJGetArray(matrix_, &values));
    check(MatSeqAIJRestoreArray(matrix_, &values));
  }

  std::string package_;
  bool is_alone_;
  Mat matrix_ = nullptr, factors_ = nullptr;
  Vec b_ = nullptr, x_ = nullptr;
};

/// KLU works number by number, MUMPS with dense blocks: that pays where each number of the factors costs many
/// operations, as it does in nets, and not in chains, however long.
class ByFill : public SparseFactorisation {
 public:
  bool factorise(const SparseRows& rows) override {
    if (!chosen_) {
      constexpr double many =
          75.0;  // operations per number of the factors; measured with nets: both take the same time
      if (KluFactorisation::operations_per_number(rows.n, rows.row_start, rows.column) > many)
        chosen_ = petsc_factorisation(MATSOLVERMUMPS, Team::alone());
      else
        chosen_ = std::make_unique<Klu>();
    }
    return chosen_->factorise(rows);
  }
  void solve(std::span<double> x) override { chosen_->solve(x); }
  double bytes() const override { return chosen_ ? chosen_->bytes() : 0.0; }

 private:
  std::unique_ptr<SparseFactorisation> chosen_;
};

}  // namespace

SharedNumbers::SharedNumbers(const std::vector<char>& is_mine, const Team& team) : of(is_mine.size(), -1) {
  for (std::size_t k = 0; k < is_mine.size(); ++k)
    if (is_mine[k]) mine.push_back(static_cast<int>(k));
  const int n_mine = static_cast<int>(mine.size()), first = team.sum_before(n_mine);
  for (int k = 0; k < n_mine; ++k) of[mine[k]] = first + k;
  team.largest(of);
  int end = first + n_mine;
  team.largest({&end, 1});
  n_all = end;
}

std::unique_ptr<SparseFactorisation> petsc_factorisation(const std::string& package, const Team& team) {
  return std::make_unique<Petsc>(package, team);
}

std::unique_ptr<SparseFactorisation> sparse_factorisation(const Team& team) {
  if (team.size() == 1) return std::make_unique<ByFill>();
  return petsc_factorisation(MATSOLVERMUMPS, team);
}

/// Columns sorted by the numbers that they have through all processes.
void WholeFactorisation::set_up(const BlockMatrix& pattern) {
  std::vector<char> is_mine(pattern.size(), false);
  for (int block = 0; block < pattern.n_blocks(); ++block)
    if (pattern.is_mine(block)) std::fill_n(is_mine.begin() + pattern.first(block), pattern.block_size(block), true);
  numbers_ = std::make_unique<SharedNumbers>(is_mine, *team_);
  row_start_.push_back(0);
  for (const int row : numbers_->mine) {
    const int begin = static_cast<int>(from_.size());
    for (int k = pattern.row_start()[row]; k < pattern.row_start()[row + 1]; ++k) from_.push_back(k);
    const auto number = [&](int k) { return numbers_->of[pattern.column()[k]]; };
    std::sort(from_.begin() + begin, from_.end(), [&](int a, int b) { return number(a) < number(b); });
    for (std::size_t k = begin; k < from_.size(); ++k) column_.push_back(number(from_[k]));
    row_start_.push_back(static_cast<int>(from_.size()));
  }
  value_.resize(from_.size());
  own_.resize(numbers_->mine.size());
}

bool WholeFactorisation::factorise(BlockMatrix& matrix) {
  if (!factorisation_) {
    team_ = &team_of(matrix, *team_);
    factorisation_ = sparse_factorisation(*team_);
  }
  if (team_->size() == 1)
    return factorisation_->factorise(
        {matrix.size(), matrix.size(), matrix.row_start().data(), matrix.column().data(), matrix.value().data()});
  if (!numbers_) set_up(matrix);
  for (std::size_t k = 0; k < from_.size(); ++k) value_[k] = matrix.value()[from_[k]];
  return factorisation_->factorise(
      {static_cast<int>(own_.size()), numbers_->n_all, row_start_.data(), column_.data(), value_.data()});
}

void WholeFactorisation::solve(std::span<double> x) {
  if (team_->size() == 1) return factorisation_->solve(x);
  for (std::size_t k = 0; k < own_.size(); ++k) own_[k] = x[numbers_->mine[k]];
  factorisation_->solve(own_);
  for (std::size_t k = 0; k < own_.size(); ++k) x[numbers_->mine[k]] = own_[k];
}

}  // namespace freeplay
