#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "freeplay/analysis/bench/accuracy.h"
#include "freeplay/analysis/bench/benchmark.h"

namespace freeplay {

/// The results of all runs: kept where the user says, or only as long as the command lasts.
class BenchResults {
 public:
  explicit BenchResults(const std::optional<std::string>& requested);
  ~BenchResults();
  BenchResults(const BenchResults&) = delete;
  BenchResults& operator=(const BenchResults&) = delete;

  bool are_kept() const { return !is_temporary_; }
  std::filesystem::path of(const std::string& benchmark, const std::string& run = "") const {
    return path_ / benchmark / run;
  }

 private:
  std::filesystem::path path_;
  bool is_temporary_;
};

struct RunOutcome {
  std::string name;
  int exit_code = 0;
  double seconds = 0.0;
};

/// Says on standard error which run it is, and runs it in a process of its own.
RunOutcome timed_run(const std::string& benchmark, const RunRequest& run, const std::filesystem::path& results);

/// What a benchmark has to say.
struct BenchReport {
  std::string text;
  std::string json;
  int exit_code = 0;
};

BenchReport do_benchmark(const Benchmark& benchmark, const BenchResults& results);
/// Beside the results, if they are kept: accuracy.csv and accuracy.svg.
BenchReport do_accuracy_set(const AccuracySet& set, const BenchResults& results);

}  // namespace freeplay
