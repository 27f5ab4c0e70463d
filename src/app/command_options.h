#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace freeplay {

using Command = std::function<int()>;

/// What can be said on the command line. Parsing it leaves in `command` what is to be done.
void add_commands(CLI::App& program, Command& command);

// Those that take no model file.
void add_bench(CLI::App& program, Command& command);
void add_plot(CLI::App& program, Command& command);
void add_report(CLI::App& program, Command& command);
void add_descriptions_of_the_file(CLI::App& program, Command& command);
void add_examples(CLI::App& program, Command& command);
/// For the build of a package: not in the help.
void add_descriptions_of_the_program(CLI::App& program, Command& command);

}  // namespace freeplay
