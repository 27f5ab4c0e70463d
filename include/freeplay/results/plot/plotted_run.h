#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/base/csv_table.h"

namespace freeplay {

/// A row of events.csv.
struct PlottedEvent {
  double time = 0.0;
  std::string kind, joint;
};

/// The results directory of a run, also of one that failed, was killed or still goes on.
class PlottedRun {
 public:
  /// `directory` may also name the history.csv in it. Throws InputError.
  explicit PlottedRun(const std::filesystem::path& directory);

  const std::filesystem::path& directory() const { return directory_; }
  const CsvTable& history() const { return *history_; }
  std::vector<PlottedEvent> events() const;
  /// Of the model; empty if it has none.
  std::string title() const;
  /// `interrupted at t = 0.5 s`; empty if it finished.
  std::string trouble() const;
  /// Bearing radius less journal radius of a joint [m].
  std::optional<double> clearance_of(const std::string& joint) const;

 private:
  std::filesystem::path directory_;
  std::optional<CsvTable> history_;
};

/// Names of runs in a legend: the shortest ends of their paths that differ.
std::vector<std::string> names_of(const std::vector<PlottedRun>& runs);

}  // namespace freeplay
