#pragma once

#include "freeplay/deck/coupling_spec.h"
#include "freeplay/deck/format.h"

namespace freeplay {

/// `hinge`, `sleeve.angle`
Format<CoordinateRef> coordinate_reference();

}  // namespace freeplay
