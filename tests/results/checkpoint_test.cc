#include "freeplay/results/checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"
#include "results/killed_process.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

const std::string model_id = "model 1";

Checkpoint example() {
  Checkpoint checkpoint(model_id);
  checkpoint.set_array("q", std::vector<double>{1.0 / 3.0, -0.0, std::numeric_limits<double>::denorm_min()});
  checkpoint.set_array("empty", {});
  checkpoint.set_integer("n_steps", -1234567890123);
  return checkpoint;
}

std::string read_error(const fs::path& path, const std::string& id = model_id) {
  return message_of<InputError>([&] { Checkpoint::read(path, id); });
}

// Protects: a continued run starts from the same bits.
TEST(Checkpoint, round_trip_is_exact) {
  TemporaryDirectory tmp;
  example().write(tmp / "checkpoint");
  const Checkpoint back = Checkpoint::read(tmp / "checkpoint", model_id);
  const std::vector<double> expected = example().array("q");
  ASSERT_EQ(back.array("q", 3).size(), 3u);
  EXPECT_EQ(std::memcmp(back.array("q").data(), expected.data(), 3 * sizeof(double)), 0);
  EXPECT_TRUE(back.array("empty").empty());
  EXPECT_EQ(back.integer("n_steps"), -1234567890123);
}

// Protects: a name or a size that does not fit is an error the user can read, not a crash.
TEST(Checkpoint, missing_names_and_wrong_sizes_are_errors) {
  const Checkpoint checkpoint = example();
  EXPECT_TRUE(contains(message_of<InputError>([&] { checkpoint.array("v"); }), "has no 'v'"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { checkpoint.array("q", 4); }), "3 numbers in 'q'"));
}

// Protects: the numbers of one model are never used for another.
TEST(Checkpoint, other_model_is_refused) {
  TemporaryDirectory tmp;
  example().write(tmp / "checkpoint");
  EXPECT_TRUE(contains(read_error(tmp / "checkpoint", "model 2"), "another model"));
}

// Protects: a file cut at any length is refused.
TEST(Checkpoint, every_truncation_is_refused) {
  TemporaryDirectory tmp;
  example().write(tmp / "checkpoint");
  const std::string whole = file_text(tmp / "checkpoint");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_file(tmp / "cut", whole.substr(0, size));
    EXPECT_TRUE(contains(read_error(tmp / "cut"), "cut' ")) << size;
  }
}

// Protects: a single flipped bit anywhere is found.
TEST(Checkpoint, every_flipped_bit_is_refused) {
  TemporaryDirectory tmp;
  example().write(tmp / "checkpoint");
  const std::string whole = file_text(tmp / "checkpoint");
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    write_file(tmp / "damaged", damaged);
    EXPECT_NE(read_error(tmp / "damaged"), "") << bit;
  }
}

// Protects: foreign files, missing files and directories get a message that says what is wrong.
TEST(Checkpoint, garbage_is_refused_with_the_reason) {
  TemporaryDirectory tmp;
  write_file(tmp / "text", "time [s],x\n0,1\n");
  EXPECT_TRUE(contains(read_error(tmp / "text"), "is not a checkpoint"));
  EXPECT_TRUE(contains(read_error(tmp / "missing"), "No such file"));
  EXPECT_TRUE(contains(read_error(tmp.path()), "is a directory"));
  example().write(tmp / "checkpoint");
  // Earlier and later versions: what the numbers of elements mean has changed.
  for (const char version : {2, 4}) {
    std::string other = file_text(tmp / "checkpoint");
    other[8] = version;
    write_file(tmp / "other", other);
    EXPECT_TRUE(contains(read_error(tmp / "other"), "format version " + std::to_string(version)));
  }
}

// Protects: a run killed while it writes checkpoints leaves a good one.
TEST(Checkpoint, killed_run_leaves_a_readable_file) {
  for (int i = 0; i < 10; ++i) {
    TemporaryDirectory tmp;
    const auto write_without_end = [&](auto started) {
      Checkpoint checkpoint(model_id);
      for (int step = 0;; ++step) {
        checkpoint.set_array("q", std::vector<double>(20000, step));
        checkpoint.set_integer("step", step);
        checkpoint.write(tmp / "checkpoint");
        if (step == 2) started();
      }
    };
    ASSERT_TRUE(run_and_kill(write_without_end, std::chrono::microseconds(311 * i)));
    const Checkpoint left = Checkpoint::read(tmp / "checkpoint", model_id);
    EXPECT_EQ(left.array("q", 20000).back(), left.integer("step"));
  }
}

// Protects: a checkpoint that cannot be written is reported.
TEST(Checkpoint, unwritable_path_is_an_error) {
  TemporaryDirectory tmp;
  EXPECT_TRUE(
      contains(message_of<std::runtime_error>([&] { example().write(tmp / "no/checkpoint"); }), "No such file"));
}

}  // namespace
}  // namespace freeplay
