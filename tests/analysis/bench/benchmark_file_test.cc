#include <gtest/gtest.h>

#include "base/file_testing.h"
#include "freeplay/analysis/bench/accuracy.h"
#include "freeplay/analysis/bench/benchmark.h"
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

// Protects: published numbers of any size are read; nobody else's exception reaches the user.
TEST(BenchmarkFile, PublishedNumbersOfAnySize) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "small");
  write_file(directory / "small/model.yaml", "");
  write_file(directory / "small/bench.yaml", R"yaml(title: Small
runs: {a: {model: model.yaml}}
quantities:
  - {quantity: x, run: a, measure: {value: {column: x}}, published: -1e-320 m, tolerance: 1 m}
)yaml");
  EXPECT_EQ(read_benchmark(directory.path(), "small").quantities[0].published.number, -1e-320);
}

}  // namespace
}  // namespace freeplay
