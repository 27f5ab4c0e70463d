#include "freeplay/analysis/bench/accuracy.h"

#include "app/deck.h"
#include "freeplay/base/exit_code.h"
#include "paths.h"

namespace freeplay::test {
namespace {

std::vector<AccuracyProblem> quick_problems() {
  std::vector<AccuracyProblem> quick;
  for (AccuracyProblem& problem : read_accuracy_set(test::source_directory() + "/benchmarks", "accuracy").problems)
    if (problem.is_quick) quick.push_back(std::move(problem));
  return quick;
}

class ToleranceTestSet : public testing::TestWithParam<AccuracyProblem> {};

// Protects: the tolerance means what it says. The error of the distance travelled is at most ten times the tolerance
// (smooth problems), and falls at least in proportion to it. `freeplay bench accuracy` goes on to 1e-7 and has the
// longer ones.
TEST_P(ToleranceTestSet, ErrorFollowsTheTolerance) {
  const ScratchDirectory directory;
  ProblemAccuracy accuracy{&GetParam(), {}};
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const RunRequest request = GetParam().run(tolerance);
    const std::string results = directory / std::to_string(accuracy.runs.size());
    std::vector<std::string> arguments{"run", request.model, "-o", results, "--quiet"};
    for (const std::string& setting : request.settings) arguments.insert(arguments.end(), {"--set", setting});
    const ProcessResult process = run_freeplay(arguments, directory.path());
    ASSERT_EQ(process.exit_code, exit_ok) << process.err;
    accuracy.runs.push_back(measure_accuracy(GetParam(), tolerance, results));
  }
  EXPECT_EQ(accuracy.complaint(), "") << accuracy_table({accuracy});
}

INSTANTIATE_TEST_SUITE_P(Quick, ToleranceTestSet, testing::ValuesIn(quick_problems()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace freeplay::test
