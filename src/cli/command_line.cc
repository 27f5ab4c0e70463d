#include "freeplay/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <sstream>

#include "freeplay/analysis/engine.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/cli/commands.h"
#include "freeplay/cli/streams.h"
#include "freeplay/cli/version.h"

namespace freeplay {
namespace {

using Command = std::function<int()>;

void add_model_arguments(CLI::App& app, std::string& model_file, std::vector<std::string>& settings) {
  app.add_option("MODEL.yaml", model_file, "the model file")->required()->type_name("");
  app.add_option("--set", settings, "replace the value at PATH of the model file; may be given several times")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

void add_run(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand("run", "Run the analysis in a model file");
  auto options = std::make_shared<RunOptions>();
  add_model_arguments(*app, options->model_file, options->settings);
  CLI::Option* output = app->add_option("-o,--output", options->output_directory,
                                        "directory for the results, new or empty (default: results/MODEL)");
  output->type_name("DIR");
  app->add_option("--end", options->end, "end of the analysis instead of the one in the file, such as \"4 s\"")
      ->type_name("TIME");
  app->add_flag("--continue", options->resume, "go on from the checkpoint of the interrupted run in DIR")
      ->needs(output);
  app->add_flag("--report", options->report, "make report.html in DIR: the moving picture, plots and tables");
  app->add_option("--petsc", options->petsc_options, "options for PETSc, such as \"-log_view\"")->type_name("OPTIONS");
  app->add_flag("--quiet", options->quiet, "print nothing but errors");
  app->footer(
      "Examples:\n"
      "  freeplay run pendulum.yaml\n"
      "  freeplay run pendulum.yaml -o long --set \"parameters.L=50 cm\" --end \"20 s\"\n"
      "  freeplay run pendulum.yaml -o long --continue");
  app->callback([options, &command] { command = [options] { return run_command(*options); }; });
}

void add_modes(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand("modes", "Find natural frequencies and mode shapes");
  auto options = std::make_shared<ModesOptions>();
  add_model_arguments(*app, options->model_file, options->settings);
  app->add_option("-n,--number", options->n_modes, "how many modes (default: 10)")
      ->type_name("N")
      ->check(CLI::Range(1, 10000));
  CLI::Option* at_rest =
      app->add_flag("--static", options->at_rest,
                    "about the position of rest under gravity and loads (default: as assembled, without them)");
  CLI::Option* speed = app->add_option("--at-speed", options->speed,
                                       "about steady rotation, such as \"5 rad/s\" or \"50 rpm\", of the whole model");
  speed->type_name("SPEED")->excludes(at_rest);
  app->add_option("--axis", options->axis,
                  "axis of the rotation through the origin: x, y, z or \"0, 1, 1\" (default: that of the driven or "
                  "first revolute or cylindrical joint to ground)")
      ->type_name("AXIS")
      ->needs(speed);
  app->add_flag("--json", options->json, "print JSON instead of a table");
  app->add_flag("--report", options->report, "make report.html in DIR: table and moving mode shapes");
  app->add_flag("--paraview", options->paraview, "write an animation of each mode for ParaView");
  app->add_option("-o,--output", options->output_directory,
                  "directory for the results, new or empty (default: results/MODEL-modes)")
      ->type_name("DIR");
  app->add_option("--petsc", options->petsc_options, "options for PETSc and SLEPc, such as \"-eps_monitor\"")
      ->type_name("OPTIONS");
  app->add_flag("--quiet", options->quiet, "print nothing but errors");
  app->footer(
      "Examples:\n"
      "  freeplay modes frame.yaml\n"
      "  freeplay modes pendulum.yaml --static -n 3\n"
      "  freeplay modes rotor.yaml --at-speed \"400 rpm\" --paraview");
  app->callback([options, &command] { command = [options] { return modes_command(*options); }; });
}

void add_stiction(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand(
      "stiction",
      "Certify what friction can do to a model at rest: all forces that are possible, and whether it moves");
  auto options = std::make_shared<StictionOptions>();
  add_model_arguments(*app, options->model_file, options->settings);
  app->add_option("--time", options->time, "loads at this time, such as \"0.5 s\" (default: at the start)")
      ->type_name("TIME");
  app->add_option("--scale", options->scaled,
                  "load that the load factor multiplies, or gravity; may be given several times (default: all)")
      ->type_name("LOAD")
      ->allow_extra_args(false);
  app->add_option("--search", options->search,
                  "search this many times as long as usual before giving up what is not decided (default: 1)")
      ->type_name("TIMES");
  app->add_flag("--report", options->report, "make report.html in DIR: intervals of the forces, and the mechanism");
  app->add_flag("--rigid", options->rigid, "beams as rigid bodies; beside it, where the flexible ones put the forces");
  app->add_flag("--json", options->json, "print JSON instead of a table");
  app->add_option("-o,--output", options->output_directory,
                  "directory for the picture and stiction.json, new or empty (default: results/MODEL-stiction)")
      ->type_name("DIR");
  app->add_flag("--quiet", options->quiet, "print nothing but errors");
  app->footer(
      "Examples:\n"
      "  freeplay stiction loop.yaml\n"
      "  freeplay stiction loop.yaml --time \"1 s\" --scale P\n"
      "  freeplay stiction flexible_loop.yaml --rigid -o loop");
  app->callback([options, &command] { command = [options] { return stiction_command(*options); }; });
}

void add_check(CLI::App& program, Command& command) {
  CLI::App* app =
      program.add_subcommand("check", "Read, check and assemble a model, and say what is in it; writes no files");
  auto options = std::make_shared<CheckOptions>();
  add_model_arguments(*app, options->model_file, options->settings);
  app->footer("Example:\n  freeplay check pendulum.yaml");
  app->callback([options, &command] { command = [options] { return check_command(*options); }; });
}

void add_verify(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand(
      "verify", "Say how exact the results of a model are: run it again with smaller steps and a finer mesh");
  auto options = std::make_shared<VerifyOptions>();
  add_model_arguments(*app, options->model_file, options->settings);
  app->add_option("-o,--output", options->output_directory,
                  "directory in which the results of all runs are kept, new or empty (default: they are not kept)")
      ->type_name("DIR");
  app->footer("Example:\n  freeplay verify pendulum.yaml");
  app->callback([options, &command] { command = [options] { return verify_command(*options); }; });
}

void add_bench(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand("bench", "Run the benchmarks and compare with what is published");
  auto options = std::make_shared<BenchOptions>();
  app->add_option("NAME", options->names, "benchmarks to run (default: all)")->type_name("");
  app->add_option(
         "--directory", options->directory,
         "where the benchmarks are: folders with a bench.yaml or accuracy.yaml (default: benchmarks here, or beside "
         "the program)")
      ->type_name("DIR");
  app->add_option("-o,--output", options->output_directory,
                  "directory in which the results are kept, new or empty (default: they are not kept)")
      ->type_name("DIR");
  app->add_flag("--json", options->json, "print JSON instead of tables");
  app->footer(
      "Exit code 0: everything agrees, 1: something differs.\n"
      "Examples:\n"
      "  freeplay bench\n"
      "  freeplay bench supercritical_rotor -o rotor_results --json");
  app->callback([options, &command] { command = [options] { return bench_command(*options); }; });
}

void add_study(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand("study", "Run a model with many values of its parameters, and make one table");
  auto options = std::make_shared<StudyOptions>();
  app->add_option("STUDY.yaml", options->study_file, "the study file")->required()->type_name("");
  CLI::Option* output = app->add_option("-o,--output", options->output_directory,
                                        "directory for the results, new or empty (default: results/STUDY)");
  output->type_name("DIR");
  app->add_option("-j,--processes", options->n_processes,
                  "how many cases run at a time (default: as many as the machine has cores; 1 under mpirun)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app->add_flag("--continue", options->resume, "do what is missing of the study in DIR")->needs(output);
  app->add_flag("--report", options->report, "make report.html in DIR: the table and a picture of each result");
  app->add_flag("--list", options->list, "check the study and the models of all cases, print the cases, run nothing");
  app->add_flag("--quiet", options->quiet, "print nothing but errors");
  app->footer(
      "A study file:\n"
      "  model: pendulum.yaml\n"
      "  vary:                                        # items are combined in every way\n"
      "    - {parameters.L: [50 cm, 1 m]}\n"
      "    - {parameters.c: {from: 0.01, to: 10, count: 7, scale: log}}\n"
      "  results:\n"
      "    last_angle: {value: {column: pin.angle}}\n"
      "    top_speed: {maximum: {column: bob.velocity.x}}\n"
      "Examples:\n"
      "  freeplay study damping.yaml\n"
      "  freeplay study damping.yaml -o damping -j 8\n"
      "  freeplay study damping.yaml -o damping --continue\n"
      "  mpirun -n 64 freeplay study damping.yaml -o damping");
  app->callback([options, &command] { command = [options] { return study_command(*options); }; });
}

void add_report(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand(
      "report", "Make one HTML file of results: verdict, moving picture, plots, tables; for any browser, to mail");
  auto options = std::make_shared<ReportOptions>();
  app->add_option("DIR", options->directory, "results of run, modes, stiction or study, also unfinished ones")
      ->required()
      ->type_name("");
  app->add_option("-o,--output", options->file, "the file to make (default: DIR/report.html)")->type_name("FILE.html");
  app->add_option("--template", options->page_template, "another page to put the data into, see doc/report_data.md")
      ->type_name("FILE.html");
  app->add_flag("--quiet", options->quiet, "print nothing but errors");
  app->footer(
      "Examples:\n"
      "  freeplay report results/pendulum\n"
      "  freeplay report results/pendulum -o pendulum.html");
  app->callback([options, &command] { command = [options] { return report_command(*options); }; });
}

void add_descriptions_of_the_file(CLI::App& program, Command& command) {
  CLI::App* schema = program.add_subcommand("schema", "Print the JSON Schema of the model file, for editors");
  schema->footer("Example:\n  freeplay schema > freeplay.schema.json");
  schema->callback([&command] { command = schema_command; });

  CLI::App* reference = program.add_subcommand("reference", "Print the reference of the model file in Markdown");
  reference->footer("Example:\n  freeplay reference | less");
  reference->callback([&command] { command = reference_command; });
}

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
    commands.push_back(command->get_name());
  }
  return "freeplay: there is no command '" + word + "'" + did_you_mean(word, commands) + " (" + joined(commands) +
         ")\n";
}

int parse_and_run(int argc, char** argv) {
  CLI::App program("Freeplay simulates mechanisms: a model file goes in; motion, forces and energies come out.",
                   "freeplay");
  Command command;
  program.set_version_flag("--version", std::string("freeplay ") + version);
  program.require_subcommand(1);
  program.get_formatter()->label("SUBCOMMAND", "COMMAND");
  program.failure_message(complaint);
  program.footer("Example:\n  freeplay run pendulum.yaml\n\n'freeplay COMMAND --help' explains a command.");
  add_run(program, command);
  add_modes(program, command);
  add_stiction(program, command);
  add_check(program, command);
  add_verify(program, command);
  add_bench(program, command);
  add_study(program, command);
  add_report(program, command);
  add_descriptions_of_the_file(program, command);
  for (CLI::App* each : program.get_subcommands({})) each->group("Commands");
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
