#pragma once

#include <functional>

namespace freeplay {

/// The whole program: reads the command line, does what it asks, prints what went wrong. Never throws. The result is
/// the exit code, an ExitCode of base/exit_code.h.
int run_command_line(int argc, char** argv);

/// Does a command; whatever it throws is printed and becomes an exit code.
int exit_code_of(const std::function<int()>& command);

/// Ends the process.
[[noreturn]] void leave(int exit_code);

}  // namespace freeplay
