#pragma once

#include <petscksp.h>

#include "freeplay/math/block_matrix.h"
#include "frontal_factorisation.h"

namespace freeplay {

/// A PETSc preconditioner that solves with a factorisation of a BlockMatrix. PETSc renews it when, and only when,
/// the matrix has changed. Other preconditioners can be chosen with PETSc options (-pc_type ...).
class DirectPreconditioner {
 public:
  DirectPreconditioner(PC pc, BlockMatrix& matrix);

  int n_factorisations() const { return n_factorisations_; }
  bool singular() const { return singular_; }

 private:
  static PetscErrorCode set_up(PC pc);
  static PetscErrorCode apply(PC pc, Vec x, Vec y);

  BlockMatrix& matrix_;
  FrontalFactorisation factorisation_;
  int n_factorisations_ = 0;
  bool singular_ = false;
};

/// A PETSc matrix that shares the memory of `matrix`; call `changed` after its values have been changed.
Mat share_with_petsc(BlockMatrix& matrix);
void changed(Mat matrix);

}  // namespace freeplay
