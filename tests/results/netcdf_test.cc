#include <gtest/gtest.h>
#include <netcdf.h>

#include <cmath>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/results/history_writer.h"
#include "freeplay/results/netcdf_writer.h"
#include "results/killed_process.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

const std::vector<HistoryColumn> columns = {
    {"time", "s"}, {"shaft@0.5.section_force.x", "N"}, {"bob.axis1.x", ""}, {"energy.kinetic", "J"}};

/// A NetCDF file, read by the library.
class File {
 public:
  explicit File(const fs::path& path) {
    if (nc_open(path.c_str(), NC_NOWRITE, &id_) != NC_NOERR) throw std::runtime_error("cannot open the file");
  }
  ~File() { nc_close(id_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::vector<double> column(const std::string& name) const {
    std::size_t n = 0;
    EXPECT_EQ(nc_inq_dimlen(id_, 0, &n), NC_NOERR);
    std::vector<double> values(n);
    EXPECT_EQ(nc_get_var_double(id_, variable(name), values.data()), NC_NOERR) << name;
    return values;
  }
  std::string unit(const std::string& name) const {
    std::size_t n = 0;
    EXPECT_EQ(nc_inq_attlen(id_, variable(name), "units", &n), NC_NOERR) << name;
    std::string text(n, ' ');
    nc_get_att_text(id_, variable(name), "units", text.data());
    return text;
  }

 private:
  int variable(const std::string& name) const {
    int number = -1;
    EXPECT_EQ(nc_inq_varid(id_, name.c_str(), &number), NC_NOERR) << name;
    return number;
  }
  int id_ = -1;
};

std::vector<double> row(int k) { return {0.1 * k, std::sin(k), -1.0 / (3.0 + k), 1e-200 * k}; }

// Protects: both files of the history have the same columns, units and values.
TEST(NetcdfWriter, equals_the_csv_file) {
  TemporaryDirectory tmp;
  constexpr int n_rows = 700;  // more than wait in memory at a time
  HistoryWriter csv(tmp / "history.csv", columns);
  NetcdfWriter netcdf(tmp / "history.nc", columns);
  for (int k = 0; k < n_rows; ++k) {
    csv.row(row(k));
    netcdf.row(row(k));
  }
  csv.close();
  netcdf.close();
  NetcdfWriter::from_csv(tmp / "history.csv", tmp / "again.nc", columns).close();
  const File file(tmp / "history.nc"), again(tmp / "again.nc");
  constexpr double twelve_digits = 1e-11;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::vector<double> values = file.column(columns[c].name), from_csv = again.column(columns[c].name);
    ASSERT_EQ(values.size(), static_cast<std::size_t>(n_rows));
    ASSERT_EQ(from_csv.size(), values.size());
    for (int k = 0; k < n_rows; ++k) {
      EXPECT_EQ(values[k], row(k)[c]);
      EXPECT_NEAR(from_csv[k], values[k], twelve_digits * std::abs(values[k]));
    }
  }
  EXPECT_EQ(file.unit("shaft@0.5.section_force.x"), "N");
  EXPECT_EQ(file.unit("bob.axis1.x"), "1");
}

// Protects: what was written before a kill can be read, while later rows are still in memory.
TEST(NetcdfWriter, killed_run_leaves_a_readable_file) {
  TemporaryDirectory tmp;
  constexpr int written = 300;
  ASSERT_TRUE(run_and_kill(
      [&](const auto& started) {
        NetcdfWriter writer(tmp / "history.nc", columns);
        for (int k = 0; k < written; ++k) writer.row(row(k));
        writer.flush();
        for (int k = written; k < written + 20; ++k) writer.row(row(k));
        started();
        std::this_thread::sleep_for(std::chrono::seconds(60));
      },
      std::chrono::milliseconds(5)));
  const std::vector<double> times = File(tmp / "history.nc").column("time");
  ASSERT_EQ(times.size(), static_cast<std::size_t>(written));
  EXPECT_EQ(times.back(), row(written - 1)[0]);
}

// Protects: a continued run has the very file of an uninterrupted one, whatever was written after its checkpoint.
TEST(NetcdfWriter, goes_on_after_the_rows_of_a_checkpoint) {
  TemporaryDirectory tmp;
  const auto write = [](NetcdfWriter writer, int from, int to) {
    for (int k = from; k < to; ++k) writer.row(row(k));
    writer.close();
  };
  write(NetcdfWriter(tmp / "whole.nc", columns), 0, 900);
  write(NetcdfWriter(tmp / "history.nc", columns), 0, 700);
  std::optional<NetcdfWriter> writer = NetcdfWriter::resume(tmp / "history.nc", columns, 600);
  ASSERT_TRUE(writer.has_value());
  EXPECT_EQ(File(tmp / "history.nc").column("time").size(), 600u);
  write(std::move(*writer), 600, 900);
  EXPECT_TRUE(file_text(tmp / "history.nc") == file_text(tmp / "whole.nc"));
}

// Protects: a file that cannot be gone on with is not touched: it may be the user's.
TEST(NetcdfWriter, goes_on_only_with_its_own_file) {
  TemporaryDirectory tmp;
  const fs::path path = tmp / "history.nc";
  EXPECT_FALSE(NetcdfWriter::resume(path, columns, 0).has_value());
  write_file(path, "CDF something else");
  EXPECT_FALSE(NetcdfWriter::resume(path, columns, 0).has_value());
  EXPECT_EQ(file_text(path), "CDF something else");
  NetcdfWriter(path, columns).row(row(0));
  EXPECT_FALSE(NetcdfWriter::resume(path, columns, 2).has_value());
  EXPECT_FALSE(NetcdfWriter::resume(path, std::span(columns).first(3), 1).has_value());
  EXPECT_TRUE(NetcdfWriter::resume(path, columns, 1).has_value());
}

// Protects: a run that goes on refuses a damaged history instead of losing rows silently.
TEST(NetcdfWriter, damaged_csv_is_an_error) {
  TemporaryDirectory tmp;
  write_file(tmp / "history.csv", "header\n0,1,2,3\n1,2,x,4\n");
  const std::string message =
      message_of<InputError>([&] { NetcdfWriter::from_csv(tmp / "history.csv", tmp / "history.nc", columns); });
  EXPECT_TRUE(contains(message, "is damaged: line 3"));
}

// Protects: the reason why a file cannot be written is told.
TEST(NetcdfWriter, unwritable_file_is_an_error) {
  TemporaryDirectory tmp;
  const std::string message =
      message_of<std::runtime_error>([&] { NetcdfWriter(tmp / "missing/history.nc", columns); });
  EXPECT_TRUE(contains(message, "history.nc"));
}

}  // namespace
}  // namespace freeplay
