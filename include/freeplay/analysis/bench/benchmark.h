#pragma once

// A benchmark is data: models to run, and numbers of their results beside the published ones. See doc/benchmarks.md.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/analysis/bench/measure.h"
#include "freeplay/analysis/bench/run_request.h"
#include "freeplay/base/location.h"
#include "freeplay/base/units.h"

namespace freeplay {

/// A number as it was written: what is computed is shown in the same unit.
struct PrintedNumber {
  double number = 0.0;
  std::string unit_text;
  Unit unit;

  double si() const { return unit.to_si(number); }
};

struct BenchmarkQuantity {
  std::string quantity;  ///< what it is, for the reader of the table
  std::string run;
  Measure measure;
  PrintedNumber published;
  std::optional<PrintedNumber> tolerance;
  std::optional<double> relative_tolerance;
  std::string source;  ///< where the published value is from, or what is to be known about it
  Location where;

  double allowed_difference() const;  ///< SI
};

struct Benchmark {
  std::string name;  ///< of its folder
  std::string title;
  std::string source;
  std::vector<RunRequest> runs;
  std::vector<BenchmarkQuantity> quantities;
};

/// Names of the folders in `directory` that have a bench.yaml or an accuracy.yaml, in alphabetical order.
std::vector<std::string> benchmark_names(const std::filesystem::path& directory);

/// Reads and checks DIRECTORY/NAME/bench.yaml. Paths of models are relative to it. Throws InputError with all messages.
Benchmark read_benchmark(const std::filesystem::path& directory, const std::string& name);

}  // namespace freeplay
