#include "freeplay/results/csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/results/event_writer.h"
#include "freeplay/results/history_writer.h"
#include "results/killed_process.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

const std::vector<HistoryColumn> columns = {
    {"time", "s"}, {"bob.position.x", "m"}, {"T.friction_ratio", "1"}, {"T.state", ""}};
const std::string header = "time [s],bob.position.x [m],T.friction_ratio,T.state\n";

std::string number_text(double value) {
  char text[max_number_length];
  return {text, write_number(text, value)};
}

void write_rows(HistoryWriter& writer, std::initializer_list<double> times) {
  for (const double time : times) writer.row(std::vector<double>{time, 1.0, 2.0, 3.0});
}

std::string rows(std::initializer_list<const char*> times) {
  std::string text = header;
  for (const char* time : times) text += std::string(time) + ",1,2,3\n";
  return text;
}

// Protects: the documented header and the 12 digits that other programs read.
TEST(HistoryWriter, writes_header_with_units_and_twelve_digits) {
  TemporaryDirectory tmp;
  HistoryWriter writer(tmp / "history.csv", columns);
  writer.row(std::vector<double>{0.1, -1.0 / 3.0, 1e-300, std::numeric_limits<double>::quiet_NaN()});
  writer.close();
  EXPECT_EQ(file_text(tmp / "history.csv"), header + "0.1,-0.333333333333,1e-300,nan\n");
}

// Protects: the buffer has space for the longest numbers.
TEST(HistoryWriter, longest_numbers_fit) {
  EXPECT_LE(number_text(-1.0 / 3.0 * 1e-300).size(), max_number_length);
  EXPECT_EQ(number_text(-std::numeric_limits<double>::max()), "-1.79769313486e+308");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
}

// Protects: a wrong number of values is a programmer's error, not a shifted file.
TEST(HistoryWriter, refuses_rows_of_another_length) {
  TemporaryDirectory tmp;
  HistoryWriter writer(tmp / "history.csv", columns);
  EXPECT_THROW(writer.row(std::vector<double>{1.0}), std::logic_error);
}

// Protects: nothing reaches the file but whole lines, and more rows than one buffer arrive in order.
TEST(HistoryWriter, buffers_many_rows_and_writes_them_all) {
  TemporaryDirectory tmp;
  constexpr int n_rows = 20000;
  {
    HistoryWriter writer(tmp / "history.csv", columns);
    for (int i = 0; i < n_rows; ++i) writer.row(std::vector<double>{i * 1e-3, 1.0 / 3.0, 2.0 / 3.0, 1.0});
  }
  std::istringstream in(file_text(tmp / "history.csv"));
  std::string line;
  std::getline(in, line);
  int n = 0;
  for (; std::getline(in, line); ++n) ASSERT_EQ(line, number_text(n * 1e-3) + ",0.333333333333,0.666666666667,1");
  EXPECT_EQ(n, n_rows);
}

// Protects: a run killed at any moment leaves whole lines, apart from a cut the system makes between two pages, and
// even that one is mended when the run is continued.
TEST(HistoryWriter, killed_run_leaves_whole_lines) {
  const auto is_whole = [](const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
      if (std::count(line.begin(), line.end(), ',') != 3) return false;
    return text.ends_with('\n');
  };
  constexpr std::size_t page_size = 4096;
  for (int i = 0; i < 20; ++i) {
    TemporaryDirectory tmp;
    const fs::path path = tmp / "history.csv";
    const auto write_without_end = [&](auto started) {
      HistoryWriter writer(path, columns);
      for (int row = 0;; ++row) {
        writer.row(std::vector<double>{row * 1e-3, 1.0 / 3.0, 2.0 / 3.0, 1.0});
        if (row == 5000) started();
      }
    };
    ASSERT_TRUE(run_and_kill(write_without_end, std::chrono::microseconds(317 * i)));
    const std::string left = file_text(path);
    EXPECT_TRUE(is_whole(left) || left.size() % page_size == 0) << left.size() << " bytes";
    EXPECT_GT(left.size(), 64u * 1024u);
    HistoryWriter::resume(path, columns, left.rfind('\n') + 1).close();
    EXPECT_TRUE(is_whole(file_text(path)));
  }
}

