#pragma once

// Does a smaller tolerance give smaller errors, and does it mean what it says? Problems whose solutions are known, run
// at several tolerances. See doc/benchmarks.md.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/analysis/bench/run_request.h"

namespace freeplay {

/// Columns of history.csv at a time: a vector that is known.
struct KnownVector {
  std::vector<std::string> columns;
  double at = 0.0;                ///< [s]
  std::vector<double> reference;  ///< SI
  double size = 0.0;  ///< SI: distance travelled until then, or the largest force; errors are relative to it
};

struct AccuracyProblem {
  enum class Kind { smooth, contact, friction };
  std::string name;
  std::string model;
  std::vector<std::string> settings;
  Kind kind = Kind::smooth;
  std::string source;  ///< of the reference values
  bool is_quick = false;
  std::vector<KnownVector> compare;
  Location where;

  /// The run with a tolerance; its name is PROBLEM/TOLERANCE.
  RunRequest run(double tolerance) const;
};

struct AccuracySet {
  std::string name;  ///< of its folder
  std::string title;
  std::vector<double> tolerances;
  std::vector<AccuracyProblem> problems;
};

/// Whether DIRECTORY/NAME is a folder with an accuracy.yaml.
bool is_accuracy_set(const std::filesystem::path& directory, const std::string& name);

/// Reads and checks DIRECTORY/NAME/accuracy.yaml. Paths of models are relative to it. Throws InputError with all
/// messages.
AccuracySet read_accuracy_set(const std::filesystem::path& directory, const std::string& name);

/// What came out of one run.
struct AccuracyRun {
  double tolerance = 0.0;
  int exit_code = 0;
  std::optional<double> error;  ///< the largest of the problem, each relative to its size
  double n_steps = 0.0, seconds = 0.0;
  std::string trouble;  ///< why there is no error

  double per_tolerance() const { return *error / tolerance; }
};

/// Takes errors, steps and time from the results of a run.
AccuracyRun measure_accuracy(const AccuracyProblem& problem, double tolerance, const std::filesystem::path& results);

/// The runs of a problem, from large to small tolerances.
struct ProblemAccuracy {
  const AccuracyProblem* problem = nullptr;
  std::vector<AccuracyRun> runs;

  double largest_per_tolerance() const;
  /// Power of the tolerance with which the error falls (least squares over the logarithms); none if it is round-off.
  std::optional<double> power() const;
  /// What is not as it should be; empty: nothing. Errors of smooth problems are at most ten times the tolerance, and
  /// all fall at least in proportion to it.
  std::string complaint() const;
};

std::string accuracy_table(const std::vector<ProblemAccuracy>& problems);
std::string accuracy_csv(const std::vector<ProblemAccuracy>& problems);
/// As a JSON array.
std::string accuracy_json(const std::vector<ProblemAccuracy>& problems);
/// Errors over tolerances, both logarithmic, as SVG.
std::string accuracy_picture(const std::string& title, const std::vector<ProblemAccuracy>& problems);

}  // namespace freeplay
