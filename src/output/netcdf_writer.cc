#include "freeplay/output/netcdf_writer.h"

#include <netcdf.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "freeplay/output/csv.h"

namespace freeplay {

namespace {

constexpr std::size_t memory = 1 << 23;  // at most so many numbers wait: 64 MB
constexpr std::size_t most_rows = 512;
constexpr std::size_t fewest_rows = 16;
constexpr std::chrono::seconds shortest_pause{2};
constexpr int pause_per_writing = 20;    // so writing takes at most 5 % of the time
constexpr std::size_t chunk_rows = 128;  // 1 kB per variable at a time in the file

// Attaching variables to their dimension in the way of HDF5 takes quadratic time: 1 s for 5,000 variables and 18 s for
// 20,000. Without it the NetCDF library finds the dimension all the same; other readers of HDF5 may not.
constexpr std::size_t most_attached = 5000;

}  // namespace

NetcdfWriter::NetcdfWriter(const std::filesystem::path& path, std::span<const HistoryColumn> columns)
    : path_(path),
      most_waiting_(std::clamp(memory / columns.size(), fewest_rows, most_rows)),
      buffer_(most_waiting_ * columns.size()),
      pause_(shortest_pause) {
  const int attach = columns.size() > most_attached ? NC_NODIMSCALE_ATTACH : 0;
  require(nc_create(path.c_str(), NC_NETCDF4 | NC_CLOBBER | attach, &file_));
  define(columns);
}

void NetcdfWriter::define(std::span<const HistoryColumn> columns) {
  int rows = 0;
  require(nc_def_dim(file_, columns.front().name.c_str(), NC_UNLIMITED, &rows));
  for (const HistoryColumn& column : columns) {
    const std::string unit = column.unit.empty() ? "1" : column.unit;
    int variable = 0;
    require(nc_def_var(file_, column.name.c_str(), NC_DOUBLE, 1, &rows, &variable));
    require(nc_def_var_chunking(file_, variable, NC_CHUNKED, &chunk_rows));
    require(nc_set_var_chunk_cache(file_, variable, chunk_rows * sizeof(double), 1, 0.0F));
    require(nc_put_att_text(file_, variable, "units", unit.size(), unit.c_str()));
    variables_.push_back(variable);
  }
  require(nc_enddef(file_));
  require(nc_sync(file_));
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
  for (std::size_t k = 0; k < values.size(); ++k) buffer_[k * most_waiting_ + n_waiting_] = values[k];
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
  for (std::size_t k = 0; k < variables_.size(); ++k)
    require(nc_put_vara_double(file_, variables_[k], &n_rows_, &n, buffer_.data() + k * most_waiting_));
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
