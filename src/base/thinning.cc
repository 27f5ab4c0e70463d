#include "freeplay/base/thinning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace freeplay {

namespace {

void add_extremes(std::span<const double> values, std::size_t begin, std::size_t end, std::vector<std::size_t>& rows) {
  std::size_t least = end, largest = end, gap = end;
  for (std::size_t k = begin; k < end; ++k) {
    if (!std::isfinite(values[k])) {
      if (gap == end) gap = k;
      continue;
    }
    if (least == end || values[k] < values[least]) least = k;
    if (largest == end || values[k] > values[largest]) largest = k;
  }
  for (const std::size_t row : {least, largest, gap})
    if (row != end) rows.push_back(row);
}

}  // namespace

std::vector<std::size_t> extreme_rows(std::span<const double> values, std::size_t n_buckets) {
  const std::size_t n = values.size();
  std::vector<std::size_t> rows;
  if (n <= 2 * n_buckets + 2) {
    rows.resize(n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  rows = {0, n - 1};
  for (std::size_t bucket = 0; bucket < n_buckets; ++bucket)
    add_extremes(values, n * bucket / n_buckets, n * (bucket + 1) / n_buckets, rows);
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace freeplay
