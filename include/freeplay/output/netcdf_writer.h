#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <vector>

#include "freeplay/assembly/history_names.h"

namespace freeplay {

/// history.nc: the columns of history.csv as variables of NetCDF-4, with units, in full precision.
///
/// Rows wait in memory and are written together, every few seconds: writing costs some 20 us per column however few the
/// rows. After each time the file is complete and nothing changes it until the next, so a killed run leaves a readable
/// file, unless the kill falls into the milliseconds of the writing itself.
class NetcdfWriter {
 public:
  /// Starts a new file; `columns` are all columns, the time as the first, which names the dimension.
  NetcdfWriter(const std::filesystem::path& path, std::span<const HistoryColumn> columns);

  /// A new file with the rows of a history.csv, to go on with. It does not need the file that an earlier run left.
  static NetcdfWriter from_csv(const std::filesystem::path& csv, const std::filesystem::path& path,
                               std::span<const HistoryColumn> columns);

  NetcdfWriter(NetcdfWriter&& other) noexcept;
  NetcdfWriter& operator=(NetcdfWriter&&) = delete;
  /// Writes what is left, silently if that fails: call close() to hear of it.
  ~NetcdfWriter();

  /// One value per column. std::runtime_error if the file cannot be written.
  void row(std::span<const double> values);
  /// For the step loop: a look at the clock.
  void flush_if_due();
  void flush();
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  void define(std::span<const HistoryColumn> columns);
  void require(int status) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::vector<int> variables_;
  std::size_t n_rows_ = 0;      ///< in the file
  std::size_t n_waiting_ = 0;   ///< in memory
  std::size_t most_waiting_;    ///< rows for which there is memory
  std::vector<double> buffer_;  ///< one column after the other
  Clock::time_point last_flush_ = Clock::now();
  Clock::duration pause_;  ///< between two times of writing
};

}  // namespace freeplay
