#pragma once

#include <vector>

#include "freeplay/mechanics/ledger.h"
#include "freeplay/mechanics/model.h"

namespace freeplay {

/// The mechanism at one instant, complete: what is written at an output time.
struct Snapshot {
  const State& state;
  const std::vector<Vec6>& twist_rate;     ///< body axes
  const std::vector<double>& multipliers;  ///< at this instant, per equation
  const Ledger& ledger;
};

}  // namespace freeplay
