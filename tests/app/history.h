#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace freeplay::test {

/// A history.csv as the user's own script would read it, but strict.
struct History {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  double last_time() const { return rows.empty() ? -1.0 : rows.back().front(); }
  /// Values of one column; throws std::out_of_range if there is no such column.
  std::vector<double> column(const std::string& name) const;
};

/// Throws std::runtime_error if the file does not end with a whole line, if lines differ in their number of values, or
/// if a value is not a number.
History read_history(const std::filesystem::path& file);

}  // namespace freeplay::test
