#include "freeplay/results/report/history_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "freeplay/base/csv_cell.h"
#include "freeplay/results/report/csv_lines.h"
#include "freeplay/results/report/mapped_file.h"
#include "freeplay/results/report/packed_array.h"

namespace freeplay {

namespace {

using nlohmann::json;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t least_points = 100;  // of a column, however many columns there are

bool has_parts(const std::vector<std::string>& names, std::size_t k, const std::string& name) {
  return k + 2 < names.size() && names[k] == name + ".x" && names[k + 1] == name + ".y" && names[k + 2] == name + ".z";
}

/// Columns whose values make sense only together: stacked energies, the orbit of a journal in its clearance.
bool belongs_together(const std::string& name) {
  return name.starts_with("energy.") || name.starts_with("work.") || name.starts_with("loss.") ||
         name.starts_with("ledger.") || name.find(".eccentricity.") != std::string::npos || name.ends_with(".gap");
}

/// Five digits, as plots need them: a number whose last byte is zero takes three quarters of the space.
float five_digits(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::isnan(value) ? static_cast<float>(value) : std::bit_cast<float>((bits + 0x80U) & ~0xffU);
}

/// Single precision is enough for plots, unless a column hardly changes beside its size.
json packed_column(const std::vector<double>& values) {
  constexpr double hardly = 1e-3;
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double size = std::max(std::abs(low), std::abs(high));
  const bool fits_single =
      low > high || (size < 0.5 * std::numeric_limits<float>::max() && high - low >= hardly * size);
  if (low != high && !fits_single) return packed(std::span<const double>(values));
  std::vector<float> single;
  for (const double value : values) single.push_back(five_digits(value));
  return packed(std::span<const float>(single));
}

}  // namespace

HistoryData::HistoryData(const std::filesystem::path& csv, const Budget& budget) {
  const MappedFile file(csv);
  Lines lines(file.text());
  const auto header = lines.next();
  if (!header) return;
  read_header(*header);
  const std::string_view rows = file.text().substr(std::min(header->size() + 1, file.text().size()));
  n_rows_ = n_lines(rows);
  choose_size(budget);
  choose_samples(budget);
  read_rows(rows);
}

void HistoryData::read_header(std::string_view line) {
  for (const std::string& cell : csv_cells(line)) {
    const std::size_t bracket = cell.find(" [");  // `NAME [UNIT]`
    const bool has_unit = bracket != std::string::npos && cell.ends_with(']');
    names_.push_back(has_unit ? cell.substr(0, bracket) : cell);
    units_.push_back(has_unit ? cell.substr(bracket + 2, cell.size() - bracket - 3) : "");
  }
  for (std::size_t k = 1; k < names_.size(); ++k)
    for (const char* quantity : {".force", ".moment"})
      if (names_[k].ends_with(std::string(quantity) + ".x") &&
          has_parts(names_, k, names_[k].substr(0, names_[k].size() - 2)))
        vectors_.push_back({names_[k].substr(0, names_[k].size() - 2), k, {}});
}

void HistoryData::choose_size(const Budget& budget) {
  n_columns_ = std::min(names_.size() - 1, budget.most_columns);
  const std::size_t fitting = budget.numbers / std::max<std::size_t>(n_columns_, 1);
  const std::size_t n = std::min(budget.rows, std::max(fitting, least_points));
  columns_.resize(n_columns_);
  if (n_rows_ <= n) {
    n_points_ = n_rows_;
  } else {
    n_buckets_ = (n - 2) / 2;
    n_points_ = 2 * n_buckets_ + 2;
    falls_.assign(n_columns_, 0);
  }
  x_.assign(n_points_, no_value);
  row_of_point_.assign(n_points_, 0);
  for (std::vector<double>& column : columns_) column.assign(n_points_, no_value);
}

void HistoryData::choose_samples(const Budget& budget) {
  if (n_buckets_ == 0) return;
  for (std::size_t k = 1; k < names_.size(); ++k)
    if (belongs_together(names_[k])) sampled_.push_back(k);
  const std::size_t fitting = budget.sample_numbers / (sampled_.size() + 1);
  const std::size_t n = std::clamp(fitting, least_points, std::max(budget.sample_rows, least_points));
  sample_stride_ = (n_rows_ + n - 1) / n;
  samples_.resize(sampled_.size() + 1);
}

void HistoryData::read_rows(std::string_view text) {
  std::vector<double> values(names_.size());
  Lines lines(text);
  for (std::size_t row = 0; row < n_rows_; ++row) {
    const auto line = lines.next();
    if (!line) break;
    read_numbers(*line, values);
    add_row(row, values);
  }
}

std::size_t HistoryData::start_of(std::size_t bucket) const { return 1 + (n_rows_ - 2) * bucket / n_buckets_; }

void HistoryData::add_row(std::size_t row, const std::vector<double>& values) {
  last_time_ = values[0];
  for (Vector& vector : vectors_) {
    const double* v = values.data() + vector.first;
    const double length = std::hypot(v[0], v[1], v[2]);
    if (length > vector.largest.value) vector.largest = {length, values[0]};
  }
  if (!samples_.empty() && (row % sample_stride_ == 0 || row + 1 == n_rows_)) {
    samples_[0].push_back(values[0]);
    for (std::size_t k = 0; k < sampled_.size(); ++k) samples_[k + 1].push_back(values[sampled_[k]]);
  }
  const bool is_first = row == 0, is_last = row + 1 == n_rows_;
  if (n_buckets_ > 0 && !is_first && !is_last) return add_to_bucket(row, values);
  const std::size_t point = n_buckets_ == 0 ? row : is_first ? 0 : n_points_ - 1;
  x_[point] = values[0];
  row_of_point_[point] = static_cast<int>(row);
  for (std::size_t c = 0; c < n_columns_; ++c) columns_[c][point] = values[c + 1];
}

void HistoryData::add_to_bucket(std::size_t row, const std::vector<double>& values) {
  if (bucket_ + 1 < n_buckets_ && row >= start_of(bucket_ + 1)) ++bucket_;
  const std::size_t start = start_of(bucket_), middle = (start + start_of(bucket_ + 1)) / 2;
  const std::size_t point = 1 + 2 * bucket_;
  for (const std::size_t k : {std::size_t(0), std::size_t(1)}) {
    if (row != (k == 0 ? start : middle)) continue;
    x_[point + k] = values[0];
    row_of_point_[point + k] = static_cast<int>(row);
  }
  for (std::size_t c = 0; c < n_columns_; ++c) {
    const double value = values[c + 1];
    double& first = columns_[c][point];
    double& second = columns_[c][point + 1];
    if (std::isnan(first)) first = second = value;
    if (row == start) falls_[c] = 0;
    double& low = falls_[c] ? second : first;
    double& high = falls_[c] ? first : second;
    if (value < low) {
      // The least value is the last one now.
      const double greatest = high;
      first = greatest;
      second = value;
      falls_[c] = 1;
    } else if (value > high) {
      const double least = low;
      first = least;
      second = value;
      falls_[c] = 0;
    }
  }
}

bool HistoryData::has(const std::string& column) const { return std::ranges::find(names_, column) != names_.end(); }

std::optional<HistoryData::Largest> HistoryData::largest(const std::string& vector) const {
  const auto found = std::ranges::find(vectors_, vector, &Vector::name);
  if (found == vectors_.end() || n_rows_ == 0) return std::nullopt;
  return found->largest;
}

bool HistoryData::is_static() const { return !names_.empty() && names_[0] == "load_factor"; }

json HistoryData::json() const {
  if (names_.empty() || n_rows_ == 0) return nullptr;
  nlohmann::json x{{"name", names_[0]}, {"unit", units_[0]}, {"values", packed(std::span<const double>(x_))}};
  if (is_static() && n_buckets_ > 0) x["row"] = packed(std::span<const int>(row_of_point_));
  nlohmann::json columns = nlohmann::json::array();
  for (std::size_t c = 0; c < n_columns_; ++c)
    columns.push_back({{"name", names_[c + 1]}, {"unit", units_[c + 1]}, {"values", packed_column(columns_[c])}});
  nlohmann::json history{{"x", x}, {"columns", columns}, {"rows", n_rows_}, {"thinned", n_buckets_ > 0}};
  if (n_columns_ + 1 < names_.size()) history["left_out"] = names_.size() - 1 - n_columns_;
  return history;
}

json HistoryData::samples_json() const {
  if (samples_.empty() || sampled_.empty()) return nullptr;
  nlohmann::json columns = nlohmann::json::array();
  for (std::size_t k = 0; k < sampled_.size(); ++k)
    columns.push_back(
        {{"name", names_[sampled_[k]]}, {"unit", units_[sampled_[k]]}, {"values", packed_column(samples_[k + 1])}});
  return {{"x", packed(std::span<const double>(samples_[0]))}, {"columns", columns}};
}

}  // namespace freeplay
