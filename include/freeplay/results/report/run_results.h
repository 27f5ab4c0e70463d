#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "freeplay/results/report/event_data.h"
#include "freeplay/results/report/history_data.h"

namespace freeplay {

/// What a run has left in its directory, read as far as it is there.
struct RunResults {
  explicit RunResults(const std::filesystem::path& directory);

  nlohmann::json summary, scene;  ///< null: missing or damaged
  HistoryData history;
  EventData events;
  std::string resolved;               ///< resolved.yaml
  std::vector<std::string> warnings;  ///< in run.log

  /// Another process is writing the results.
  bool is_being_written = false;
  /// summary.json is of an earlier part of a run that was continued, and that then did not come to an end.
  bool summary_is_old() const;
};

/// Whether another process holds the lock of a results directory.
bool is_locked_by_another(const std::filesystem::path& directory);

/// Lines with a warning in a run.log, without the time, each once.
std::vector<std::string> warnings_in_log(const std::string& log);

/// A value of resolved.yaml; empty if there is none.
std::string resolved_value(const std::string& resolved, std::initializer_list<const char*> path);

/// A file as text, without its middle if it is too long to be read.
std::string shown_text(const std::filesystem::path& file);

}  // namespace freeplay
