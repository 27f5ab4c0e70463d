#pragma once

// A benchmark is data: models to run, and numbers of their results beside the published ones. See doc/benchmarks.md.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/base/location.h"
#include "freeplay/base/units.h"

namespace freeplay {

/// One number that can be taken from the results of a run.
struct Measure {
  enum class Kind { value, maximum, time_of_maximum, range, crossing, event_time, event_value, events, summary, mode };

  Kind kind = Kind::value;
  std::string column{};                ///< of history.csv, without its unit
  std::vector<std::string> norm{};     ///< instead: root of the sum of the squares of these columns
  std::vector<std::string> sum{};      ///< instead: sum of these columns
  double at = 0.0;                     ///< [s]
  std::optional<double> from{}, to{};  ///< [s]; absent: the whole run
  Quantity level{};                    ///< that a signal crosses
  std::string event{};                 ///< `touch`, `loss`, ...
  std::string joint{};                 ///< where it happens
  int number = 1;                      ///< first, second, ... event; or number of the mode
  std::string key{};                   ///< dotted path in summary.json
};

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

struct BenchmarkRun {
  std::string name;
  std::string model;                  ///< path of the model file
  std::vector<std::string> settings;  ///< `PATH=VALUE`, as for `freeplay run --set`
  std::optional<std::string> end;
  int n_modes = 0;  ///< natural frequencies instead of the analysis in the file
  Location where;
};

struct Benchmark {
  std::string name;  ///< of its folder
  std::string title;
  std::string source;
  std::vector<BenchmarkRun> runs;
  std::vector<BenchmarkQuantity> quantities;
};

/// Names of the folders in `directory` that have a bench.yaml, in alphabetical order.
std::vector<std::string> benchmark_names(const std::filesystem::path& directory);

/// Reads and checks DIRECTORY/NAME/bench.yaml. Paths of models are relative to it. Throws InputError with all messages.
Benchmark read_benchmark(const std::filesystem::path& directory, const std::string& name);

}  // namespace freeplay
