#include "direct_preconditioner.h"

#include <Eigen/Core>

#include "petsc_error.h"

namespace freeplay {

namespace {

using Precision = FrontalFactorisation::Precision;

/// Smaller factors are in the cache, and take the same time in either precision.
constexpr std::size_t large = 4 << 20;  // bytes

}  // namespace

DirectPreconditioner::DirectPreconditioner(PC pc, BlockMatrix& matrix, Use use)
    : matrix_(matrix),
      factorisation_(matrix),
      precision_(use == Use::correction && factorisation_.bytes_of_factors() > large ? Precision::single
                                                                                     : Precision::full) {
  factorisation_.make_room(precision_);
  if (precision_ == Precision::single) left_.resize(matrix.size());
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

bool DirectPreconditioner::is_full() const { return precision_ == Precision::full || factorisation_.is_left_to_klu(); }

/// What single precision leaves of a right-hand side depends on it: little of what is stiff, more of what is soft. If
/// it is little, one refinement removes it, so that Newton's method needs as few iterations as with full precision. If
/// it is not, full precision it is from now on: matrices of other steps are much the same.
void DirectPreconditioner::refine(std::span<const double> b, std::span<double> x) {
  is_checked_ = true;
  constexpr double little = 1e-3;  // an old Jacobian leaves much more
  const auto n = static_cast<Eigen::Index>(b.size());
  const Eigen::Map<const Eigen::VectorXd> wanted(b.data(), n);
  Eigen::Map<Eigen::VectorXd> solution(x.data(), n), left(left_.data(), n);
  matrix_.multiply(x, left_);
  left = wanted - left;
  if (left.norm() <= little * wanted.norm()) {
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
  PetscCall(VecCopy(x, y));
  if (self->singular_) return 0;
  const PetscScalar* right_side = nullptr;
  PetscScalar* values = nullptr;
  const auto n = static_cast<std::size_t>(self->matrix_.size());
  PetscCall(VecGetArrayRead(x, &right_side));
  PetscCall(VecGetArray(y, &values));
  self->factorisation_.solve({values, n});
  if (!self->is_checked_) self->refine({right_side, n}, {values, n});
  PetscCall(VecRestoreArray(y, &values));
  PetscCall(VecRestoreArrayRead(x, &right_side));
  if (!self->singular_) return 0;
  // Full precision found what single precision had not.
  PetscCall(PCSetFailedReason(pc, PC_FACTOR_NUMERIC_ZEROPIVOT));
  return VecSet(y, PETSC_INFINITY);
}

Mat share_with_petsc(BlockMatrix& matrix) {
  Mat mat = nullptr;
  const int n = matrix.size();
  check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, matrix.row_start().data(), matrix.column().data(),
                                  matrix.value().data(), &mat));
  return mat;
}

void changed(Mat matrix) {
  // Returning the array is what tells PETSc that the values are new.
  PetscScalar* values = nullptr;
  check(MatSeqAIJGetArray(matrix, &values));
  check(MatSeqAIJRestoreArray(matrix, &values));
}

}  // namespace freeplay
