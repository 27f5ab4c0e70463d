#include "freeplay/analysis/bench/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/analysis/bench/measurement.h"

namespace freeplay {

namespace {

constexpr double largest_of_smooth = 10.0;  // errors in tolerances
constexpr double least_power = 0.9;         // 1 is in proportion; five points are never quite on a line
constexpr double round_off = 1e-10;         // history.csv and the references have twelve digits

double error_of(const KnownVector& known, const std::filesystem::path& results) {
  double squares = 0.0;
  for (std::size_t k = 0; k < known.columns.size(); ++k) {
    const Measure value{.kind = Measure::Kind::value, .column = known.columns[k], .at = known.at};
    squares += std::pow(take(value, results).value - known.reference[k], 2);
  }
  return std::sqrt(squares) / known.size;
}

double summary_number(const std::string& key, const std::filesystem::path& results) {
  return take(Measure{.kind = Measure::Kind::summary, .key = key}, results).value;
}

template <class... Values>
std::string line(const char* format, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

const char* text_of(AccuracyProblem::Kind kind) {
  switch (kind) {
    case AccuracyProblem::Kind::contact:
      return "contact";
    case AccuracyProblem::Kind::friction:
      return "friction";
    default:
      return "smooth";
  }
}

std::string power_text(const ProblemAccuracy& problem) {
  const std::optional<double> power = problem.power();
  return power ? line("falls with power %.2f", *power) : "exact";
}

}  // namespace

AccuracyRun measure_accuracy(const AccuracyProblem& problem, double tolerance, const std::filesystem::path& results) {
  AccuracyRun run;
  run.tolerance = tolerance;
  try {
    run.n_steps = summary_number("steps.accepted", results);
    run.seconds = summary_number("seconds.steps", results);
    double largest = 0.0;
    for (const KnownVector& known : problem.compare) largest = std::max(largest, error_of(known, results));
    run.error = largest;
  } catch (const NoMeasurement& trouble) {
    run.trouble = trouble.what();
  }
  return run;
}

double ProblemAccuracy::largest_per_tolerance() const {
  double largest = 0.0;
  for (const AccuracyRun& run : runs)
    if (run.error) largest = std::max(largest, run.per_tolerance());
  return largest;
}

std::optional<double> ProblemAccuracy::power() const {
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (const AccuracyRun& run : runs) {
    if (!run.error || *run.error < round_off) continue;
    const double log_tolerance = std::log(run.tolerance), log_error = std::log(*run.error);
    n += 1.0;
    x += log_tolerance;
    y += log_error;
    xx += log_tolerance * log_tolerance;
    xy += log_tolerance * log_error;
  }
  if (n < 2.0) return std::nullopt;
  return (n * xy - x * y) / (n * xx - x * x);
}

std::string ProblemAccuracy::complaint() const {
  for (const AccuracyRun& run : runs)
    if (!run.error) return run.trouble;
  if (problem->kind == AccuracyProblem::Kind::smooth && largest_per_tolerance() > largest_of_smooth)
    return line("%.3g times the tolerance", largest_per_tolerance()) + ", " + power_text(*this);
  if (power().value_or(1.0) < least_power) return power_text(*this);
  return "";
}

std::string accuracy_table(const std::vector<ProblemAccuracy>& problems) {
  std::string table = line("  %-24s  %-8s  %9s  %10s  %15s  %9s  %8s\n", "problem", "kind", "tolerance", "error/size",
                           "error/tolerance", "steps", "seconds");
  for (const ProblemAccuracy& problem : problems) {
    for (const AccuracyRun& run : problem.runs) {
      const bool is_first = &run == &problem.runs.front();
      table += line("  %-24.60s  %-8s  %9.0e  ", is_first ? problem.problem->name.c_str() : "",
                    is_first ? text_of(problem.problem->kind) : "", run.tolerance);
      table += run.error
                   ? line("%10.2e  %15.3g  %9.0f  %8.2f", *run.error, run.per_tolerance(), run.n_steps, run.seconds)
                   : "no value: " + run.trouble;
      if (&run == &problem.runs.back()) {
        const std::string complaint = problem.complaint();
        table += "  " + (complaint.empty() ? "good: " + power_text(problem) : "FAILS: " + complaint);
      }
      table += "\n";
    }
  }
  return table;
}

std::string accuracy_csv(const std::vector<ProblemAccuracy>& problems) {
  std::string csv = "problem,kind,tolerance,error/size,steps,seconds\n";
  for (const ProblemAccuracy& problem : problems)
    for (const AccuracyRun& run : problem.runs)
      if (run.error)
        csv += line("%.80s,%s,%.3g,%.6g,%.0f,%.4g\n", problem.problem->name.c_str(), text_of(problem.problem->kind),
                    run.tolerance, *run.error, run.n_steps, run.seconds);
  return csv;
}

std::string accuracy_json(const std::vector<ProblemAccuracy>& problems) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ProblemAccuracy& problem : problems) {
    nlohmann::ordered_json entry;
    entry["problem"] = problem.problem->name;
    entry["kind"] = text_of(problem.problem->kind);
    entry["source"] = problem.problem->source;
    entry["largest_error_per_tolerance"] = problem.largest_per_tolerance();
    const std::optional<double> power = problem.power();
    entry["power"] = power ? nlohmann::ordered_json(*power) : nlohmann::ordered_json();
    const std::string complaint = problem.complaint();
    entry["agrees"] = complaint.empty();
    if (!complaint.empty()) entry["problem_found"] = complaint;
    entry["runs"] = nlohmann::ordered_json::array();
    for (const AccuracyRun& run : problem.runs) {
      const nlohmann::ordered_json error = run.error ? nlohmann::ordered_json(*run.error) : nlohmann::ordered_json();
      entry["runs"].push_back({{"tolerance", run.tolerance},
                               {"exit_code", run.exit_code},
                               {"error", error},
                               {"steps", run.n_steps},
                               {"seconds", run.seconds}});
    }
    list.push_back(entry);
  }
  return list.dump();
}

}  // namespace freeplay
