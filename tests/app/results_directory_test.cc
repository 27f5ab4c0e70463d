#include "freeplay/app/results_directory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

namespace fs = std::filesystem;

std::string create_error(const fs::path& path) {
  return message_of<InputError>([&] { ResultsDirectory::create(path); });
}

// Protects: -o makes the directory with its parents and leaves nothing in it.
TEST(ResultsDirectory, requested_directory_is_created_with_parents_and_left_empty) {
  TemporaryDirectory tmp;
  const ResultsDirectory result = ResultsDirectory::create(tmp / "a/b/c/");
  EXPECT_EQ(result.path(), tmp / "a/b/c");
  EXPECT_TRUE(fs::is_empty(tmp / "a/b/c"));
}

// Protects: an existing empty directory may be given with -o.
TEST(ResultsDirectory, requested_directory_may_exist_empty) {
  TemporaryDirectory tmp;
  EXPECT_EQ(create_error(tmp.path()), "");
}

// Protects: results of an earlier run are never overwritten, and the message says what to do instead.
TEST(ResultsDirectory, requested_directory_with_content_is_refused_with_the_remedy) {
  TemporaryDirectory tmp;
  write_file(tmp / "history.csv", "precious");
  const std::string message = create_error(tmp.path());
  EXPECT_TRUE(contains(message, tmp.path().string()));
  EXPECT_TRUE(contains(message, "not empty"));
  EXPECT_TRUE(contains(message, "-o"));
  EXPECT_TRUE(contains(message, "--continue"));
  EXPECT_EQ(file_text(tmp / "history.csv"), "precious");
}

// Protects: a path that cannot become a directory is named together with the system's reason.
TEST(ResultsDirectory, impossible_paths_name_path_and_reason) {
  TemporaryDirectory tmp;
  write_file(tmp / "file", "");
  EXPECT_TRUE(contains(create_error(tmp / "file"), "file' is a file"));
  EXPECT_TRUE(contains(create_error(tmp / "file/below"), "file/below' cannot be created: Not a directory"));
  EXPECT_TRUE(contains(create_error(""), "-o needs"));
}

// Protects: a directory without write permission is found before the run, not at its end.
TEST(ResultsDirectory, read_only_directory_is_refused) {
  TemporaryDirectory tmp;
  fs::create_directory(tmp / "locked");
  fs::permissions(tmp / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  // The superuser may write everywhere, so it asks as somebody else.
  constexpr uid_t somebody = 65534;
  const uid_t self = geteuid();
  for (const fs::path& path : {tmp.path(), tmp / "locked"})
    if (self == 0) ASSERT_EQ(chown(path.c_str(), somebody, static_cast<gid_t>(-1)), 0);
  if (self == 0) ASSERT_EQ(seteuid(somebody), 0);
  const std::string message = create_error(tmp / "locked");
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_TRUE(contains(message, "locked' is not writable: Permission denied"));
}

// Protects: without -o the next free number is taken and what exists stays.
TEST(ResultsDirectory, default_directory_counts_up_past_earlier_runs) {
  TemporaryDirectory tmp;
  const fs::path parent = tmp / "results";
  for (const char* expected : {"crank", "crank-2", "crank-3"}) {
    const ResultsDirectory result = ResultsDirectory::create_for("crank", parent);
    EXPECT_EQ(result.path(), parent / expected);
    write_file(result.path() / "run.log", expected);
  }
  EXPECT_EQ(file_text(parent / "crank/run.log"), "crank");
  EXPECT_EQ(file_text(parent / "crank-2/run.log"), "crank-2");
}

// Protects: an empty directory left by a run that never started is used again, a file of that name is stepped over.
TEST(ResultsDirectory, default_directory_uses_empty_directories_and_skips_files) {
  TemporaryDirectory tmp;
  write_file(tmp / "crank", "a file");
  fs::create_directory(tmp / "crank-2");
  EXPECT_EQ(ResultsDirectory::create_for("crank", tmp.path()).path(), tmp / "crank-2");
}

// Protects: two runs started at the same moment never share a directory, although both see it empty.
TEST(ResultsDirectory, directory_in_use_is_not_given_twice) {
  TemporaryDirectory tmp;
  const ResultsDirectory first = ResultsDirectory::create_for("crank", tmp.path());
  const ResultsDirectory second = ResultsDirectory::create_for("crank", tmp.path());
  EXPECT_EQ(second.path(), tmp / "crank-2");
  EXPECT_TRUE(contains(create_error(tmp / "crank"), "in use by another run"));
}

// Protects: --continue works on what exists only, and not while the run still goes.
TEST(ResultsDirectory, reopen_needs_an_existing_directory_that_is_free) {
  TemporaryDirectory tmp;
  const auto reopen_error = [](const fs::path& path) {
    return message_of<InputError>([&] { ResultsDirectory::reopen(path); });
  };
  EXPECT_TRUE(contains(reopen_error(tmp / "missing"), "no run to continue"));
  write_file(tmp / "checkpoint", "state");
  EXPECT_EQ(reopen_error(tmp.path()), "");
  const ResultsDirectory running = ResultsDirectory::reopen(tmp.path());
  EXPECT_TRUE(contains(reopen_error(tmp.path()), "in use"));
}

}  // namespace
}  // namespace freeplay
