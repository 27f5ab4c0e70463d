#include "freeplay/app/bench_runs.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/analysis/bench/verdict.h"
#include "freeplay/app/child_process.h"
#include "freeplay/app/quiet_run.h"
#include "freeplay/app/results_directory.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/output_file.h"

namespace freeplay {

namespace fs = std::filesystem;

BenchResults::BenchResults(const std::optional<std::string>& requested) : is_temporary_(!requested) {
  if (requested) {
    path_ = ResultsDirectory::create(*requested).path();
    return;
  }
  std::string pattern = (fs::temp_directory_path() / "freeplay-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw InputError("error: cannot create the directory " + pattern);
  path_ = pattern;
}

BenchResults::~BenchResults() {
  std::error_code ignored;
  if (is_temporary_) fs::remove_all(path_, ignored);
}

RunOutcome timed_run(const std::string& benchmark, const RunRequest& run, const fs::path& results) {
  std::fprintf(stderr, "%s: running %s (%s)\n", benchmark.c_str(), run.name.c_str(), run.model.c_str());
  const auto start = std::chrono::steady_clock::now();
  RunOutcome outcome;
  outcome.name = run.name;
  outcome.exit_code = run_in_child([&] { return run_quietly(run, results.string()); });
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

namespace {

struct BenchOutcome {
  std::vector<RunOutcome> runs;
  std::vector<Verdict> verdicts;
};

BenchOutcome run_and_judge(const Benchmark& benchmark, const BenchResults& results) {
  BenchOutcome outcome;
  for (const RunRequest& run : benchmark.runs) {
    outcome.runs.push_back(timed_run(benchmark.name, run, results.of(benchmark.name, run.name)));
    if (outcome.runs.back().exit_code == exit_interrupted) return outcome;
  }
  for (const BenchmarkQuantity& quantity : benchmark.quantities)
    outcome.verdicts.push_back(judge(quantity, results.of(benchmark.name, quantity.run)));
  return outcome;
}

std::string text_of(const Benchmark& benchmark, const BenchOutcome& outcome) {
  std::string text = benchmark.name + ": " + benchmark.title + "\n" + verdict_table(outcome.verdicts);
  char line[160];
  for (const RunOutcome& run : outcome.runs) {
    const std::string end = run.exit_code == exit_ok ? "" : ", failed with code " + std::to_string(run.exit_code);
    std::snprintf(line, sizeof line, "  run %.80s: %.1f s%s\n", run.name.c_str(), run.seconds, end.c_str());
    text += line;
  }
  return text + "\n";
}

std::string json_of(const Benchmark& benchmark, const BenchOutcome& outcome) {
  nlohmann::ordered_json json;
  json["benchmark"] = benchmark.name;
  json["title"] = benchmark.title;
  if (!benchmark.source.empty()) json["source"] = benchmark.source;
  json["runs"] = nlohmann::ordered_json::array();
  for (const RunOutcome& run : outcome.runs)
    json["runs"].push_back({{"run", run.name}, {"exit_code", run.exit_code}, {"seconds", run.seconds}});
  json["quantities"] = nlohmann::ordered_json::parse(verdicts_json(outcome.verdicts));
  return json.dump();
}

/// The worst thing that happened: a run that failed, else a value that differs.
int exit_code_of(const BenchOutcome& outcome) {
  for (const RunOutcome& run : outcome.runs)
    if (run.exit_code != exit_ok) return run.exit_code;
  for (const Verdict& verdict : outcome.verdicts)
    if (!verdict.agrees) return exit_differs;
  return exit_ok;
}

ProblemAccuracy run_at_all_tolerances(const AccuracySet& set, const AccuracyProblem& problem,
                                      const BenchResults& results) {
  ProblemAccuracy accuracy{&problem, {}};
  for (const double tolerance : set.tolerances) {
    const RunRequest request = problem.run(tolerance);
    const RunOutcome outcome = timed_run(set.name, request, results.of(set.name, request.name));
    accuracy.runs.push_back(measure_accuracy(problem, tolerance, results.of(set.name, request.name)));
    accuracy.runs.back().exit_code = outcome.exit_code;
    if (outcome.exit_code == exit_interrupted) break;
  }
  return accuracy;
}

int exit_code_of(const ProblemAccuracy& problem) {
  for (const AccuracyRun& run : problem.runs)
    if (run.exit_code != exit_ok) return run.exit_code;
  return problem.complaint().empty() ? exit_ok : exit_differs;
}

}  // namespace

BenchReport do_benchmark(const Benchmark& benchmark, const BenchResults& results) {
  const BenchOutcome outcome = run_and_judge(benchmark, results);
  return {text_of(benchmark, outcome), json_of(benchmark, outcome), exit_code_of(outcome)};
}

BenchReport do_accuracy_set(const AccuracySet& set, const BenchResults& results) {
  std::vector<ProblemAccuracy> problems;
  int code = exit_ok;
  for (const AccuracyProblem& problem : set.problems) {
    problems.push_back(run_at_all_tolerances(set, problem, results));
    const int result = exit_code_of(problems.back());
    if (result == exit_interrupted || code == exit_ok || code == exit_differs) code = result == exit_ok ? code : result;
    if (code == exit_interrupted) break;
  }
  if (results.are_kept()) {
    replace_file(results.of(set.name, "accuracy.csv"), accuracy_csv(problems));
    replace_file(results.of(set.name, "accuracy.svg"), accuracy_picture(set.title, problems));
  }
  nlohmann::ordered_json json;
  json["benchmark"] = set.name;
  json["title"] = set.title;
  json["problems"] = nlohmann::ordered_json::parse(accuracy_json(problems));
  return {set.name + ": " + set.title + "\n" + accuracy_table(problems) + "\n", json.dump(), code};
}

}  // namespace freeplay
