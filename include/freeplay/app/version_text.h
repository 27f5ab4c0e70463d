#pragma once

#include <string>

namespace freeplay {

/// Version, commit, processor and libraries: what `freeplay --version` prints.
std::string version_text();

}  // namespace freeplay
