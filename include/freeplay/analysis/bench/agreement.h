#pragma once

// How exact is a result? Two runs of a model, one of them finer, compared row by row. See doc/verify.md.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace freeplay {

/// A result as a user thinks of it: `piston.position` with its three components.
struct AgreementOfColumn {
  std::string name, unit;
  double largest = 0.0;         ///< of the finer run [SI]
  double difference = 0.0;      ///< the largest between the runs [SI]
  std::optional<double> parts;  ///< when the difference first exceeds a hundredth of the largest value [s]

  double relative() const { return largest > 0.0 ? difference / largest : 0.0; }
};

/// Differences that grow exponentially: the motion is chaotic, and a smaller tolerance delays them but does not help.
struct Divergence {
  double rate = 0.0;   ///< differences grow like exp(rate t) [1/s]
  double until = 0.0;  ///< up to here a comparison at each time means something [s]
};

struct Agreement {
  std::vector<AgreementOfColumn> columns;  ///< the least exact first
  std::optional<Divergence> divergence;
  double end = 0.0;  ///< last time that both runs reach [s]
};

/// Compares the rows that both runs have at the same times. Throws NoMeasurement.
Agreement compare_histories(const std::filesystem::path& coarse, const std::filesystem::path& fine);

}  // namespace freeplay
