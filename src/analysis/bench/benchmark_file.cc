#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "freeplay/analysis/bench/benchmark.h"
#include "freeplay/base/names.h"
#include "freeplay/deck/table.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

/// `44.069 rad/s`: a number and a unit, no expression, so that it can be shown as it was published.
Format<PrintedNumber> printed_number() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<PrintedNumber> {
    try {
      parse_quantity(node.text);
      const std::size_t sign = node.text.starts_with('-') || node.text.starts_with('+') ? 1 : 0;
      const std::size_t length = sign + leading_number(std::string_view(node.text).substr(sign));
      PrintedNumber result;
      result.number = std::strtod(node.text.substr(0, length).c_str(), nullptr);
      const std::size_t unit = node.text.find_first_not_of(' ', length);
      if (unit != std::string::npos) result.unit_text = node.text.substr(unit);
      result.unit = parse_unit(result.unit_text);
      return result;
    } catch (const UnitError& error) {
      reader.error(node.where, "must be a number with a unit, such as 0.382 s: " + std::string(error.what()));
      return std::nullopt;
    }
  };
  const auto write = [](const PrintedNumber& value) {
    return YamlNode::scalar(quantity_text(value.number, value.unit_text));
  };
  return {{.kind = Shape::Kind::number, .phrase = "number with a unit"}, read, write};
}

void check_tolerance(const BenchmarkQuantity& quantity, const Given& given, Reader& reader) {
  if (reader.failed(reader.path())) return;
  if (given.has("tolerance") == given.has("relative-tolerance")) {
    reader.error(given.place(), "needs exactly one of 'tolerance' and 'relative-tolerance'");
  } else if (quantity.relative_tolerance && quantity.published.number == 0.0) {
    reader.error(given.place("relative-tolerance"), "means nothing for a published value of 0; give 'tolerance'");
  } else if (quantity.tolerance && !(quantity.tolerance->unit.dimension == quantity.published.unit.dimension)) {
    reader.error(given.place("tolerance"), "must be " + describe(quantity.published.unit.dimension) +
                                               " like the published value, not " +
                                               describe(quantity.tolerance->unit.dimension));
  }
}

Format<BenchmarkQuantity> quantity() {
  using Entry = BenchmarkQuantity;
  Table<Entry> table("Quantity", "A number that is compared.");
  table.required("quantity", &Entry::quantity, text(), "What it is.");
  table.required("run", &Entry::run, text(), "Name of the run.");
  table.required("measure", &Entry::measure, measure_format(), "How it is found in the results.");
  table.required("published", &Entry::published, printed_number(), "The published value.");
  table.optional("tolerance", &Entry::tolerance, printed_number(), "Difference that still counts as agreement.");
  table.optional("relative-tolerance", &Entry::relative_tolerance, number("", above(0)),
                 "The same as a part of the published value.");
  table.optional("source", &Entry::source, text(), "Where the value is from.");
  table.check(check_tolerance);
  return nested(table);
}

Format<RunRequest> run() {
  Table<RunRequest> table("Run", "A model that is run.");
  table.required("model", &RunRequest::model, text(), "Model file, relative to this file.");
  table.optional("set", &RunRequest::settings, list_of(text()), "Changes, as for `freeplay run --set`.");
  table.optional("end", &RunRequest::end, text(), "Another end than in the file.");
  table.optional("modes", &RunRequest::n_modes, integer(at_least(1)),
                 "So many natural frequencies are found instead of the analysis in the file.");
  table.optional("campbell", &RunRequest::campbell, text(),
                 "Speeds, such as `0 rpm .. 6000 rpm`: `freeplay campbell` instead of the analysis in the file.");
  table.optional("response", &RunRequest::response, text(),
                 "Speeds: `freeplay response` to unbalance instead of the analysis in the file.");
  table.optional("points", &RunRequest::n_points, integer(at_least(2)), "How many speeds.");
  return nested(table);
}

Table<Benchmark> benchmark_table() {
  Table<Benchmark> table("Benchmark", "Models to run and numbers to compare.");
  table.required("title", &Benchmark::title, text(), "Title.");
  table.optional("source", &Benchmark::source, text(), "Where the published values are from.");
  table.required("runs", &Benchmark::runs, named(run()), "Runs by name.");
  table.required("quantities", &Benchmark::quantities, list_of(quantity(), 1), "What is compared.");
  return table;
}

void check_runs(const Benchmark& benchmark, const fs::path& folder, Reader& reader) {
  std::vector<std::string> names;
  for (const RunRequest& run : benchmark.runs) names.push_back(run.name);
  for (const BenchmarkQuantity& quantity : benchmark.quantities) {
    if (std::find(names.begin(), names.end(), quantity.run) == names.end())
      reader.error(quantity.where, "there is no run '" + quantity.run + "'" + did_you_mean(quantity.run, names) +
                                       " (runs: " + joined(names) + ")");
  }
  for (const RunRequest& run : benchmark.runs) {
    const auto is_of_run = [&](const BenchmarkQuantity& quantity) { return quantity.run == run.name; };
    if (std::none_of(benchmark.quantities.begin(), benchmark.quantities.end(), is_of_run))
      reader.error(run.where, "no quantity is of the run '" + run.name + "'");
    if (!run.model.empty() && !fs::is_regular_file(folder / run.model))
      reader.error(run.where, "there is no model file " + (folder / run.model).lexically_normal().string());
  }
}

}  // namespace

double BenchmarkQuantity::allowed_difference() const {
  return tolerance ? tolerance->si() : *relative_tolerance * std::abs(published.si());
}

std::vector<std::string> benchmark_names(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored))
    if (fs::is_regular_file(entry.path() / "bench.yaml") || fs::is_regular_file(entry.path() / "accuracy.yaml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Benchmark read_benchmark(const fs::path& directory, const std::string& name) {
  const fs::path folder = directory / name;
  const std::string file = (folder / "bench.yaml").string();
  Diagnostics diagnostics;
  Benchmark benchmark;
  try {
    const YamlNode root = parse_yaml(read_text_file(file), file);
    Reader reader(diagnostics);
    benchmark_table().read(root, {file, 1, 1}, reader, benchmark);
    if (!diagnostics.has_errors()) check_runs(benchmark, folder, reader);
  } catch (const SyntaxError& error) {
    diagnostics.error(error.where(), "", error.what());
  }
  diagnostics.throw_if_errors();
  benchmark.name = name;
  for (RunRequest& run : benchmark.runs) run.model = (folder / run.model).lexically_normal().string();
  return benchmark;
}

}  // namespace freeplay
