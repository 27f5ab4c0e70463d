#pragma once

#include "freeplay/integrator/solver_interface.h"

namespace freeplay {

/// See Pivots.
Pivots diagonal_pivots(BlockMatrix& matrix);

}  // namespace freeplay
