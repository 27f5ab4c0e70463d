#include "command_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "freeplay/app/commands.h"
#include "freeplay/app/json_output.h"
#include "freeplay/app/streams.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

void add_model_arguments(CLI::App& app, std::string& model_file, std::vector<std::string>& settings) {
  app.add_option("MODEL.yaml", model_file, "the model file")->required()->type_name("");
  app.add_option("--set", settings, "replace the value at PATH of the model file; may be given several times")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

/// With --json whoever reads standard output finds there also what is wrong with the input.
template <class Options>
Command with_json_errors(std::shared_ptr<Options> options, int (*command)(const Options&)) {
  return [options, command] {
    try {
      return command(*options);
    } catch (const InputError& error) {
      if (options->json) write_to_standard_output(errors_as_json(error));
      throw;
    }
  };
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
  app->add_flag("--json", options->json, "print summary.json at the end instead of a table");
  app->add_flag("--quiet", options->quiet, "print nothing but errors");
  app->footer(
      "Examples:\n"
      "  freeplay run pendulum.yaml\n"
      "  freeplay run pendulum.yaml -o long --set \"parameters.L=50 cm\" --end \"20 s\"\n"
      "  freeplay run pendulum.yaml -o long --continue\n"
      "  mpirun -n 4 freeplay run large_net.yaml -o net       # processes share one run");
  app->callback([options, &command] { command = with_json_errors(options, run_command); });
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
  app->callback([options, &command] { command = with_json_errors(options, modes_command); });
}

/// What both commands about rotors take.
void add_rotor_options(CLI::App& app, RotorOptions& options, const char* speed_text, const char* output_text,
                       const char* points_text) {
  add_model_arguments(app, options.model_file, options.settings);
  app.add_option("--speed", options.speed, speed_text)->type_name("RANGE");
  app.add_option("--joint", options.joint,
                 "joint or bearing by coefficients whose axis the rotor turns about (default: the driven or first "
                 "revolute or cylindrical joint to ground, or else the first bearing)")
      ->type_name("NAME");
  app.add_flag("--report", options.report,
               "make report.html in DIR: diagram, tables and moving shapes with their orbits");
  app.add_option("--points", options.n_points, points_text)->type_name("N")->check(CLI::Range(2, 100000));
  app.add_flag("--json", options.json, "print JSON instead of a table");
  app.add_option("-o,--output", options.output_directory, output_text)->type_name("DIR");
  app.add_option("--petsc", options.petsc_options, "options for PETSc and SLEPc, such as \"-eps_monitor\"")
      ->type_name("OPTIONS");
  app.add_flag("--quiet", options.quiet, "print nothing but errors");
}

void add_campbell(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand(
      "campbell", "Frequencies and damping of a rotor over its speed, whirl directions, critical speeds, stability");
  auto options = std::make_shared<RotorOptions>();
  add_rotor_options(*app, *options, "speeds of the rotor, such as \"0 rpm .. 6000 rpm\"",
                    "directory for the results, new or empty (default: results/MODEL-campbell)",
                    "how many speeds (default: 61)");
  app->add_option("-n,--number", options->n_modes, "how many modes (default: 8)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  app->footer(
      "Examples:\n"
      "  freeplay campbell rotor.yaml --speed \"0 rpm .. 6000 rpm\"\n"
      "  freeplay campbell rotor.yaml --speed \"0 .. 500 rad/s\" --joint bearing -n 4 --json");
  app->callback([options, &command] { command = [options] { return campbell_command(*options); }; });
}

void add_response(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand(
      "response", "Response of a rotor to its unbalance over its speed, or to a load over its frequency");
  auto options = std::make_shared<RotorOptions>();
  add_rotor_options(*app, *options,
                    "speeds of the rotor, such as \"0 rpm .. 6000 rpm\"; with --load: one (default: it stands still)",
                    "directory for the results, new or empty (default: results/MODEL-response)",
                    "how many speeds or frequencies (default: 201)");
  app->add_option("--unbalance", options->unbalances,
                  "unbalance, such as \"disk: 10 g*mm at 30 deg\" (default: that of the model); may be given several "
                  "times")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  app->add_option("--load", options->load, "load of the model whose components are amplitudes")->type_name("NAME");
  app->add_option("--frequency", options->frequency, "frequencies of that load, such as \"0 Hz .. 200 Hz\"")
      ->type_name("RANGE");
  app->add_option("--at", options->places,
                  "place to report (default: all places of the rotor); may be given several times")
      ->type_name("PLACE")
      ->allow_extra_args(false);
  app->footer(
      "Examples:\n"
      "  freeplay response rotor.yaml --speed \"0 rpm .. 6000 rpm\" --unbalance \"disk: 10 g*mm\"\n"
      "  freeplay response rotor.yaml --load shaker --frequency \"0 Hz .. 200 Hz\" --speed \"3000 rpm\"");
  app->callback([options, &command] { command = [options] { return response_command(*options); }; });
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
  app->callback([options, &command] { command = with_json_errors(options, stiction_command); });
}

void add_check(CLI::App& program, Command& command) {
  CLI::App* app =
      program.add_subcommand("check", "Read, check and assemble a model, and say what is in it; writes no files");
  auto options = std::make_shared<CheckOptions>();
  add_model_arguments(*app, options->model_file, options->settings);
  app->add_flag("--json", options->json, "print JSON instead of a table, also of errors");
  app->footer("Example:\n  freeplay check pendulum.yaml");
  app->callback([options, &command] { command = with_json_errors(options, check_command); });
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
  app->add_flag("--json", options->json, "print JSON at the end instead of a table");
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
  app->callback([options, &command] { command = with_json_errors(options, study_command); });
}

/// The heading in the help below which a command stands; headings come in the order of their first commands.
std::string group_of(const std::string& command) {
  struct Group {
    const char* title;
    std::vector<std::string> commands;
  };
  const Group groups[] = {{"Run a model", {"run", "check", "verify"}},
                          {"Look at results", {"report", "plot"}},
                          {"About Freeplay", {"bench", "examples", "reference", "schema"}}};
  for (const Group& group : groups)
    if (std::find(group.commands.begin(), group.commands.end(), command) != group.commands.end()) return group.title;
  return "Other questions to a model";
}

}  // namespace

void add_commands(CLI::App& program, Command& command) {
  add_run(program, command);
  add_plot(program, command);
  add_modes(program, command);
  add_campbell(program, command);
  add_response(program, command);
  add_stiction(program, command);
  add_check(program, command);
  add_verify(program, command);
  add_bench(program, command);
  add_study(program, command);
  add_report(program, command);
  add_examples(program, command);
  add_descriptions_of_the_file(program, command);
  for (CLI::App* each : program.get_subcommands({})) each->group(group_of(each->get_name()));
  add_descriptions_of_the_program(program, command);
}

}  // namespace freeplay
