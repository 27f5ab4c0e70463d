#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "freeplay/analysis/event.h"
#include "freeplay/base/output_file.h"

namespace freeplay {

/// events.csv: a row per event, in the file as soon as write() returns. Events come in the order of the steps that find
/// them.
class EventWriter {
 public:
  /// `when` names the first column: statics has load factors instead of times.
  explicit EventWriter(const std::filesystem::path& path, std::string_view when = "time [s]");

  /// Goes on with the file of an earlier run, from where it had `size` bytes.
  static EventWriter resume(const std::filesystem::path& path, std::uint64_t size);

  /// std::runtime_error if the file cannot be written.
  void write(const Event& event);
  /// Returns when the events are on the disk.
  void sync() { file_.sync(); }

  std::uint64_t size() const { return size_; }  ///< [bytes]

 private:
  EventWriter(OutputFile file, std::uint64_t size);

  OutputFile file_;
  std::uint64_t size_;
  std::string line_;
};

}  // namespace freeplay
