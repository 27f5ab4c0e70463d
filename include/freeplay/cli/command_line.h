#pragma once

namespace freeplay {

/// The whole program: reads the command line, does what it asks, prints what went wrong. Never throws. The result is
/// the exit code, an ExitCode of analysis/engine.h.
int run_command_line(int argc, char** argv);

}  // namespace freeplay
