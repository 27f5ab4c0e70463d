#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freeplay {

/// history.csv for plots. A long one is thinned: its rows are cut into buckets of equal number, and each bucket gives
/// two points, the least and the greatest value of a column in the order in which they occur, so that no extreme is
/// lost.
class HistoryData {
 public:
  /// How much of a history goes into a report.
  struct Budget {
    std::size_t rows = 4000;         ///< points per column at most
    std::size_t numbers = 300000;    ///< points of all columns; more if a column would get fewer than 100
    std::size_t sample_rows = 2000;  ///< rows of the columns that belong together
    std::size_t sample_numbers = 200000;
    std::size_t most_columns = 10000;
  };

  /// A file that is missing, empty or damaged gives what can be read of it.
  explicit HistoryData(const std::filesystem::path& csv) : HistoryData(csv, Budget()) {}
  HistoryData(const std::filesystem::path& csv, const Budget& budget);

  std::size_t n_rows() const { return n_rows_; }
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& column) const;
  /// The first column of the last row.
  double last_time() const { return last_time_; }

  /// The largest length of a vector with columns NAME.x, NAME.y, NAME.z, over all rows; nothing if there are no such.
  struct Largest {
    double value = 0.0, time = 0.0;
  };
  std::optional<Largest> largest(const std::string& vector) const;

  /// For the page; null if there is nothing.
  nlohmann::json json() const;
  /// Rows as they are of columns that must belong to the same instant; null where the history is not thinned.
  nlohmann::json samples_json() const;

 private:
  struct Vector {
    std::string name;
    std::size_t first = 0;
    Largest largest;
  };
  void read_header(std::string_view line);
  void choose_size(const Budget& budget);
  void choose_samples(const Budget& budget);
  void read_rows(std::string_view text);
  void add_row(std::size_t row, const std::vector<double>& values);
  void add_to_bucket(std::size_t row, const std::vector<double>& values);
  /// First row of a bucket; rows between the first and the last one are in buckets.
  std::size_t start_of(std::size_t bucket) const;
  bool is_static() const;

  std::vector<std::string> names_, units_;
  std::size_t n_rows_ = 0;
  double last_time_ = 0.0;
  std::size_t n_buckets_ = 0;  ///< 0: not thinned
  std::size_t bucket_ = 0;     ///< that is being filled
  std::size_t n_points_ = 0;
  std::size_t n_columns_ = 0;  ///< that are shown
  std::vector<double> x_;
  std::vector<int> row_of_point_;
  std::vector<std::vector<double>> columns_;  ///< points of all columns but the first
  std::vector<char> falls_;                   ///< per column: the greatest value of this bucket came before the least
  std::vector<Vector> vectors_;
  std::vector<std::size_t> sampled_;  ///< columns
  std::size_t sample_stride_ = 1;
  std::vector<std::vector<double>> samples_;  ///< of the first column and of the sampled ones
};

}  // namespace freeplay
