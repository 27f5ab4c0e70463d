#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/assembly/columns.h"
#include "freeplay/base/output_file.h"

namespace freeplay {

/// history.csv: a header row, then a row of numbers with 12 significant digits per output time.
///
/// Rows are collected and go to the file as whole lines in one write(2), when 64 kB are full and at least every 2 s, so
/// a killed run leaves whole lines. (The one exception: the system may stop a write(2) of a process being killed
/// between two pages; resume() drops a line cut that way.) No memory is allocated after construction.
class HistoryWriter {
 public:
  /// Starts a new file; `columns` are all columns, the time as the first.
  HistoryWriter(const std::filesystem::path& path, std::span<const HistoryColumn> columns);

  /// Goes on with the file of an earlier run, from where it had `size` bytes. The run must have called flush() before
  /// it wrote the checkpoint that tells so. InputError if the file does not fit the columns.
  static HistoryWriter resume(const std::filesystem::path& path, std::span<const HistoryColumn> columns,
                              std::uint64_t size);

  HistoryWriter(HistoryWriter&&) = default;
  /// Writes what is left, silently if that fails: call close() to hear of it.
  ~HistoryWriter();

  /// One value per column. std::runtime_error if the file cannot be written.
  void row(std::span<const double> values);
  /// For the step loop, so that rows do not wait in memory when the next row takes long: a look at the clock.
  void flush_if_due();
  void flush();
  /// As flush(), and returns when the rows are on the disk.
  void sync();
  void close();

  /// Of the file with all rows so far [bytes].
  std::uint64_t size() const { return size_ + used_; }

 private:
  using Clock = std::chrono::steady_clock;
  HistoryWriter(OutputFile file, std::uint64_t size, std::size_t n_columns);

  OutputFile file_;
  std::uint64_t size_;  ///< written
  std::size_t n_columns_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  Clock::time_point last_flush_ = Clock::now();
};

}  // namespace freeplay
