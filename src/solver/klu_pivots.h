#pragma once

#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

/// See Pivots.
Pivots diagonal_pivots(BlockMatrix& matrix);

}  // namespace freeplay
