#include <CLI/CLI.hpp>

#include "command_options.h"
#include "freeplay/app/commands.h"
#include "freeplay/app/manual.h"
#include "freeplay/app/streams.h"

namespace freeplay {

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

void add_plot(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand("plot", "Draw columns of results, orbits, energies or a Campbell diagram");
  auto options = std::make_shared<PlotOptions>();
  app->add_option("DIR COLUMN", options->words,
                  "directories of results, then columns of their history.csv: names, or patterns with * in quotes; a "
                  "vector by its name alone")
      ->required()
      ->type_name("");
  app->add_option("-o,--output", options->output_file,
                  "the picture, .png, .svg or .pdf (default: a new PNG file in DIR, named after the columns)")
      ->type_name("FILE");
  app->add_flag("--overwrite", options->overwrite, "replace FILE if it exists");
  app->add_option("--x", options->x, "column of the x axis (default: time)")->type_name("COLUMN");
  app->add_option("--from", options->from, "first time, such as \"0.5 s\" or \"20 ms\"")->type_name("TIME");
  app->add_option("--to", options->to, "last time")->type_name("TIME");
  app->add_option("--title", options->title, "title (default: that of the model)")->type_name("TEXT");
  app->add_option("--size", options->size, "in pixels (default: 1200x720)")->type_name("WIDTHxHEIGHT");
  app->add_flag("--events", options->events, "mark touch, impact, loss, stick and slip below the plot");
  app->add_option("--orbit", options->orbits,
                  "path of the journal of this joint in its clearance, instead of columns; may be given several times")
      ->type_name("JOINT")
      ->allow_extra_args(false);
  app->add_flag("--energy", options->energy, "the energy ledger, instead of columns");
  app->add_flag("--campbell", options->campbell, "frequencies over speed, from the results of `freeplay campbell`");
  app->add_flag("--response", options->response,
                "amplitudes over speed or frequency, from the results of `freeplay response`");
  app->add_flag("--list", options->list, "print the columns, draw nothing");
  app->footer(
      "Examples:\n"
      "  freeplay plot results/pendulum --list\n"
      "  freeplay plot results/pendulum pin.force bob.position.x\n"
      "  freeplay plot results/pendulum \"pin.*force*\" --from \"1 s\" --to \"1.5 s\" --events -o forces.svg\n"
      "  freeplay plot results/pendulum results/pendulum-2 bob.position.x\n"
      "  freeplay plot results/crank --orbit wrist\n"
      "  freeplay plot results/crank --energy");
  app->callback([options, &command] { command = [options] { return plot_command(*options); }; });
}

void add_report(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand(
      "report", "Make one HTML file of results: verdict, moving picture, plots, tables; for any browser, to mail");
  auto options = std::make_shared<ReportOptions>();
  app->add_option("DIR", options->directory,
                  "results of run, modes, campbell, response, stiction or study, also unfinished ones")
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

void add_examples(CLI::App& program, Command& command) {
  CLI::App* app = program.add_subcommand("examples", "Copy the example models; overwrites nothing");
  auto options = std::make_shared<ExamplesOptions>();
  app->add_option("DIR", options->directory, "where to (default: freeplay_examples)")->type_name("");
  CLI::Option* list = app->add_flag("--list", options->list, "print the names of the models, copy nothing");
  app->add_flag("--where", options->where, "print the folder in which they are, copy nothing")->excludes(list);
  app->footer("Examples:\n  freeplay examples\n  freeplay examples my_models");
  app->callback([options, &command] { command = [options] { return examples_command(*options); }; });
}

void add_descriptions_of_the_program(CLI::App& program, Command& command) {
  CLI::App* man = program.add_subcommand("man", "Print the manual page")->group("");
  man->callback([&] { command = [&] { return write_to_standard_output(manual_page(program)); }; });
  CLI::App* completion = program.add_subcommand("completion", "Print the completion for bash")->group("");
  completion->callback([&] { command = [&] { return write_to_standard_output(bash_completion(program)); }; });
}

}  // namespace freeplay
