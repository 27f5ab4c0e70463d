#pragma once

#include <string>
#include <vector>

#include "freeplay/assembly/assembly.h"

namespace freeplay {

/// Joints with clearance do not tell assembly how fast a body moves. Where the velocity of a body was not given and the
/// journal moves in its bearing at the start, the run begins with an impact that was hardly meant. A warning for each.
std::vector<std::string> unmeant_impacts(const ModelSpec& spec, const Assembled& assembled);

}  // namespace freeplay
