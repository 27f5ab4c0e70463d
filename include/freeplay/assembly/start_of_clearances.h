#pragma once

#include <string>
#include <vector>

#include "freeplay/assembly/assembly.h"

namespace freeplay {

/// Warnings of how joints with clearance start, of a dynamic analysis: each begins with an impact that was hardly
/// meant.
/// - These joints do not tell assembly how fast a body moves: where the velocity of a body was not given, the journal
/// may
///   move in its bearing.
/// - Nor do they tell it where a body is: the journal may be outside its bearing, deep in the wall.
std::vector<std::string> unmeant_impacts(const ModelSpec& spec, const Assembled& assembled);

}  // namespace freeplay
