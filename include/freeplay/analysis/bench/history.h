#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace freeplay {

/// The results have no such number; what() says why.
class NoMeasurement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::vector<std::string> cells_of(const std::string& line);
double number_of(const std::string& cell);

/// Reads history.csv of a directory of results row by row. Throws NoMeasurement.
class HistoryFile {
 public:
  explicit HistoryFile(const std::filesystem::path& results);

  /// Of the columns; the first is the time.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& units() const { return units_; }

  /// Goes on to the next row; false: there is none.
  bool next();
  double time() const { return number(0); }
  double number(std::size_t column) const { return number_of(cells_.at(column)); }

 private:
  std::ifstream file_;
  std::vector<std::string> names_, units_, cells_;
};

}  // namespace freeplay
