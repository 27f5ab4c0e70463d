#pragma once

#include <string>

#include "freeplay/assembly/assembly.h"

namespace freeplay {

/// What `freeplay check` prints: bodies, joints, mobility, redundant equations, what would run.
std::string model_summary(const ModelSpec& spec, const Assembled& assembled);

}  // namespace freeplay
