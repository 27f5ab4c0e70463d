#include <algorithm>
#include <cmath>

#include "freeplay/analysis/bench/agreement.h"
#include "freeplay/analysis/bench/history.h"
#include "freeplay/app/bench_runs.h"
#include "freeplay/app/commands.h"
#include "freeplay/app/launcher.h"
#include "freeplay/app/streams.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/formatted.h"
#include "freeplay/deck/model_file.h"

namespace freeplay {

namespace {

constexpr double finer = 10.0;  // the error of a finer run is smaller by this

/// A finer run, and what is finer in it.
struct Refinement {
  std::string name, text;
  std::vector<std::string> settings;
};

std::vector<Refinement> refinements_of(const ModelSpec& model) {
  std::vector<Refinement> list;
  const AnalysisSpec& analysis = model.analysis;
  if (analysis.kind == AnalysisSpec::Kind::dynamic) {
    if (analysis.step) {
      // The error of a fixed step falls with its square.
      const double step = *analysis.step / std::sqrt(finer);
      list.push_back({"time",
                      formatted("step %g s against %.3g s", *analysis.step, step),
                      {formatted("analysis.dynamic.step=%.17g s", step)}});
    } else {
      const double tolerance = analysis.tolerance / finer;
      list.push_back({"time",
                      formatted("tolerance %g against %g", analysis.tolerance, tolerance),
                      {formatted("analysis.dynamic.tolerance=%.17g", tolerance)}});
    }
  }
  if (model.beams.empty()) return list;
  Refinement mesh{"mesh", "elements of beams against twice as many", {}};
  for (const BeamSpec& beam : model.beams)
    mesh.settings.push_back("bodies." + beam.name + ".beam.elements=" + std::to_string(2 * beam.elements));
  list.push_back(mesh);
  return list;
}

std::string cell(const AgreementOfColumn* column) {
  if (column == nullptr) return "-";
  return formatted("%.1e%s", column->relative(),
                   column->parts ? formatted(" (1 %% at %.4g s)", *column->parts).c_str() : "");
}

std::string table_of(const std::vector<Refinement>& refinements, const std::vector<Agreement>& agreements) {
  // Columns in the order of the first comparison, the least exact first.
  std::string text = formatted("  %-32s %-16s", "quantity", "largest");
  for (const Refinement& refinement : refinements)
    text += formatted(" %-26s", ("difference, " + refinement.name).c_str());
  text += "\n";
  for (const AgreementOfColumn& first : agreements.front().columns) {
    text +=
        formatted("  %-32s %-16s", first.name.c_str(), formatted("%.4g %s", first.largest, first.unit.c_str()).c_str());
    for (const Agreement& agreement : agreements) {
      const auto found = std::find_if(agreement.columns.begin(), agreement.columns.end(),
                                      [&](const AgreementOfColumn& column) { return column.name == first.name; });
      text += formatted(" %-26s", cell(found == agreement.columns.end() ? nullptr : &*found).c_str());
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string conclusion_of(const Refinement& refinement, const Agreement& agreement) {
  if (agreement.divergence)
    return formatted(
        "%s: the motion is chaotic: differences grow like exp(%.3g t/s). Up to t = %.4g s the results can be compared "
        "time by time; after that only means, extremes and distributions have a meaning.\n",
        refinement.name.c_str(), agreement.divergence->rate, agreement.divergence->until);
  if (agreement.columns.empty()) return refinement.name + ": nothing moves.\n";
  const AgreementOfColumn& worst = agreement.columns.front();
  return formatted("%s: results change by at most %.1e of their largest values (%s).\n", refinement.name.c_str(),
                   worst.relative(), worst.name.c_str());
}

}  // namespace

int verify_command(const VerifyOptions& options) {
  if (launched_process().size > 1)
    throw InputError("error: verify starts runs by itself, one process each: start it without mpirun");
  const ModelSpec model = read_model_with(options.model_file, options.settings);
  const std::vector<Refinement> refinements = refinements_of(model);
  if (refinements.empty())
    throw InputError(
        "error: there is nothing to refine in this model: it has neither a dynamic analysis nor beams, and its results "
        "are solved to round-off");
  const BenchResults results(options.output_directory);
  const auto run = [&](const std::string& name, const std::vector<std::string>& more) {
    RunRequest request{name, options.model_file, options.settings, {}, 0, {}};
    request.settings.insert(request.settings.end(), more.begin(), more.end());
    return timed_run("verify", request, results.of("", name)).exit_code;
  };
  if (const int code = run("given", {}); code != exit_ok) return code;
  std::vector<Agreement> agreements;
  std::string text;
  for (const Refinement& refinement : refinements) {
    if (const int code = run(refinement.name, refinement.settings);
        code == exit_interrupted || code == exit_input_error)
      return code;
    try {
      agreements.push_back(compare_histories(results.of("", "given"), results.of("", refinement.name)));
    } catch (const NoMeasurement& trouble) {
      throw InputError("error: the results cannot be compared: " + std::string(trouble.what()));
    }
    text += "  " + refinement.name + ": " + refinement.text + "\n";
  }
  text += table_of(refinements, agreements);
  for (std::size_t k = 0; k < refinements.size(); ++k) text += conclusion_of(refinements[k], agreements[k]);
  return write_to_standard_output(text);
}

}  // namespace freeplay
