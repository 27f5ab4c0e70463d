#include "freeplay/analysis/bench/accuracy.h"

#include <gtest/gtest.h>

#include <cmath>

namespace freeplay {
namespace {

/// Runs at 1e-3, 1e-4, ... with these errors.
ProblemAccuracy with_errors(const AccuracyProblem& problem, const std::vector<double>& errors) {
  ProblemAccuracy accuracy{&problem, {}};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    AccuracyRun run;
    run.tolerance = std::pow(10.0, -3.0 - static_cast<double>(k));
    run.error = errors[k];
    accuracy.runs.push_back(run);
  }
  return accuracy;
}

// Protects: errors in proportion to the tolerance pass; ten times the tolerance is the limit of smooth problems only;
// and errors that the tolerance does not change fail, however small they are.
TEST(Accuracy, JudgesSizeAndFall) {
  AccuracyProblem smooth, contact;
  contact.kind = AccuracyProblem::Kind::contact;
  const std::vector<double> good{5e-3, 5e-4, 5e-5}, large{2e-2, 2e-3, 2e-4}, stuck{3e-8, 3e-8, 3e-8};
  EXPECT_NEAR(*with_errors(smooth, good).power(), 1.0, 1e-12);
  EXPECT_EQ(with_errors(smooth, good).complaint(), "");
  EXPECT_EQ(with_errors(smooth, large).complaint(), "20 times the tolerance, falls with power 1.00");
  EXPECT_EQ(with_errors(contact, large).complaint(), "");
  EXPECT_NE(with_errors(smooth, stuck).complaint(), "");
  EXPECT_NE(with_errors(contact, stuck).complaint(), "");
}

// Protects: where nothing but round-off is left there is nothing that could fall.
TEST(Accuracy, RoundOffNeedNotFall) {
  const AccuracyProblem smooth;
  EXPECT_FALSE(with_errors(smooth, {1e-13, 2e-13, 1e-13}).power());
  EXPECT_EQ(with_errors(smooth, {1e-13, 2e-13, 1e-13}).complaint(), "");
  EXPECT_NEAR(*with_errors(smooth, {1e-4, 1e-6, 1e-13}).power(), 2.0, 1e-12);
}

// Protects: a run without a result is said, not passed over.
TEST(Accuracy, SaysWhatIsMissing) {
  const AccuracyProblem smooth;
  ProblemAccuracy accuracy = with_errors(smooth, {1e-4, 1e-5});
  accuracy.runs.back() = measure_accuracy(smooth, 1e-4, "/nowhere");
  EXPECT_EQ(accuracy.complaint(), "there is no summary.json in the results");
}

}  // namespace
}  // namespace freeplay
