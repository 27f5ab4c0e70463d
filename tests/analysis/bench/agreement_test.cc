#include "freeplay/analysis/bench/agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "base/file_testing.h"
#include "freeplay/analysis/bench/history.h"

namespace freeplay {
namespace {

class AgreementTest : public testing::Test {
 protected:
  /// A history of 10 s with a point at (x(t), 0, 0), and one that a hinge holds, whose moments are round-off.
  std::filesystem::path history(const std::string& name, const std::function<double(double)>& x, int n_rows = 1000) {
    std::filesystem::create_directories(directory_ / name);
    std::ofstream file(directory_ / name / "history.csv");
    file.precision(17);
    file << "time [s],a.position.x [m],a.position.y [m],pin.position.x [m],a.axis1.x [1],pin.force.x [N],pin.moment.x "
            "[N*m]\n";
    for (int k = 0; k <= n_rows; ++k) {
      const double t = 10.0 * k / 1000;
      file << t << ',' << x(t) << ",0," << 1e-17 * x(t) << ",1,7," << 1e-15 * x(t) << "\n";
    }
    return directory_ / name;
  }

  TemporaryDirectory directory_;
};

// Protects: the difference of a vector, relative to its largest value, and when it passes a hundredth. What is
// round-off and what nobody looks at is not listed.
TEST_F(AgreementTest, says_how_far_and_when_results_part) {
  const auto coarse = history("coarse", [](double t) { return std::sin(t) + 2e-3 * t; });
  const auto fine = history("fine", [](double t) { return std::sin(t); });
  const Agreement agreement = compare_histories(coarse, fine);
  ASSERT_EQ(agreement.columns.size(), 2u);
  EXPECT_EQ(agreement.columns[0].name, "a.position");
  EXPECT_EQ(agreement.columns[1].name, "pin.force");
  EXPECT_NEAR(agreement.columns[0].relative(), 0.02, 1e-5);
  ASSERT_TRUE(agreement.columns[0].parts);
  EXPECT_NEAR(*agreement.columns[0].parts, 5.0, 0.02);
  EXPECT_FALSE(agreement.divergence) << "an error that grows in proportion to time is none of chaos";
}

// Protects: chaos is told from plain errors, with its rate and the time up to which rows can be compared.
TEST_F(AgreementTest, exponential_growth_is_named) {
  constexpr double rate = 2.0, first = 1e-8;
  const auto fine = history("fine", [](double t) { return std::sin(t); });
  const auto chaotic = history("chaotic", [](double t) {
    return std::sin(t) + 0.5 * std::tanh(2.0 * first * std::exp(rate * t)) * (1.0 + 0.3 * std::cos(7.0 * t));
  });
  const Agreement agreement = compare_histories(chaotic, fine);
  ASSERT_TRUE(agreement.divergence);
  EXPECT_NEAR(agreement.divergence->rate, rate, 0.05 * rate);
  EXPECT_NEAR(agreement.divergence->until, std::log(0.01 / first) / rate, 0.3);
  const auto inexact = history("inexact", [](double t) { return std::sin(t) + 1e-3 * t * t * t; });
  EXPECT_FALSE(compare_histories(inexact, fine).divergence) << "a power of time";
}

// Protects: a run that ended early is compared as far as it goes.
TEST_F(AgreementTest, shorter_run) {
  const auto fine = history("fine", [](double t) { return std::sin(t); });
  const auto coarse = history(
      "coarse", [](double t) { return std::sin(t); }, 500);
  const Agreement agreement = compare_histories(coarse, fine);
  EXPECT_EQ(agreement.end, 5.0);
  EXPECT_EQ(agreement.columns.at(0).difference, 0.0);
  EXPECT_THROW(compare_histories(directory_ / "none", fine), NoMeasurement);
}

}  // namespace
}  // namespace freeplay
