#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "base/file_testing.h"
#include "fuzz/entry.h"
#include "paths.h"

namespace freeplay::fuzz {
namespace {

namespace fs = std::filesystem;

/// Names that a fuzzer has given have no extension.
std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(test::source_directory() + "/" + folder))
    if (entry.is_regular_file() && (entry.path().extension() == ".yaml" || !entry.path().has_extension()))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// No exception but those that stand for an outcome, and no text takes long. Returns how many have this outcome.
int count(Outcome wanted, Outcome (*entry)(const std::string&), const std::vector<fs::path>& files) {
  constexpr std::chrono::seconds limit(10);  // what the fuzzers call a hang
  int n = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NO_THROW(n += entry(file_text(file)) == wanted);
    EXPECT_LT(std::chrono::steady_clock::now() - start, limit);
  }
  return n;
}

/// What a fuzzer once found, and files that reach as much of the program as they can.
const std::string corpus = "tests/fuzz/corpus";

/// Most files are wrong; some must be right, or nothing behind the reader would be reached.
constexpr int some = 3;

TEST(FuzzCorpus, IsRead) { EXPECT_GT(count(Outcome::done, read, files_in(corpus)), some); }

TEST(FuzzCorpus, IsChecked) { EXPECT_GT(count(Outcome::done, check, files_in(corpus)), some); }

TEST(FuzzCorpus, Runs) { EXPECT_GT(count(Outcome::done, run, files_in(corpus)), some); }

TEST(FuzzSeeds, ModelsOfTheRepositoryAreValid) {
  const std::vector<fs::path> files = files_in("input");
  EXPECT_EQ(count(Outcome::done, read, files), static_cast<int>(files.size()));
  EXPECT_EQ(count(Outcome::refused, check, files), 0);
}

TEST(FuzzSeeds, WrongModelsAreRefused) {
  const std::vector<fs::path> files = files_in("tests/bad_input");
  EXPECT_EQ(count(Outcome::refused, check, files), static_cast<int>(files.size()));
}

TEST(FuzzSeeds, StudiesAndBenchmarksAreRead) { count(Outcome::done, read, files_in("benchmarks")); }

}  // namespace
}  // namespace freeplay::fuzz
