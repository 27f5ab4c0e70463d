#include "app/deck.h"
#include "freeplay/analysis/bench/verdict.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

Benchmark hand_formulas() { return read_benchmark(test::source_directory() + "/tests", "hand_formulas"); }

class HandFormula : public testing::TestWithParam<RunRequest> {};

// Protects: a small model with default settings gives what a formula by hand gives: positions, forces in rows, largest
// forces, times of events, energies. The formulas are in the model files.
TEST_P(HandFormula, Agrees) {
  const ScratchDirectory directory;
  const RunRequest& run = GetParam();
  std::vector<std::string> arguments{run.n_modes > 0 ? "modes" : "run", run.model, "-o", directory / "results"};
  if (run.n_modes > 0) arguments.insert(arguments.end(), {"-n", std::to_string(run.n_modes)});
  const ProcessResult process = run_freeplay(arguments, directory.path());
  ASSERT_EQ(process.exit_code, exit_ok) << process.err;
  const Benchmark benchmark = hand_formulas();
  std::vector<Verdict> verdicts;
  for (const BenchmarkQuantity& quantity : benchmark.quantities)
    if (quantity.run == run.name) verdicts.push_back(judge(quantity, directory / "results"));
  for (const Verdict& verdict : verdicts) EXPECT_TRUE(verdict.agrees) << verdict_table({verdict});
}

INSTANTIATE_TEST_SUITE_P(Models, HandFormula, testing::ValuesIn(hand_formulas().runs),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace freeplay::test
