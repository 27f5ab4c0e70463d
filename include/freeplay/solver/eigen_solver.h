#pragma once

#include <complex>
#include <vector>

#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

struct Eigenpair {
  std::complex<double> value;
  std::vector<std::complex<double>> vector;
};

// Eigenvalues by SLEPc with shift-and-invert: the `n` that are closest to the shift, closest first; fewer if not all
// converge. The matrices share one pattern. Rows of constraints have no mass and make infinite eigenvalues: `n` must
// not be larger than the number of finite ones. NumericalFailure if the shifted problem is singular. Each process has
// the whole matrices; the factors, which are what is large, are shared out by the owners of the rows.

struct SharedOut {
  const Team& team = Team::alone();
  BlockOwners owners{};
};

/// K x = value M x with symmetric K and M.
std::vector<Eigenpair> symmetric_eigenpairs(BlockMatrix& K, BlockMatrix& M, int n, double shift,
                                            const SharedOut& shared = {});

/// (value^2 M + value C + K) x = 0; the first `n_dofs` rows are not of constraints. The shift is not zero.
std::vector<Eigenpair> quadratic_eigenpairs(BlockMatrix& K, BlockMatrix& C, BlockMatrix& M, int n_dofs, int n,
                                            double shift, const SharedOut& shared = {});

}  // namespace freeplay
