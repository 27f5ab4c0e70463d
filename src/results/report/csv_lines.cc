#include "freeplay/results/report/csv_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace freeplay {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::optional<std::string_view> Lines::next() {
  const std::size_t end = rest_.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = rest_.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  rest_.remove_prefix(end + 1);
  return line;
}

std::size_t n_lines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

double number_in(std::string_view cell) {
  double value = not_a_number;
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return result.ec == std::errc() && std::isfinite(value) ? value : not_a_number;
}

void read_numbers(std::string_view line, std::vector<double>& values) {
  const char* next = line.data();
  const char* const end = next + line.size();
  for (double& value : values) {
    value = not_a_number;
    const auto result = std::from_chars(next, end, value);
    if (result.ec != std::errc() || !std::isfinite(value)) value = not_a_number;
    next = std::find(result.ptr, end, ',');
    if (next != end) ++next;
  }
}

}  // namespace freeplay
