#include "freeplay/app/commands.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "freeplay/app/engine_loader.h"
#include "freeplay/app/json_output.h"
#include "freeplay/app/launcher.h"
#include "freeplay/app/model_summary.h"
#include "freeplay/app/results_directory.h"
#include "freeplay/app/streams.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/formatted.h"
#include "freeplay/base/units.h"
#include "freeplay/deck/model_file.h"
#include "freeplay/deck/node.h"

namespace freeplay {

namespace fs = std::filesystem;

std::vector<Override> parse_settings(const std::vector<std::string>& settings) {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("error: --set '" + setting + "' is not PATH=VALUE, such as \"parameters.L=50 cm\"");
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return overrides;
}

void print_warnings(const ModelSpec& model, bool quiet) {
  if (quiet) return;
  for (const std::string& warning : model.warnings) std::fprintf(stderr, "%s\n", warning.c_str());
}

namespace {

/// The key of the end time depends on the kind of analysis.
std::string path_of_end(const AnalysisSpec& analysis) {
  switch (analysis.kind) {
    case AnalysisSpec::Kind::dynamic:
      return "analysis.dynamic.end";
    case AnalysisSpec::Kind::kinematic:
      return "analysis.kinematic.end";
    case AnalysisSpec::Kind::static_equilibrium:
      break;
  }
  throw InputError("error: --end has no meaning for this model: a static analysis has no end time");
}

/// The model with everything that the command line changes in it.
ModelSpec read_model_as_asked(const std::string& text, const RunOptions& options) {
  std::vector<Override> overrides = parse_settings(options.settings);
  ModelSpec model = read_model_text(text, options.model_file, overrides);
  if (!options.end) return model;
  overrides.push_back({path_of_end(model.analysis), *options.end});
  return read_model_text(text, options.model_file, overrides);
}

/// Under mpirun all processes read and assemble the model, the first one writes.
bool is_first_process() { return launched_process().rank == 0; }

/// `what` is added to the name of the model, so that runs, modes and certificates of one model can be told apart.
ResultsDirectory new_results_directory(const std::optional<std::string>& requested, const std::string& model_file,
                                       const std::string& what = "") {
  return requested ? ResultsDirectory::create(*requested)
                   : ResultsDirectory::create_for(fs::path(model_file).stem().string() + what);
}

/// [rad/s]
double parse_speed(const std::string& text) {
  try {
    const Quantity speed = parse_quantity(text);
    const bool fits = !speed.has_unit || speed.dimension == Dimension{0.0, 0.0, -1.0};
    if (fits && std::isfinite(speed.value) && speed.value != 0.0) return speed.value;
  } catch (const UnitError&) {
  }
  throw InputError("error: --at-speed '" + text +
                   "' is not an angular velocity other than zero, such as \"5 rad/s\" or \"50 rpm\"");
}

/// [s]
double parse_time(const std::string& text) {
  try {
    const Quantity time = parse_quantity(text);
    const bool fits = !time.has_unit || time.dimension == Dimension{0.0, 0.0, 1.0};
    if (fits && std::isfinite(time.value) && time.value >= 0.0) return time.value;
  } catch (const UnitError&) {
  }
  throw InputError("error: --time '" + text + "' is not a time >= 0, such as \"0.5 s\"");
}

Vec3 parse_axis(const std::string& text) {
  Vec3 axis = Vec3::Zero();
  const std::string letter = text.starts_with('-') ? text.substr(1) : text;
  if (letter == "x" || letter == "y" || letter == "z") {
    axis[letter[0] - 'x'] = text.starts_with('-') ? -1.0 : 1.0;
    return axis;
  }
  std::string numbers = text;
  for (char& c : numbers)
    if (c == ',' || c == '[' || c == ']') c = ' ';
  std::istringstream stream(numbers);
  std::string rest;
  if (stream >> axis.x() >> axis.y() >> axis.z() && !(stream >> rest) && axis.allFinite() && !axis.isZero(0.0))
    return axis;
  throw InputError("error: --axis '" + text + "' is not a direction, such as x, -y or \"0, 1, 1\"");
}

ModesRequest modes_request(const ModesOptions& options) {
  ModesRequest request;
  request.n = options.n_modes;
  request.json = options.json;
  request.paraview = options.paraview;
  if (options.at_rest) request.about = ModesRequest::About::rest;
  if (options.speed) {
    request.about = ModesRequest::About::rotation;
    request.speed = parse_speed(*options.speed);
  }
  if (options.axis) request.axis = parse_axis(*options.axis);
  return request;
}

std::string command_to_continue(const RunOptions& options, const std::string& directory) {
  std::string text = "freeplay run " + shell_word(options.model_file) + " -o " + shell_word(directory);
  for (const std::string& setting : options.settings) text += " --set " + shell_word(setting);
  if (options.end) text += " --end " + shell_word(*options.end);
  return text + " --continue";
}

/// What to do next. resolved.yaml has what the command line has changed.
std::string further_commands(const RunOptions& options, const EngineJob& job) {
  const bool is_changed = !options.settings.empty() || options.end;
  const std::string directory = shell_word(job.output_directory);
  const bool is_dynamic = job.model.analysis.kind == AnalysisSpec::Kind::dynamic;
  std::string text;
  if (is_dynamic)
    text += "  how exact?       freeplay verify " +
            (is_changed ? shell_word(job.output_directory + "/resolved.yaml") : shell_word(options.model_file)) + "\n";
  if (!options.report) text += "  look at it       freeplay report " + directory + "\n";
  return text + "  plots            freeplay plot " + directory + (is_dynamic ? " --energy" : " --list") + "\n";
}

/// What the run has written. Not there if it could not even begin.
void print_summary(const fs::path& directory) {
  std::ifstream file(directory / "summary.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file) write_to_standard_output(text);
}

}  // namespace

int run_command(const RunOptions& options) {
  if (options.report) check_report_is_possible();
  EngineJob job;
  job.model_text = read_model_file(options.model_file);
  job.model = read_model_as_asked(job.model_text, options);
  job.petsc_options = options.petsc_options;
  job.resume = options.resume;
  job.quiet = options.quiet;
  job.json = options.json;

  job.assembled = std::make_shared<Assembled>(assemble(job.model));

  if (!is_first_process()) {
    job.writes = false;
    job.output_directory = options.output_directory.value_or("");
    return run_engine(job);
  }
  // Last of all: nothing is created for a model that cannot run.
  const ResultsDirectory directory = options.resume
                                         ? ResultsDirectory::reopen(*options.output_directory)
                                         : new_results_directory(options.output_directory, options.model_file);
  job.output_directory = directory.path().string();
  int code = run_engine(job);
  const bool says_more = !options.quiet && !options.json;
  if (says_more && (code == exit_ok || code == exit_interrupted))
    write_to_standard_output(further_commands(options, job));
  const bool can_go_on = code == exit_interrupted && job.model.analysis.kind == AnalysisSpec::Kind::dynamic;
  if (options.json) print_summary(job.output_directory);
  if (can_go_on && says_more)
    write_to_standard_output("  to go on         " + command_to_continue(options, job.output_directory) + "\n");
  const bool has_results = code != exit_input_error && code != exit_output_error;
  if (options.report && has_results) code = exit_code_with_report(code, job.output_directory, !says_more);
  return code;
}

int modes_command(const ModesOptions& options) {
  if (!is_first_process()) return exit_ok;
  leave_launcher();  // the work is not shared: the first process does it as if it were alone
  if (options.report) check_report_is_possible();
  EngineJob job;
  job.modes = modes_request(options);
  job.model_text = read_model_file(options.model_file);
  job.model = model_for_modes(read_model_text(job.model_text, options.model_file, parse_settings(options.settings)),
                              *job.modes);
  print_warnings(job.model, options.quiet);
  job.petsc_options = options.petsc_options;
  job.quiet = options.quiet;
  job.assembled = std::make_shared<Assembled>(assemble(job.model));
  const ResultsDirectory directory = new_results_directory(options.output_directory, options.model_file, "-modes");
  job.output_directory = directory.path().string();
  const int code = run_engine(job);
  const bool has_results = options.report && code == exit_ok;
  return has_results ? exit_code_with_report(code, job.output_directory, options.quiet || options.json) : code;
}

int stiction_command(const StictionOptions& options) {
  if (!is_first_process()) return exit_ok;
  leave_launcher();  // the work is not shared: the first process does it as if it were alone
  if (options.report) check_report_is_possible();
  if (!(options.search > 0.0)) throw InputError("error: --search: give a number above 0, such as --search 10");
  EngineJob job;
  job.stiction.emplace();
  job.stiction->question.time = options.time ? parse_time(*options.time) : 0.0;
  job.stiction->question.scaled = options.scaled;
  job.stiction->question.rigid_beams = options.rigid;
  job.stiction->question.search = options.search;
  job.stiction->json = options.json;
  job.quiet = options.quiet;
  job.model_text = read_model_file(options.model_file);
  job.model = read_model_text(job.model_text, options.model_file, parse_settings(options.settings));
  print_warnings(job.model, options.quiet);
  job.assembled = std::make_shared<Assembled>(assemble(job.model));
  if (options.rigid && job.assembled->beams.empty())
    throw InputError("error: --rigid has no meaning for this model: it has no beams");
  const ResultsDirectory directory = new_results_directory(options.output_directory, options.model_file, "-stiction");
  job.output_directory = directory.path().string();
  const int code = run_engine(job);
  // Only the engine knows whether the model is at rest.
  std::error_code ignored;
  if (code == exit_input_error) fs::remove(directory.path(), ignored);
  const bool has_results = options.report && code == exit_ok;
  return has_results ? exit_code_with_report(code, job.output_directory, options.quiet || options.json) : code;
}

ModelSpec read_model_with(const std::string& file, const std::vector<std::string>& settings) {
  return read_model_text(read_model_file(file), file, parse_settings(settings));
}

int check_command(const CheckOptions& options) {
  const std::string text = read_model_file(options.model_file);
  const std::vector<Override> overrides = parse_settings(options.settings);
  const ModelSpec spec = read_model_text(text, options.model_file, overrides);
  const Assembled assembled = assemble(spec);
  return write_to_standard_output(options.json
                                      ? check_as_json(spec, assembled, model_tree(text, options.model_file, overrides))
                                      : model_summary(spec, assembled));
}

int schema_command() {
  std::string text = model_json_schema();
  if (!text.ends_with('\n')) text += '\n';
  return write_to_standard_output(text);
}

int reference_command() {
  std::string text = model_reference();
  if (!text.ends_with('\n')) text += '\n';
  return write_to_standard_output(text);
}

}  // namespace freeplay
