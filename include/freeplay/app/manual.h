#pragma once

// Manual page and completion, made from the same commands that the program parses.

#include <CLI/App.hpp>
#include <string>

namespace freeplay {

/// The manual page (roff) of the program with all its commands: `freeplay man`.
std::string manual_page(const CLI::App& program);

/// Completion of commands, options, model files and directories in bash: `freeplay completion`.
std::string bash_completion(const CLI::App& program);

}  // namespace freeplay
