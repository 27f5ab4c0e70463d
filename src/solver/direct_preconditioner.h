#pragma once

#include <petscksp.h>

#include "freeplay/math/block_matrix.h"
#include "frontal_factorisation.h"

namespace freeplay {

/// A PETSc preconditioner that solves with a factorisation of a BlockMatrix. PETSc renews it when the matrix has
/// changed. Other preconditioners can be chosen with PETSc options (-pc_type ...).
class DirectPreconditioner {
 public:
  /// What its solutions are for: corrections of Newton's method need only a few digits, as the next one mends what is
  /// left. For these the factors of a large matrix are kept in single precision as long as that proves good enough.
  enum class Use { solution, correction };

  DirectPreconditioner(PC pc, BlockMatrix& matrix, Use use);

  int n_factorisations() const { return n_factorisations_; }
  bool singular() const { return singular_; }
  FrontalFactorisation::Precision precision() const { return precision_; }

  /// Checks the next solution, as the first one with new factors. The matrix must still be the one that was factorised.
  void check_next() { is_checked_ = is_full(); }

 private:
  static PetscErrorCode set_up(PC pc);
  static PetscErrorCode apply(PC pc, Vec x, Vec y);
  void factorise();
  bool is_full() const;
  void refine(std::span<const double> b, std::span<double> x);

  BlockMatrix& matrix_;
  FrontalFactorisation factorisation_;
  FrontalFactorisation::Precision precision_;
  bool is_checked_ = false;   ///< whether the factors at hand are good enough
  std::vector<double> left_;  ///< of a right-hand side
  int n_factorisations_ = 0;
  bool singular_ = false;
};

/// A PETSc matrix that shares the memory of `matrix`; call `changed` after its values have been changed.
Mat share_with_petsc(BlockMatrix& matrix);
void changed(Mat matrix);

}  // namespace freeplay
