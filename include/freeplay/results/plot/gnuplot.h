#pragma once

#include <string>

namespace freeplay {

/// What gnuplot writes to its standard output for these commands. It is started without a shell and reads none of the
/// user's settings. Throws InputError if it is not installed, std::runtime_error if it refuses.
std::string draw_with_gnuplot(const std::string& commands);

}  // namespace freeplay
