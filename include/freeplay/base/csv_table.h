#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace freeplay {

/// A file of numbers below one header row `NAME [UNIT],...`, such as history.csv. It may be larger than the memory, and
/// a run may still be writing it: a last line without its end does not count. What is not a number is NaN.
class CsvTable {
 public:
  struct Column {
    std::string name, unit;
  };

  /// Reads the header. Throws std::runtime_error that names the file and the system's reason.
  explicit CsvTable(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  /// None if the file is empty.
  const std::vector<Column>& columns() const { return columns_; }

  /// Gives the numbers of the chosen columns, in the order in which they are chosen, row by row.
  void for_each_row(std::span<const std::size_t> chosen, const std::function<void(std::span<const double>)>& use) const;

  /// The chosen columns, whole.
  std::vector<std::vector<double>> read(std::span<const std::size_t> chosen) const;

 private:
  std::filesystem::path file_;
  std::vector<Column> columns_;
};

}  // namespace freeplay
