#pragma once

#include <string>

#include "freeplay/analysis/bench/run_request.h"

namespace freeplay {

/// Does what `freeplay run` or `freeplay modes` would do for this request, into a new directory, and prints nothing but
/// errors.
int run_quietly(const RunRequest& run, const std::string& results);

}  // namespace freeplay
