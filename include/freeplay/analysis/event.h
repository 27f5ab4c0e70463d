#pragma once

#include <optional>
#include <string>

namespace freeplay {

/// Something that happened at one moment: a line of events.csv.
struct Event {
  double time = 0.0;            ///< [s]; statics: the load factor
  std::string kind;             ///< `touch`
  std::string joint;            ///< where; may be empty
  std::optional<double> value;  ///< what the kind measures: the speed of a touch
  std::string unit;             ///< of value
  std::string detail;           ///< free text
};

}  // namespace freeplay
