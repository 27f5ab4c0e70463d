#include "freeplay/results/history_writer.h"

#include <exception>
#include <stdexcept>
#include <utility>

#include "freeplay/base/csv_cell.h"
#include "freeplay/results/csv.h"

namespace freeplay {
namespace {

constexpr std::size_t flush_size = 64 * 1024;
constexpr std::chrono::seconds flush_interval{2};

std::string header_row(std::span<const HistoryColumn> columns) {
  std::string header;
  for (const HistoryColumn& column : columns) {
    const bool has_unit = !column.unit.empty() && column.unit != "1";
    if (!header.empty()) header += ',';
    header += csv_cell(has_unit ? column.name + " [" + column.unit + "]" : column.name);
  }
  return header;
}

}  // namespace

HistoryWriter::HistoryWriter(OutputFile file, std::uint64_t size, std::size_t n_columns)
    : file_(std::move(file)),
      size_(size),
      n_columns_(n_columns),
      // Space for the row that fills the buffer past flush_size.
      buffer_(flush_size + n_columns * (max_number_length + 1)) {}

HistoryWriter::HistoryWriter(const std::filesystem::path& path, std::span<const HistoryColumn> columns)
    : HistoryWriter(OutputFile(path, OutputFile::Mode::create), 0, columns.size()) {
  const std::string header = header_row(columns) + "\n";
  file_.write(header);
  size_ = header.size();
}

HistoryWriter HistoryWriter::resume(const std::filesystem::path& path, std::span<const HistoryColumn> columns,
                                    std::uint64_t size) {
  shorten_csv(path, header_row(columns), size);
  return HistoryWriter(OutputFile(path, OutputFile::Mode::append), size, columns.size());
}

HistoryWriter::~HistoryWriter() {
  try {
    flush();
  } catch (const std::exception&) {
    // A destructor may run because of this very failure: the first exception has told the user.
  }
}

void HistoryWriter::row(std::span<const double> values) {
  if (values.size() != n_columns_) throw std::logic_error("HistoryWriter::row: one value per column is needed");
  char* end = buffer_.data() + used_;
  for (const double value : values) {
    end = write_number(end, value);
    *end++ = ',';
  }
  end[-1] = '\n';
  used_ = static_cast<std::size_t>(end - buffer_.data());
  if (used_ >= flush_size)
    flush();
  else
    flush_if_due();
}

void HistoryWriter::flush_if_due() {
  if (used_ > 0 && Clock::now() - last_flush_ >= flush_interval) flush();
}

void HistoryWriter::flush() {
  // Emptied first: after a failure the next row must not overrun the buffer. A moved-from writer has no buffer.
  const std::size_t size = std::exchange(used_, 0);
  if (size == 0 || buffer_.empty()) return;
  file_.write({buffer_.data(), size});
  size_ += size;
  last_flush_ = Clock::now();
}

void HistoryWriter::sync() {
  flush();
  file_.sync();
}

void HistoryWriter::close() {
  flush();
  file_.close();
}

}  // namespace freeplay
