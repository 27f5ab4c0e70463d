#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace freeplay {

/// Rows that look like all rows where there is room for `n_buckets` of them: the first, the last, and of each of
/// `n_buckets` equal parts those with the least and the largest value, so that no extreme is lost, and one without a
/// number (NaN, infinite), so that gaps stay. Ascending; all rows if that is not more.
std::vector<std::size_t> extreme_rows(std::span<const double> values, std::size_t n_buckets);

}  // namespace freeplay
