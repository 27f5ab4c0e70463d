#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/analysis/bench/benchmark.h"

namespace freeplay {

/// A published value beside the computed one.
struct Verdict {
  const BenchmarkQuantity* quantity = nullptr;
  std::optional<double> computed;  ///< SI
  std::string problem;             ///< why nothing was computed
  bool agrees = false;

  double difference() const { return *computed - quantity->published.si(); }
};

Verdict judge(const BenchmarkQuantity& quantity, const std::filesystem::path& results);

/// quantity, published, computed, verdict; a line for each.
std::string verdict_table(const std::vector<Verdict>& verdicts);

/// The same as a JSON array.
std::string verdicts_json(const std::vector<Verdict>& verdicts);

}  // namespace freeplay
