#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/names.h"
#include "freeplay/base/results_directory.h"
#include "freeplay/bench/verdict.h"
#include "freeplay/cli/child_process.h"
#include "freeplay/cli/commands.h"
#include "freeplay/cli/quiet_run.h"
#include "freeplay/cli/streams.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

/// Where the benchmarks are: what the user says, else here, else beside the program (in its build folder or installed).
fs::path benchmarks_directory(const std::optional<std::string>& requested) {
  if (requested) {
    if (benchmark_names(*requested).empty())
      throw InputError("error: --directory " + *requested + ": no folder in it has a bench.yaml");
    return *requested;
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& place :
       {fs::path("benchmarks"), program / "../benchmarks", program / "../share/freeplay/benchmarks"})
    if (!benchmark_names(place).empty()) return place.lexically_normal();
  throw InputError("error: there is no folder 'benchmarks' here; say where it is with --directory DIR");
}

std::vector<std::string> chosen_names(const fs::path& directory, const std::vector<std::string>& wanted) {
  const std::vector<std::string> known = benchmark_names(directory);
  for (const std::string& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("error: there is no benchmark '" + name + "' in " + directory.string() +
                       did_you_mean(name, known) + " (" + joined(known) + ")");
  return wanted.empty() ? known : wanted;
}

/// The results of all runs: kept where the user says, or only as long as the command lasts.
class BenchResults {
 public:
  explicit BenchResults(const std::optional<std::string>& requested) : is_temporary_(!requested) {
    if (requested) {
      path_ = ResultsDirectory::create(*requested).path();
      return;
    }
    std::string pattern = (fs::temp_directory_path() / "freeplay-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw InputError("error: cannot create the directory " + pattern);
    path_ = pattern;
  }
  ~BenchResults() {
    std::error_code ignored;
    if (is_temporary_) fs::remove_all(path_, ignored);
  }
  BenchResults(const BenchResults&) = delete;
  BenchResults& operator=(const BenchResults&) = delete;

  fs::path of(const std::string& benchmark, const std::string& run) const { return path_ / benchmark / run; }

 private:
  fs::path path_;
  bool is_temporary_;
};

struct RunOutcome {
  std::string name;
  int exit_code = exit_ok;
  double seconds = 0.0;
};

struct BenchOutcome {
  std::vector<RunOutcome> runs;
  std::vector<Verdict> verdicts;
};

RunOutcome timed_run(const std::string& benchmark, const RunRequest& run, const fs::path& results) {
  std::fprintf(stderr, "%s: running %s (%s)\n", benchmark.c_str(), run.name.c_str(), run.model.c_str());
  const auto start = std::chrono::steady_clock::now();
  RunOutcome outcome;
  outcome.name = run.name;
  outcome.exit_code = run_in_child([&] { return run_quietly(run, results.string()); });
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

BenchOutcome do_benchmark(const Benchmark& benchmark, const BenchResults& results) {
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

nlohmann::ordered_json json_of(const Benchmark& benchmark, const BenchOutcome& outcome) {
  nlohmann::ordered_json json;
  json["benchmark"] = benchmark.name;
  json["title"] = benchmark.title;
  if (!benchmark.source.empty()) json["source"] = benchmark.source;
  json["runs"] = nlohmann::ordered_json::array();
  for (const RunOutcome& run : outcome.runs)
    json["runs"].push_back({{"run", run.name}, {"exit_code", run.exit_code}, {"seconds", run.seconds}});
  json["quantities"] = nlohmann::ordered_json::parse(verdicts_json(outcome.verdicts));
  return json;
}

/// The worst thing that happened: a run that failed, else a value that differs.
int exit_code_of(const BenchOutcome& outcome) {
  for (const RunOutcome& run : outcome.runs)
    if (run.exit_code != exit_ok) return run.exit_code;
  for (const Verdict& verdict : outcome.verdicts)
    if (!verdict.agrees) return exit_differs;
  return exit_ok;
}

}  // namespace

int bench_command(const BenchOptions& options) {
  const fs::path directory = benchmarks_directory(options.directory);
  std::vector<Benchmark> benchmarks;
  for (const std::string& name : chosen_names(directory, options.names))
    benchmarks.push_back(read_benchmark(directory, name));

  const BenchResults results(options.output_directory);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  int code = exit_ok;
  for (const Benchmark& benchmark : benchmarks) {
    const BenchOutcome outcome = do_benchmark(benchmark, results);
    json.push_back(json_of(benchmark, outcome));
    if (!options.json) write_to_standard_output(text_of(benchmark, outcome));
    const int result = exit_code_of(outcome);
    if (result == exit_interrupted) return exit_interrupted;
    if (code == exit_ok || code == exit_differs) code = result == exit_ok ? code : result;
  }
  if (options.json) write_to_standard_output(json.dump(2) + "\n");
  return code;
}

}  // namespace freeplay
