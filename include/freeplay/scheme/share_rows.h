#pragma once

#include <utility>
#include <vector>

#include "freeplay/assembly/dependent_slips.h"

namespace freeplay {

/// In place of a lock that other locks and joints make redundant: a condition on the multipliers that says how the
/// stuck joints share the load, sum of factor * multiplier = offset.
struct ShareRow {
  SlipDirection lock;
  std::vector<std::pair<int, double>> factors;
  double offset = 0.0;
};
using ShareRows = std::vector<ShareRow>;

/// The row in place of this lock; null: it is not redundant.
const ShareRow* share_of(const ShareRows& shares, int friction, int slip);

}  // namespace freeplay
