#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "freeplay/assembly/columns.h"

namespace freeplay {

/// history.nc: the columns of history.csv as variables of NetCDF, with units, in full precision.
///
/// The classic format, with 64-bit offsets: rows follow each other in the file, and their number stands in its header.
/// It is written after the rows themselves, so whenever a run is killed the file is readable. (HDF5, the other format
/// of NetCDF, is damaged by a kill while it writes.) Rows wait in memory and are written together, every few seconds.
class NetcdfWriter {
 public:
  /// Starts a new file; `columns` are all columns, the time as the first, which names the dimension.
  NetcdfWriter(const std::filesystem::path& path, std::span<const HistoryColumn> columns);

  /// Goes on with the file of an earlier run after its first `n_rows` rows. Nothing if there is no such file, or it is
  /// not of these columns, or has fewer rows.
  static std::optional<NetcdfWriter> resume(const std::filesystem::path& path, std::span<const HistoryColumn> columns,
                                            std::size_t n_rows);
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
  NetcdfWriter(const std::filesystem::path& path, std::size_t n_columns, int file);
  void define(std::span<const HistoryColumn> columns);
  void require(int status) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::vector<int> variables_;
  std::size_t n_rows_ = 0;      ///< in the file
  std::size_t n_waiting_ = 0;   ///< in memory
  std::size_t most_waiting_;    ///< rows for which there is memory
  std::vector<double> buffer_;  ///< one row after the other
  Clock::time_point last_flush_ = Clock::now();
  Clock::duration pause_;  ///< between two times of writing
};

}  // namespace freeplay
