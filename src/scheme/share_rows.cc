#include "freeplay/scheme/share_rows.h"

namespace freeplay {

const ShareRow* share_of(const ShareRows& shares, int friction, int slip) {
  for (const ShareRow& row : shares)
    if (row.lock.friction == friction && row.lock.slip == slip) return &row;
  return nullptr;
}

}  // namespace freeplay
