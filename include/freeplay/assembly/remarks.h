#pragma once

// What a user should know about a model before it runs, one line each.

#include <string>
#include <vector>

#include "freeplay/assembly/assembly.h"

namespace freeplay {

/// What assembly changed most in what was given, as far as it is more than round-off.
std::vector<std::string> changes_by_assembly(const Assembled& assembled);

/// Of what is possible but hardly meant: from the reader, of a model that cannot move, of how clearances start.
std::vector<std::string> warnings_of(const ModelSpec& spec, const Assembled& assembled);

}  // namespace freeplay
