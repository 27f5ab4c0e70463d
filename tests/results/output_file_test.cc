#include "freeplay/base/output_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file_testing.h"
#include "freeplay/results/json_file.h"
#include "freeplay/results/run_log.h"
#include "results/file_size_limit.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

// Protects: when only a part fits, the part is taken back, so that the file ends with the last whole text.
TEST(OutputFile, part_of_a_failed_write_is_taken_back) {
  TemporaryDirectory tmp;
  OutputFile file(tmp / "f", OutputFile::Mode::create);
  file.write("line 1\n");
  std::string message;
  {
    const FileSizeLimit limit(10);
    message = message_of<std::runtime_error>([&] { file.write("line 2\n"); });
  }
  EXPECT_TRUE(contains(message, (tmp / "f").string()));
  EXPECT_TRUE(contains(message, "File too large"));
  file.write("line 3\n");
  EXPECT_EQ(file_text(tmp / "f"), "line 1\nline 3\n");
}

// Protects: a failed replacement leaves the old content and no temporary file.
TEST(OutputFile, failed_replacement_keeps_the_old_file) {
  TemporaryDirectory tmp;
  replace_file(tmp / "f", "old");
  {
    const FileSizeLimit limit(10);
    EXPECT_THROW(replace_file(tmp / "f", "new and too long"), std::runtime_error);
  }
  EXPECT_EQ(file_text(tmp / "f"), "old");
  EXPECT_FALSE(fs::exists(temporary_name(tmp / "f")));
  EXPECT_TRUE(contains(message_of<std::runtime_error>([&] { replace_file(tmp / "no/f", ""); }), "No such file"));
}

// Protects: numbers come back from summary.json bit by bit, not-finite ones as null, and bad UTF-8 costs nothing.
TEST(JsonFile, numbers_keep_their_precision_and_nan_becomes_null) {
  TemporaryDirectory tmp;
  const double third = 1.0 / 3.0;
  write_json_file(tmp / "summary.json", {{"third", third},
                                         {"nan", std::numeric_limits<double>::quiet_NaN()},
                                         {"infinite", std::numeric_limits<double>::infinity()},
                                         {"name", "caf\xe9"}});
  const nlohmann::json back = nlohmann::json::parse(file_text(tmp / "summary.json"));
  EXPECT_EQ(back["third"].get<double>(), third);
  EXPECT_TRUE(back["nan"].is_null());
  EXPECT_TRUE(back["infinite"].is_null());
  EXPECT_TRUE(contains(back["name"].get<std::string>(), "caf"));
}

// Protects: each line of the log is in the file at once, with the time in front and further lines set in.
TEST(RunLog, lines_are_stamped_and_written_at_once) {
  TemporaryDirectory tmp;
  RunLog log(tmp / "run.log");
  log.line("started\nin two lines\n");
  const std::string text = file_text(tmp / "run.log");
  EXPECT_TRUE(contains(text, " s  started\n              in two lines\n"));
  EXPECT_EQ(text.find(" s  "), 10u);
}

// Protects: the log of a continued run keeps what the first run said.
TEST(RunLog, appends_when_continuing) {
  TemporaryDirectory tmp;
  RunLog(tmp / "run.log").line("first");
  RunLog(tmp / "run.log", OutputFile::Mode::append).line("second");
  EXPECT_TRUE(contains(file_text(tmp / "run.log"), "first\n"));
  EXPECT_TRUE(contains(file_text(tmp / "run.log"), "second\n"));
}

}  // namespace
}  // namespace freeplay
