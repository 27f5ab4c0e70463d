#include "freeplay/report/csv_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace freeplay {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

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

std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (quoted && c == '"' && k + 1 < line.size() && line[k + 1] == '"') {
      cells.back() += line[++k];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

double number_in(std::string_view cell) {
  double value = none;
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return result.ec == std::errc() && std::isfinite(value) ? value : none;
}

void read_numbers(std::string_view line, std::vector<double>& values) {
  const char* next = line.data();
  const char* const end = next + line.size();
  for (double& value : values) {
    value = none;
    const auto result = std::from_chars(next, end, value);
    if (result.ec != std::errc() || !std::isfinite(value)) value = none;
    next = std::find(result.ptr, end, ',');
    if (next != end) ++next;
  }
}

}  // namespace freeplay
