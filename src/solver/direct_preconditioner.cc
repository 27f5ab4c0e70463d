#include "direct_preconditioner.h"

#include "petsc_error.h"

namespace freeplay {

DirectPreconditioner::DirectPreconditioner(PC pc, BlockMatrix& matrix) : matrix_(matrix), factorisation_(matrix) {
  check(PCSetType(pc, PCSHELL));
  check(PCShellSetContext(pc, this));
  check(PCShellSetName(pc, "direct"));
  check(PCShellSetSetUp(pc, set_up));
  check(PCShellSetApply(pc, apply));
}

PetscErrorCode DirectPreconditioner::set_up(PC pc) {
  DirectPreconditioner* self = nullptr;
  PetscCall(PCShellGetContext(pc, &self));
  ++self->n_factorisations_;
  self->singular_ = !self->factorisation_.factorise(self->matrix_);
  PetscCall(PCSetFailedReason(pc, self->singular_ ? PC_FACTOR_NUMERIC_ZEROPIVOT : PC_NOERROR));
  return 0;
}

PetscErrorCode DirectPreconditioner::apply(PC pc, Vec x, Vec y) {
  DirectPreconditioner* self = nullptr;
  PetscCall(PCShellGetContext(pc, &self));
  PetscCall(VecCopy(x, y));
  if (self->singular_) return 0;
  PetscScalar* values = nullptr;
  PetscCall(VecGetArray(y, &values));
  self->factorisation_.solve({values, static_cast<std::size_t>(self->matrix_.size())});
  PetscCall(VecRestoreArray(y, &values));
  return 0;
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
