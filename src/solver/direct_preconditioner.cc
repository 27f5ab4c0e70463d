#include "direct_preconditioner.h"

#include <Eigen/Core>
#include <cmath>
#include <string_view>

#include "petsc_error.h"

namespace freeplay {

namespace {

using Precision = FrontalFactorisation::Precision;

/// Smaller factors are in the cache, and take the same time in either precision.
constexpr std::size_t large = 4 << 20;  // bytes

}  // namespace

DirectPreconditioner::DirectPreconditioner(PC pc, BlockMatrix& matrix, Use use, const Team& team)
    : matrix_(matrix), team_(team), own_(matrix, team), factorisation_(matrix, team), precision_(Precision::full) {
  double bytes = static_cast<double>(factorisation_.bytes_of_factors());
  team.largest({&bytes, 1});
  if (use == Use::correction && bytes > large) precision_ = Precision::single;
  factorisation_.make_room(precision_);
  if (precision_ == Precision::single) left_.resize(matrix.size());
  if (team.size() > 1)
    for (auto* list : {&right_side_, &solution_}) list->resize(matrix.size());
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetContext(pc, this));
  check(PCShellSetName(pc, "direct"));
  check(PCShellSetSetUp(pc, set_up));
  check(PCShellSetApply(pc, apply));
}

void DirectPreconditioner::factorise() {
  ++n_factorisations_;
  singular_ = !factorisation_.factorise(matrix_, precision_);
  is_checked_ = is_full();
}

bool DirectPreconditioner::is_full() const {
  return precision_ == Precision::full || factorisation_.is_left_as_a_whole();
}

double DirectPreconditioner::norm(std::span<const double> x) const {
  double square = own_.square(x);
  team_.sum({&square, 1});
  return std::sqrt(square);
}

/// What single precision leaves of a right-hand side depends on it: little of what is stiff, more of what is soft. If
/// it is little, one refinement removes it, so that Newton's method needs as few iterations as with full precision. If
/// it is not, full precision it is from now on: matrices of other steps are much the same.
void DirectPreconditioner::refine(std::span<const double> b, std::span<double> x) {
  is_checked_ = true;
  constexpr double little = 1e-3;  // an old Jacobian leaves much more
  const auto n = static_cast<Eigen::Index>(b.size());
  const Eigen::Map<const Eigen::VectorXd> wanted(b.data(), n);
  Eigen::Map<Eigen::VectorXd> solution(x.data(), n), left(left_.data(), n);
  team_.complete(x, own_.parts());
  matrix_.multiply(x, left_);
  left = wanted - left;
  if (norm(left_) <= little * norm(b)) {
    factorisation_.solve(left_);
    solution += left;
    return;
  }
  precision_ = Precision::full;
  factorise();
  solution = wanted;
  if (!singular_) factorisation_.solve(x);
}

PetscErrorCode DirectPreconditioner::set_up(PC pc) {
  DirectPreconditioner* self = nullptr;
  PetscCall(PCShellGetContext(pc, &self));
  self->factorise();
  PetscCall(PCSetFailedReason(pc, self->singular_ ? PC_FACTOR_NUMERIC_ZEROPIVOT : PC_NOERROR));
  return 0;
}

PetscErrorCode DirectPreconditioner::apply(PC pc, Vec x, Vec y) {
  DirectPreconditioner* self = nullptr;
  PetscCall(PCShellGetContext(pc, &self));
  if (self->singular_) return VecCopy(x, y);
  const PetscScalar* right_side = nullptr;
  PetscScalar* values = nullptr;
  PetscCall(VecGetArrayRead(x, &right_side));
  PetscCall(VecGetArray(y, &values));
  const auto n = static_cast<std::size_t>(self->matrix_.size());
  if (self->team_.size() == 1) {
    std::copy_n(right_side, n, values);
    self->solve({right_side, n}, {values, n});
  } else {
    self->own_.unpack(right_side, self->right_side_);
    self->own_.unpack(right_side, self->solution_);
    self->solve(self->right_side_, self->solution_);
    self->own_.pack(self->solution_, values);
  }
  PetscCall(VecRestoreArray(y, &values));
  PetscCall(VecRestoreArrayRead(x, &right_side));
  if (!self->singular_) return 0;
  // Full precision found what single precision had not.
  PetscCall(PCSetFailedReason(pc, PC_FACTOR_NUMERIC_ZEROPIVOT));
  return VecSet(y, PETSC_INFINITY);
}

void DirectPreconditioner::solve(std::span<const double> b, std::span<double> x) {
  factorisation_.solve(x);
  if (!is_checked_) refine(b, x);
}

namespace {

/// What a matrix of several processes needs to be multiplied.
struct SharedProduct {
  const BlockMatrix& matrix;
  const Team& team;
  OwnPart own;
  std::vector<double> x, y;

  static PetscErrorCode multiply(Mat mat, Vec x, Vec y) {
    SharedProduct* self = nullptr;
    const PetscScalar* from = nullptr;
    PetscScalar* to = nullptr;
    PetscCall(MatShellGetContext(mat, &self));
    PetscCall(VecGetArrayRead(x, &from));
    PetscCall(VecGetArray(y, &to));
    self->own.unpack(from, self->x);
    self->team.complete(self->x, self->own.parts());
    self->matrix.multiply(self->x, self->y);
    self->own.pack(self->y, to);
    PetscCall(VecRestoreArray(y, &to));
    return VecRestoreArrayRead(x, &from);
  }
  static PetscErrorCode destroy(Mat mat) {
    SharedProduct* self = nullptr;
    PetscCall(MatShellGetContext(mat, &self));
    delete self;
    return 0;
  }
};

}  // namespace

Mat share_with_petsc(BlockMatrix& matrix, const Team& team) {
  Mat mat = nullptr;
  const int n = matrix.size();
  if (team.size() == 1) {
    check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, matrix.row_start().data(), matrix.column().data(),
                                    matrix.value().data(), &mat));
    return mat;
  }
  auto* product = new SharedProduct{matrix, team, OwnPart(matrix, team), {}, {}};
  for (auto* list : {&product->x, &product->y}) list->resize(n);
  check(MatCreateShell(PETSC_COMM_WORLD, product->own.size(), product->own.size(), n, n, product, &mat));
  check(MatShellSetOperation(mat, MATOP_MULT, reinterpret_cast<void (*)()>(SharedProduct::multiply)));
  check(MatShellSetOperation(mat, MATOP_DESTROY, reinterpret_cast<void (*)()>(SharedProduct::destroy)));
  return mat;
}

void changed(Mat matrix) {
  MatType type = nullptr;
  check(MatGetType(matrix, &type));
  if (std::string_view(type) == MATSHELL) {
    check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    return check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  }
  // Returning the array is what tells PETSc that the values are new.
  PetscScalar* values = nullptr;
  check(MatSeqAIJGetArray(matrix, &values));
  check(MatSeqAIJRestoreArray(matrix, &values));
}

}  // namespace freeplay
