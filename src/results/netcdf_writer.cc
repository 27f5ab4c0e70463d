#include "freeplay/results/netcdf_writer.h"

#include <netcdf.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "freeplay/base/output_file.h"
#include "freeplay/results/csv.h"

namespace freeplay {

namespace {

constexpr std::size_t memory = 1 << 23;  // at most so many numbers wait: 64 MB
constexpr std::size_t most_rows = 512;
constexpr std::size_t fewest_rows = 16;
constexpr std::chrono::seconds shortest_pause{2};
constexpr int pause_per_writing = 20;  // so writing takes at most 5 % of the time

/// Whether an open file has these columns and so many rows.
bool fits(int file, std::span<const HistoryColumn> columns, std::size_t n_rows) {
  int n_variables = 0, rows = -1;
  std::size_t length = 0;
  if (nc_inq_nvars(file, &n_variables) != NC_NOERR || n_variables != static_cast<int>(columns.size())) return false;
  if (nc_inq_unlimdim(file, &rows) != NC_NOERR || nc_inq_dimlen(file, rows, &length) != NC_NOERR) return false;
  for (int k = 0; k < n_variables; ++k) {
    char name[NC_MAX_NAME + 1];
    nc_type type = NC_NAT;
    if (nc_inq_var(file, k, name, &type, nullptr, nullptr, nullptr) != NC_NOERR) return false;
    if (name != columns[k].name || type != NC_DOUBLE) return false;
  }
  return length >= n_rows;
}

bool is_classic(int file) {
  int format = 0;
  return nc_inq_format(file, &format) == NC_NOERR && format == NC_FORMAT_64BIT_OFFSET;
}

/// The library can add rows and cannot take them away. Their number is a big-endian word of 32 bits after the four
/// bytes of the name of the format (NetCDF User's Guide, "The NetCDF Classic Format Specification").
void set_number_of_rows(const std::filesystem::path& path, std::size_t n_rows) {
  constexpr std::uint64_t place = 4;
  std::string word;
  for (int shift = 24; shift >= 0; shift -= 8) word += static_cast<char>(n_rows >> shift & 0xff);
  OutputFile(path, OutputFile::Mode::modify).write_at(place, word);
}

}  // namespace

NetcdfWriter::NetcdfWriter(const std::filesystem::path& path, std::size_t n_columns, int file)
    : path_(path),
      file_(file),
      most_waiting_(std::clamp(memory / n_columns, fewest_rows, most_rows)),
      buffer_(most_waiting_ * n_columns),
      pause_(shortest_pause) {
  variables_.resize(n_columns);
  std::iota(variables_.begin(), variables_.end(), 0);
}

NetcdfWriter::NetcdfWriter(const std::filesystem::path& path, std::span<const HistoryColumn> columns)
    : NetcdfWriter(path, columns.size(), -1) {
  require(nc_create(path.c_str(), NC_64BIT_OFFSET | NC_CLOBBER, &file_));
  define(columns);
}

void NetcdfWriter::define(std::span<const HistoryColumn> columns) {
  int rows = 0;
  require(nc_def_dim(file_, columns.front().name.c_str(), NC_UNLIMITED, &rows));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::string unit = columns[k].unit.empty() ? "1" : columns[k].unit;
    require(nc_def_var(file_, columns[k].name.c_str(), NC_DOUBLE, 1, &rows, &variables_[k]));
    require(nc_put_att_text(file_, variables_[k], "units", unit.size(), unit.c_str()));
  }
  require(nc_set_fill(file_, NC_NOFILL, nullptr));  // every number of a row is written
  require(nc_enddef(file_));
  require(nc_sync(file_));
}

std::optional<NetcdfWriter> NetcdfWriter::resume(const std::filesystem::path& path,
                                                 std::span<const HistoryColumn> columns, std::size_t n_rows) {
  int file = -1;
  if (nc_open(path.c_str(), NC_NOWRITE, &file) != NC_NOERR) return std::nullopt;
  const bool good = is_classic(file) && fits(file, columns, n_rows);
  nc_close(file);
  if (!good) return std::nullopt;
  set_number_of_rows(path, n_rows);
  NetcdfWriter writer(path, columns.size(), -1);
  writer.require(nc_open(path.c_str(), NC_WRITE, &writer.file_));
  writer.require(nc_set_fill(writer.file_, NC_NOFILL, nullptr));
  writer.n_rows_ = n_rows;
  return writer;
}

NetcdfWriter NetcdfWriter::from_csv(const std::filesystem::path& csv, const std::filesystem::path& path,
                                    std::span<const HistoryColumn> columns) {
  NetcdfWriter writer(path, columns);
  for_each_csv_row(csv, columns.size(), [&](std::span<const double> values) { writer.row(values); });
  writer.flush();
  return writer;
}

NetcdfWriter::NetcdfWriter(NetcdfWriter&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      variables_(std::move(other.variables_)),
      n_rows_(other.n_rows_),
      n_waiting_(std::exchange(other.n_waiting_, 0)),
      most_waiting_(other.most_waiting_),
      buffer_(std::move(other.buffer_)),
      last_flush_(other.last_flush_),
      pause_(other.pause_) {}

NetcdfWriter::~NetcdfWriter() {
  try {
    close();
  } catch (const std::exception&) {
    // A destructor may run because of this very failure: the first exception has told the user.
  }
}

void NetcdfWriter::row(std::span<const double> values) {
  if (values.size() != variables_.size()) throw std::logic_error("NetcdfWriter::row: one value per column is needed");
  std::copy(values.begin(), values.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(n_waiting_ * values.size()));
  if (++n_waiting_ == most_waiting_)
    flush();
  else
    flush_if_due();
}

void NetcdfWriter::flush_if_due() {
  if (n_waiting_ > 0 && Clock::now() - last_flush_ >= pause_) flush();
}

void NetcdfWriter::flush() {
  const std::size_t n = std::exchange(n_waiting_, 0);  // emptied first: after a failure the next row must have space
  if (n == 0 || file_ < 0) return;
  const Clock::time_point start = Clock::now();
  const double* value = buffer_.data();
  // In the order of the file.
  for (std::size_t row = n_rows_; row < n_rows_ + n; ++row)
    for (const int variable : variables_) require(nc_put_var1_double(file_, variable, &row, value++));
  require(nc_sync(file_));
  n_rows_ += n;
  last_flush_ = Clock::now();
  pause_ = std::max<Clock::duration>(shortest_pause, pause_per_writing * (last_flush_ - start));
}

void NetcdfWriter::close() {
  if (file_ < 0) return;
  flush();
  require(nc_close(std::exchange(file_, -1)));
}

void NetcdfWriter::require(int status) const {
  if (status == NC_NOERR) return;
  // HDF5 does not say why it cannot write; a full disk is what users meet.
  constexpr std::uintmax_t next_to_nothing = 1 << 20;
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(path_, unknown);
  const bool is_full = !unknown && space.available < next_to_nothing;
  const std::string reason = is_full ? std::generic_category().message(ENOSPC) : nc_strerror(status);
  throw std::runtime_error("cannot write '" + path_.string() + "': " + reason);
}

}  // namespace freeplay
