#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "freeplay/analysis/event.h"
#include "freeplay/base/output_file.h"

namespace freeplay {

/// events.csv: a row per event, in the file as soon as write() returns. Events come in the order of time.
class EventWriter {
 public:
  /// `when` names the first column: statics has load factors instead of times.
  explicit EventWriter(const std::filesystem::path& path, std::string_view when = "time [s]");

  /// Goes on with the file of an earlier run: events later than `time` are dropped.
  static EventWriter truncate_after(double time, const std::filesystem::path& path);

  /// std::runtime_error if the file cannot be written.
  void write(const Event& event);

 private:
  explicit EventWriter(OutputFile file);

  OutputFile file_;
  std::string line_;
};

}  // namespace freeplay
