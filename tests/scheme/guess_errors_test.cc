#include "freeplay/scheme/guess_errors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace freeplay {
namespace {

constexpr double dt = 1e-3;
constexpr double round_off = 1e-14;

/// Two unknowns that count, and one that does not. Guesses are zero, so that solutions are their errors.
class GuessErrorsTest : public testing::Test {
 protected:
  void learn(double a, double b, double length = dt) {
    errors_.learn(length, std::vector<double>(3, 0.0), std::vector<double>{a, b, 7.0});
  }
  std::vector<double> correction(double length = dt) const {
    std::vector<double> guess(3, 0.0);
    errors_.correct(length, guess);
    return guess;
  }
  GuessErrors errors_{{1.0, 2.0, 0.0}};
};

// Protects: an error that stays is known after two steps, one that changes steadily after three.
TEST_F(GuessErrorsTest, smooth_errors_are_continued) {
  learn(1.0, -3.0);
  EXPECT_EQ(correction(), std::vector<double>(3, 0.0));
  learn(1.1, -3.2);
  EXPECT_NEAR(correction()[0], 1.1, round_off);
  EXPECT_NEAR(correction()[1], -3.2, round_off);
  learn(1.2, -3.4);
  EXPECT_NEAR(correction()[0], 1.3, round_off);
  EXPECT_NEAR(correction()[1], -3.6, round_off);
}

// Protects: after an impact, or where errors change their sign from step to step, the guess stays as it is.
TEST_F(GuessErrorsTest, rough_errors_are_not) {
  for (int k = 0; k < 4; ++k) learn(1.0, 1.0);
  learn(100.0, -50.0);
  EXPECT_EQ(correction(), std::vector<double>(3, 0.0));
  for (int k = 0; k < 4; ++k) learn(k % 2 == 0 ? 1.0 : -1.0, 2.0 * std::cos(3.0 * k));
  EXPECT_EQ(correction(), std::vector<double>(3, 0.0));
  for (int k = 0; k < 2; ++k) learn(1.0, 1.0);
  EXPECT_NE(correction(), std::vector<double>(3, 0.0));
  errors_.forget();
  EXPECT_EQ(correction(), std::vector<double>(3, 0.0));
}

// Protects: errors that are round-off of the solution are not continued: they would be accepted without an iteration
// and add up (that opened the ledger of a bouncing ball).
TEST_F(GuessErrorsTest, round_off_is_not_continued) {
  const std::vector<double> guess{1.0, 2.0, 3.0};
  for (const double error : {1e-13, 1e-7}) {
    for (int k = 0; k < 3; ++k) errors_.learn(dt, guess, std::vector<double>{1.0 + error, 2.0 + error, 3.0});
    EXPECT_EQ(correction()[0] != 0.0, error > 1e-10);
  }
}

// Protects: errors grow with the fourth power of the step; what steps of quite another length lacked is not used.
TEST_F(GuessErrorsTest, length_of_the_step) {
  learn(1.0, -3.0);
  learn(16.0, -48.0, 2.0 * dt);
  EXPECT_NEAR(correction(2.0 * dt)[0], 16.0, 16.0 * round_off);
  EXPECT_NEAR(correction(1.5 * dt)[1], -3.0 * std::pow(1.5, 4), 16.0 * round_off);
  EXPECT_EQ(correction(5.0 * dt), std::vector<double>(3, 0.0));
  EXPECT_EQ(correction(0.5 * dt), std::vector<double>(3, 0.0));
}

// Protects: a run that goes on from a checkpoint makes the same guesses; numbers of another model do no harm.
TEST_F(GuessErrorsTest, goes_on_from_numbers) {
  for (int k = 0; k < 5; ++k) learn(1.0 + 0.1 * k, -2.0 + 0.01 * k * k);
  GuessErrors other({1.0, 2.0, 0.0});
  other.set_numbers(errors_.numbers());
  std::vector<double> guess(3, 0.0);
  other.correct(dt, guess);
  EXPECT_EQ(guess, correction());
  EXPECT_NE(guess, std::vector<double>(3, 0.0));
  other.set_numbers(std::vector<double>(17, 1.0));
  guess.assign(3, 0.0);
  other.correct(dt, guess);
  EXPECT_EQ(guess, std::vector<double>(3, 0.0));
}

}  // namespace
}  // namespace freeplay
