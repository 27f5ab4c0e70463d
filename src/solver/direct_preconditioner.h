#pragma once

#include <petscksp.h>

#include "freeplay/math/block_matrix.h"
#include "frontal_factorisation.h"
#include "own_part.h"

namespace freeplay {

/// A PETSc preconditioner that solves with a factorisation of a BlockMatrix. PETSc renews it when the matrix has
/// changed. Other preconditioners can be chosen with PETSc options (-pc_type ...). PETSc's vectors have the unknowns of
/// this process, those used here have all of them.
class DirectPreconditioner {
 public:
  /// What its solutions are for: corrections of Newton's method need only a few digits, as the next one mends what is
  /// left. For these the factors of a large matrix are kept in single precision as long as that proves good enough.
  enum class Use { solution, correction };

  DirectPreconditioner(PC pc, BlockMatrix& matrix, Use use, const Team& team = Team::alone());

  int n_factorisations() const { return n_factorisations_; }
  bool singular() const { return singular_; }
  double bytes() const { return factorisation_.bytes(); }  ///< of the factors
  FrontalFactorisation::Precision precision() const { return precision_; }

  /// Checks the next solution, as the first one with new factors. The matrix must still be the one that was factorised.
  void check_next() { is_checked_ = is_full(); }

 private:
  static PetscErrorCode set_up(PC pc);
  static PetscErrorCode apply(PC pc, Vec x, Vec y);
  void factorise();
  /// x is a copy of the right-hand side.
  void solve(std::span<const double> b, std::span<double> x);
  bool is_full() const;
  double norm(std::span<const double> x) const;
  void refine(std::span<const double> b, std::span<double> x);

  BlockMatrix& matrix_;
  const Team& team_;
  OwnPart own_;
  FrontalFactorisation factorisation_;
  FrontalFactorisation::Precision precision_;
  bool is_checked_ = false;                    ///< whether the factors at hand are good enough
  std::vector<double> left_;                   ///< of a right-hand side
  std::vector<double> right_side_, solution_;  ///< of all unknowns, if there are several processes
  int n_factorisations_ = 0;
  bool singular_ = false;
};

/// A PETSc matrix that shares the memory of `matrix`; call `changed` after its values have been changed. Of several
/// processes each has its own rows, and it can only be multiplied.
Mat share_with_petsc(BlockMatrix& matrix, const Team& team = Team::alone());
void changed(Mat matrix);

}  // namespace freeplay
