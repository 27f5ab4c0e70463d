#include "freeplay/cli/commands.h"

#include <memory>

#include "freeplay/assembly/assembly.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/results_directory.h"
#include "freeplay/cli/engine_loader.h"
#include "freeplay/cli/model_summary.h"
#include "freeplay/cli/streams.h"
#include "freeplay/input/node.h"
#include "freeplay/model/model_file.h"

namespace freeplay {
namespace {

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

/// Read once, because the file may be a pipe.
std::string read_model_file(const std::string& file) {
  try {
    return read_text_file(file);
  } catch (const SyntaxError& error) {
    Diagnostics diagnostics;
    diagnostics.error(error.where(), "", error.what());
    diagnostics.throw_if_errors();
    throw;
  }
}

/// The model with everything that the command line changes in it.
ModelSpec read_model_as_asked(const std::string& text, const RunOptions& options) {
  std::vector<Override> overrides = parse_settings(options.settings);
  ModelSpec model = read_model_text(text, options.model_file, overrides);
  if (!options.end) return model;
  overrides.push_back({path_of_end(model.analysis), *options.end});
  return read_model_text(text, options.model_file, overrides);
}

ResultsDirectory choose_results_directory(const RunOptions& options) {
  if (options.resume) return ResultsDirectory::reopen(*options.output_directory);
  if (options.output_directory) return ResultsDirectory::create(*options.output_directory);
  return ResultsDirectory::create_for_model(options.model_file);
}

}  // namespace

int run_command(const RunOptions& options) {
  EngineJob job;
  job.model_text = read_model_file(options.model_file);
  job.model = read_model_as_asked(job.model_text, options);
  job.petsc_options = options.petsc_options;
  job.resume = options.resume;
  job.quiet = options.quiet;

  job.assembled = std::make_shared<Assembled>(assemble(job.model));

  // Last of all: nothing is created for a model that cannot run.
  const ResultsDirectory directory = choose_results_directory(options);
  job.output_directory = directory.path().string();
  return run_engine(job);
}

int check_command(const CheckOptions& options) {
  const std::string text = read_model_file(options.model_file);
  const ModelSpec spec = read_model_text(text, options.model_file, parse_settings(options.settings));
  return write_to_standard_output(model_summary(spec, assemble(spec)));
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
