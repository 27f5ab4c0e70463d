#pragma once

#include <filesystem>
#include <string>

#include "freeplay/analysis/bench/benchmark.h"
#include "freeplay/analysis/bench/history.h"

namespace freeplay {

/// A number found in results, with the unit of its column.
struct Measurement {
  double value = 0.0;  ///< SI
  std::string unit;
};

/// Takes the number from a directory of results. Throws NoMeasurement.
Measurement take(const Measure& measure, const std::filesystem::path& results);

}  // namespace freeplay
