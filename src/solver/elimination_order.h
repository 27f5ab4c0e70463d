#pragma once

#include <vector>

#include "freeplay/math/block_matrix.h"

namespace freeplay {

/// Unknowns that are eliminated together, and the later ones that they are coupled to when their turn comes.
struct EliminationStep {
  std::vector<int> inner, outer;  ///< ascending
};

/// What can be eliminated with dense matrices, in an order that couples few other unknowns: the inner nodes of beam
/// elements, then the nodes that elements share. Nodes next to multipliers, small bodies and the like are left over.
/// Only the pattern of the matrix is read.
std::vector<EliminationStep> elimination_order(const BlockMatrix& pattern);

}  // namespace freeplay
