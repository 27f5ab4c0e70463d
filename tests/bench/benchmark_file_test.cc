#include <gtest/gtest.h>

#include "freeplay/bench/accuracy.h"
#include "freeplay/bench/benchmark.h"
#include "paths.h"

namespace freeplay {
namespace {

// Protects: every benchmark of the project can be read, and the models it names are there.
TEST(BenchmarkFile, TheProjectsOwnCanBeRead) {
  const std::string directory = test::source_directory() + "/benchmarks";
  const std::vector<std::string> names = benchmark_names(directory);
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) {
    if (is_accuracy_set(directory, name))
      EXPECT_NO_THROW(read_accuracy_set(directory, name)) << name;
    else
      EXPECT_NO_THROW(read_benchmark(directory, name)) << name;
  }
}

}  // namespace
}  // namespace freeplay
