#include "freeplay/analysis/vibration_shapes.h"

#include <algorithm>

namespace freeplay {

std::vector<std::size_t> points_with_shapes(std::size_t n_points, std::size_t n_shapes, std::size_t n_nodes) {
  constexpr std::size_t most_numbers = 150000, most_points = 13, least_points = 3;
  const std::size_t numbers_per_point = std::max<std::size_t>(1, 12 * n_shapes * n_nodes);
  const std::size_t count = std::min(n_points, std::clamp(most_numbers / numbers_per_point, least_points, most_points));
  std::vector<std::size_t> points;
  for (std::size_t k = 0; k < count; ++k)
    points.push_back(count == 1 ? 0 : (k * (n_points - 1) + (count - 1) / 2) / (count - 1));
  return points;
}

}  // namespace freeplay
