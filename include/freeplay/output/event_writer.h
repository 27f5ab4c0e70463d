#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "freeplay/base/output_file.h"

namespace freeplay {

/// Something that happened at one moment: touch, loss, stick, slip, impact.
struct Event {
  double time = 0.0;        ///< [s]
  std::string_view kind;    ///< `touch`
  std::string_view joint;   ///< where
  double value = 0.0;       ///< what the kind measures, e.g. the approach velocity of a touch
  std::string_view unit;    ///< of value
  std::string_view detail;  ///< free text
};

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
