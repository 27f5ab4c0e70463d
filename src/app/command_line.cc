#include "freeplay/app/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>

#include "command_options.h"
#include "freeplay/app/streams.h"
#include "freeplay/app/version_text.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/names.h"

namespace freeplay {
namespace {

std::string complaint(const CLI::App* program, const CLI::Error& error) {
  const std::vector<CLI::App*> chosen = program->get_subcommands();
  const std::string command = chosen.empty() ? "freeplay" : "freeplay " + chosen.front()->get_name();
  return command + ": " + error.what() + "\nTry '" + command + " --help'.\n";
}

/// The complaint about a first word that is no command, or nothing; CLI11 would only say that a command is missing.
std::string unknown_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> commands;
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->get_name() == word) return "";
    if (!command->get_group().empty()) commands.push_back(command->get_name());
  }
  return "freeplay: there is no command '" + word + "'" + did_you_mean(word, commands) + " (" + joined(commands) +
         ")\n";
}

int parse_and_run(int argc, char** argv) {
  CLI::App program("Freeplay simulates mechanisms: a model file goes in; motion, forces and energies come out.",
                   "freeplay");
  Command command;
  program.set_version_flag("--version", version_text());
  program.require_subcommand(1);
  program.get_formatter()->label("SUBCOMMAND", "COMMAND");
  program.failure_message(complaint);
  program.footer("Example:\n  freeplay run pendulum.yaml\n\n'freeplay COMMAND --help' explains a command.");
  add_commands(program, command);
  if (argc < 2) {
    std::cerr << program.help();
    return exit_input_error;
  }
  const std::string complaint_about_command = argv[1][0] == '-' ? "" : unknown_command(program, argv[1]);
  if (!complaint_about_command.empty()) {
    std::cerr << complaint_about_command;
    return exit_input_error;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& answer) {
    // Also --help and --version arrive here, with the code 0.
    std::ostringstream text;
    const int code = program.exit(answer, text, std::cerr);
    return code == 0 ? write_to_standard_output(text.str()) : exit_input_error;
  }
  return command();
}

}  // namespace

int exit_code_of(const std::function<int()>& command) {
  try {
    return command();
  } catch (const InputError& error) {
    std::cerr << error.what() << (std::string_view(error.what()).ends_with('\n') ? "" : "\n");
    return exit_input_error;
  } catch (const std::exception& error) {
    std::cerr << "freeplay: internal error: " << error.what() << '\n';
    return exit_internal_error;
  }
}

int run_command_line(int argc, char** argv) {
  secure_standard_streams();
  return exit_code_of([&] { return parse_and_run(argc, argv); });
}

void leave(int exit_code) {
  std::cout.flush();
  std::fflush(nullptr);
  // A file that could not be written to its end is still open in the HDF5 library, which tries again when the program
  // ends, and crashes. There is nothing left to save.
  if (exit_code == exit_output_error) std::_Exit(exit_code);
  std::exit(exit_code);
}

}  // namespace freeplay
