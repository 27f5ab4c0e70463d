#include <algorithm>
#include <cmath>

#include "freeplay/base/names.h"
#include "freeplay/bench/benchmark.h"
#include "freeplay/input/table.h"

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
      result.number = std::stod(node.text.substr(0, length));
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

/// A value of any dimension.
Format<Quantity> any_quantity() {
  const auto read = [](const YamlNode& node, const Location& where, Reader& reader) {
    return reader.quantity(node, where);
  };
  const auto write = [](const Quantity& value) {
    return YamlNode::scalar(quantity_text(value.value, base_unit_text(value.dimension)));
  };
  return {{.kind = Shape::Kind::number, .phrase = "number with any unit"}, read, write};
}

void check_signal(const Measure& measure, const Given& given, Reader& reader) {
  const int n = !measure.column.empty() + !measure.norm.empty() + !measure.sum.empty();
  if (n != 1 && !reader.failed(reader.path()))
    reader.error(given.place(), "needs exactly one of 'column', 'norm' and 'sum'");
}

Table<Measure> signal_table(const std::string& title, const std::string& description) {
  Table<Measure> table(title, description);
  table.optional("column", &Measure::column, text(), "Column of history.csv, without its unit.");
  table.optional("norm", &Measure::norm, list_of(text(), 1), "Columns: the root of the sum of their squares.");
  table.optional("sum", &Measure::sum, list_of(text(), 1), "Columns: their sum.");
  table.check(check_signal);
  return table;
}

void add_interval(Table<Measure>& table) {
  table.optional("from", &Measure::from, number("s"), "Beginning of the interval; if absent: of the run.");
  table.optional("to", &Measure::to, number("s"), "End of the interval; if absent: of the run.");
}

Table<Measure> interval_table(const std::string& title, const std::string& description) {
  Table<Measure> table = signal_table(title, description);
  add_interval(table);
  return table;
}

Table<Measure> event_table(const std::string& description) {
  Table<Measure> table("Event", description);
  table.required("kind", &Measure::event, text(), "Kind of the event, such as `touch`.");
  table.required("joint", &Measure::joint, text(), "Joint.");
  add_interval(table);
  return table;
}

Format<Measure> measure() {
  using Kind = Measure::Kind;
  Table<Measure> value = signal_table("Value", "A signal at a time.");
  value.required("at", &Measure::at, number("s"), "Time; between rows of the history the signal is taken as linear.");
  Table<Measure> crossing = interval_table("Crossing", "The time at which a signal first crosses a level.");
  crossing.required("level", &Measure::level, any_quantity(), "The level.");
  const auto numbered_event = [](const std::string& description) {
    Table<Measure> table = event_table(description);
    table.optional("number", &Measure::number, integer(at_least(1)), "First, second, ... in the interval.");
    return table;
  };
  const Table<Measure> events = event_table("How many events there are.");
  Table<Measure> summary("Summary", "A number of summary.json.");
  summary.required("key", &Measure::key, text(), "Its path, such as `ledger.relative_residual`.");
  Table<Measure> mode("Mode", "A natural angular frequency, of a run with `modes`.");
  mode.required("number", &Measure::number, integer(at_least(1)), "Number of the mode.");
  return one_of<Measure>(
      {alternative("value", value, &Measure::kind, Kind::value),
       alternative("maximum", interval_table("Maximum", "The largest value."), &Measure::kind, Kind::maximum),
       alternative("time-of-maximum", interval_table("Time of the maximum", "When the value is largest."),
                   &Measure::kind, Kind::time_of_maximum),
       alternative("range", interval_table("Range", "Largest minus smallest value."), &Measure::kind, Kind::range),
       alternative("crossing", crossing, &Measure::kind, Kind::crossing),
       alternative("event", numbered_event("Time of an event."), &Measure::kind, Kind::event_time),
       alternative("event-value", numbered_event("Value of an event."), &Measure::kind, Kind::event_value),
       alternative("events", events, &Measure::kind, Kind::events),
       alternative("summary", summary, &Measure::kind, Kind::summary),
       alternative("mode", mode, &Measure::kind, Kind::mode)});
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
  table.required("measure", &Entry::measure, measure(), "How it is found in the results.");
  table.required("published", &Entry::published, printed_number(), "The published value.");
  table.optional("tolerance", &Entry::tolerance, printed_number(), "Difference that still counts as agreement.");
  table.optional("relative-tolerance", &Entry::relative_tolerance, number("", above(0)),
                 "The same as a part of the published value.");
  table.optional("source", &Entry::source, text(), "Where the value is from.");
  table.check(check_tolerance);
  return nested(table);
}

Format<BenchmarkRun> run() {
  Table<BenchmarkRun> table("Run", "A model that is run.");
  table.required("model", &BenchmarkRun::model, text(), "Model file, relative to this file.");
  table.optional("set", &BenchmarkRun::settings, list_of(text()), "Changes, as for `freeplay run --set`.");
  table.optional("end", &BenchmarkRun::end, text(), "Another end than in the file.");
  table.optional("modes", &BenchmarkRun::n_modes, integer(at_least(1)),
                 "So many natural frequencies are found instead of the analysis in the file.");
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
  for (const BenchmarkRun& run : benchmark.runs) names.push_back(run.name);
  for (const BenchmarkQuantity& quantity : benchmark.quantities) {
    if (std::find(names.begin(), names.end(), quantity.run) == names.end())
      reader.error(quantity.where, "there is no run '" + quantity.run + "'" + did_you_mean(quantity.run, names) +
                                       " (runs: " + joined(names) + ")");
  }
  for (const BenchmarkRun& run : benchmark.runs) {
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
    if (fs::is_regular_file(entry.path() / "bench.yaml")) names.push_back(entry.path().filename().string());
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
  for (BenchmarkRun& run : benchmark.runs) run.model = (folder / run.model).lexically_normal().string();
  return benchmark;
}

}  // namespace freeplay
