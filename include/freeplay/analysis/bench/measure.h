#pragma once

#include <optional>
#include <string>
#include <vector>

#include "freeplay/base/units.h"
#include "freeplay/deck/format.h"

namespace freeplay {

/// One number that can be taken from the results of a run.
struct Measure {
  enum class Kind {
    value,
    maximum,
    minimum,
    mean,
    time_of_maximum,
    range,
    crossing,
    event_time,
    event_value,
    events,
    summary,
    mode,
    critical_speed,
    stability_limit
  };

  Kind kind = Kind::value;
  std::string column{};                ///< of history.csv, without its unit
  std::vector<std::string> norm{};     ///< instead: root of the sum of the squares of these columns
  std::vector<std::string> sum{};      ///< instead: sum of these columns
  std::optional<double> at{};          ///< [s]; absent: the end of the run
  std::optional<double> from{}, to{};  ///< [s]; absent: the whole run
  Quantity level{};                    ///< that a signal crosses
  std::string event{};                 ///< `touch`, `loss`, ...; empty: any
  std::string joint{};                 ///< where it happens; empty: anywhere
  int number = 1;                      ///< first, second, ... event or critical speed; or number of the mode
  std::string key{};                   ///< dotted path in summary.json
};

/// How a measure stands in a file: `{maximum: {column: bob.velocity.x}}`, ... See doc/benchmarks.md.
Format<Measure> measure_format();

/// A value of any dimension.
Format<Quantity> any_quantity();

}  // namespace freeplay