// Protects: a full disk stops the run with the name of the file instead of losing rows silently.
TEST(HistoryWriter, full_disk_is_an_error_with_file_and_reason) {
  ASSERT_TRUE(fs::exists("/dev/full"));
  const std::string message = message_of<std::runtime_error>([] { HistoryWriter("/dev/full", columns); });
  EXPECT_TRUE(contains(message, "/dev/full"));
  EXPECT_TRUE(contains(message, "No space left on device"));
}

// Protects: continuing keeps the rows up to the checkpoint and appends after them; what else was written, half rows
// included, is dropped.
TEST(HistoryWriter, continuing_drops_later_rows_and_appends) {
  TemporaryDirectory tmp;
  const fs::path path = tmp / "history.csv";
  std::uint64_t size = 0;
  {
    HistoryWriter writer(path, columns);
    write_rows(writer, {0.0, 0.1, 0.2});
    size = writer.size();
    write_rows(writer, {0.3});
  }
  write_file(path, file_text(path) + "0.4,1,");
  {
    HistoryWriter writer = HistoryWriter::resume(path, columns, size);
    write_rows(writer, {0.25});
    EXPECT_EQ(writer.size(), rows({"0", "0.1", "0.2", "0.25"}).size());
  }
  EXPECT_EQ(file_text(path), rows({"0", "0.1", "0.2", "0.25"}));
}

// Protects: a file of another model, or no such file, is refused and left alone.
TEST(HistoryWriter, continuing_refuses_what_it_did_not_write) {
  TemporaryDirectory tmp;
  const fs::path path = tmp / "history.csv";
  const auto error = [&] {
    return message_of<InputError>([&] { HistoryWriter::resume(path, columns, header.size() + 8); });
  };
  EXPECT_TRUE(contains(error(), "history.csv' cannot be read: No such file"));
  for (const char* text : {"time [s],a\n0,1\n", ""}) {
    write_file(path, text);
    EXPECT_TRUE(contains(error(), "other columns"));
    EXPECT_EQ(file_text(path), text);
  }
  write_file(path, header + "0,1\n");
  EXPECT_TRUE(contains(error(), "history.csv' is damaged: it has " + std::to_string(header.size() + 4) + " bytes"));
  write_file(path, header + "0,1,2,3.5\n");
  EXPECT_TRUE(contains(error(), "history.csv' is damaged: it was changed"));
}

// Protects: each event is in the file at once, and text with commas, quotes and line breaks stays one cell of one row.
TEST(EventWriter, writes_each_event_at_once_with_quoted_text) {
  TemporaryDirectory tmp;
  EventWriter writer(tmp / "events.csv");
  writer.write({0.5, "touch", "pin", 0.125, "m/s", "first, \"hard\"\ncontact"});
  EXPECT_EQ(file_text(tmp / "events.csv"),
            "time [s],kind,joint,value,unit,detail\n"
            "0.5,touch,pin,0.125,m/s,\"first, \"\"hard\"\" contact\"\n");
}

// Protects: a continued run does not list events twice, also those that a later step finds for an earlier time.
TEST(EventWriter, continuing_drops_later_events) {
  TemporaryDirectory tmp;
  const fs::path path = tmp / "events.csv";
  std::uint64_t size = 0;
  {
    EventWriter writer(path);
    writer.write({0.2, "touch", "pin", 1.0, "m/s", ""});
    size = writer.size();
    writer.write({0.19, "stick", "pin", 0.0, "N", ""});
  }
  EventWriter::resume(path, size).write({0.19, "stick", "pin", 0.0, "N", ""});
  EXPECT_EQ(file_text(path), "time [s],kind,joint,value,unit,detail\n0.2,touch,pin,1,m/s,\n0.19,stick,pin,0,N,\n");
}

}  // namespace
}  // namespace freeplay
