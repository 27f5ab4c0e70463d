#include "freeplay/base/csv_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/file_testing.h"
#include "freeplay/base/csv_cell.h"
#include "freeplay/base/thinning.h"

namespace freeplay {
namespace {

using Numbers = std::vector<double>;
using Rows = std::vector<std::size_t>;

// Protects: names and units of the header, columns in any order and more than once, and the half line of a killed run.
TEST(CsvTable, reads_the_columns_that_are_asked_for) {
  const TemporaryDirectory tmp;
  write_file(tmp / "history.csv", "time [s],a.force.x [N],b.state\n0,1.5,2\n0.5,-2e-3,1\n1,7");
  const CsvTable table(tmp / "history.csv");
  ASSERT_EQ(table.columns().size(), 3u);
  EXPECT_EQ(table.columns()[1].name, "a.force.x");
  EXPECT_EQ(table.columns()[1].unit, "N");
  EXPECT_EQ(table.columns()[2].unit, "");
  const auto columns = table.read(Rows{2, 0, 2, 1});
  EXPECT_EQ(columns[0], (Numbers{2, 1}));
  EXPECT_EQ(columns[1], (Numbers{0, 0.5}));
  EXPECT_EQ(columns[2], columns[0]);
  EXPECT_EQ(columns[3], (Numbers{1.5, -2e-3}));
}

// Protects: damaged and empty files give NaN or no rows, never a crash; lines longer than a block of the file are
// whole.
TEST(CsvTable, survives_damaged_files) {
  const TemporaryDirectory tmp;
  write_file(tmp / "damaged.csv", "time [s],x\r\n1,nan\r\n2\n\n3,abc\n4,5,6\n");
  const auto columns = CsvTable(tmp / "damaged.csv").read(Rows{0, 1});
  EXPECT_EQ(columns[0].size(), 5u);
  for (const int row : {0, 1, 2, 3}) EXPECT_TRUE(std::isnan(columns[1][row])) << row;
  EXPECT_EQ(columns[1][4], 5.0);
  write_file(tmp / "empty.csv", "");
  EXPECT_TRUE(CsvTable(tmp / "empty.csv").columns().empty());
  EXPECT_TRUE(CsvTable(tmp / "empty.csv").read(Rows{0})[0].empty());
  EXPECT_TRUE(contains(message_of<std::runtime_error>([&] { CsvTable(tmp / "none.csv"); }), "none.csv cannot be read"));
  EXPECT_TRUE(contains(message_of<std::runtime_error>([&] { CsvTable(tmp.path()); }), "cannot be read"));
  std::string wide = "time", row = "1";
  for (int k = 0; k < 400000; ++k) wide += ",x", row += ",12.25";
  write_file(tmp / "wide.csv", wide + "\n" + row + "\n" + row + "\n");
  EXPECT_EQ(CsvTable(tmp / "wide.csv").read(Rows{399999})[0], (Numbers{12.25, 12.25}));
}

TEST(CsvTable, cells_are_what_was_written) {
  const std::vector<std::string> cells{"plain", "a, \"b\"", "", " space"};
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  EXPECT_EQ(csv_cells(line), cells);
}

// Protects: a peak of a single row and a gap survive thinning, wherever they are.
TEST(Thinning, loses_no_extreme_and_no_gap) {
  Numbers values(100000);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::sin(1e-3 * static_cast<double>(k));
  values[31416] = 50.0;
  values[77777] = -50.0;
  values[54321] = std::nan("");
  const Rows rows = extreme_rows(values, 500);
  EXPECT_LE(rows.size(), 2u + 3u * 500u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(rows.front(), 0u);
  EXPECT_EQ(rows.back(), values.size() - 1);
  for (const std::size_t row : {31416u, 77777u, 54321u}) EXPECT_TRUE(std::binary_search(rows.begin(), rows.end(), row));
  EXPECT_EQ(extreme_rows(Numbers{3, 1, 2}, 500), (Rows{0, 1, 2}));
  EXPECT_TRUE(extreme_rows(Numbers{}, 500).empty());
}

}  // namespace
}  // namespace freeplay
