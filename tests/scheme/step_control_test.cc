#include "freeplay/scheme/step_control.h"

#include <gtest/gtest.h>

#include <cmath>

namespace freeplay {
namespace {

constexpr double round_off = 1e-13;  // steps of 0.01 s, and the remainder of 1e-14 s that is none

StepControlOptions options(bool fixed) {
  StepControlOptions result;
  result.fixed = fixed;
  result.step = 0.01;
  result.max_step = 0.1;
  result.min_step = 1e-5;
  return result;
}

// Protects: steps towards a target are of equal size, never longer than wanted, and end on it.
TEST(StepControl, steps_to_a_target_are_equal_and_end_on_it) {
  StepControl control(options(true));
  EXPECT_DOUBLE_EQ(control.next(0.0, 0.1), 0.01);
  EXPECT_DOUBLE_EQ(control.next(0.0, 0.025), 0.025 / 3.0);
  EXPECT_DOUBLE_EQ(control.next(0.025 / 3.0, 0.025), 0.025 / 3.0);
  EXPECT_DOUBLE_EQ(control.next(0.0, 0.004), 0.004);
  // A remainder of round-off size is not a step of its own.
  EXPECT_NEAR(control.next(0.0, 0.01 * (1.0 + 1e-12)), 0.01, round_off);
}

// Protects: a fixed step is never refused for its error, and comes back after a difficult place.
TEST(StepControl, fixed_step_comes_back_after_failures) {
  StepControl control(options(true));
  EXPECT_TRUE(control.accept(1e9));
  EXPECT_TRUE(control.shrink(0.01, 0.25));
  EXPECT_DOUBLE_EQ(control.step(), 0.0025);
  for (int k = 0; k < 3; ++k) control.accepted(control.step(), 0.0);
  EXPECT_DOUBLE_EQ(control.step(), 0.01);
}

// Protects: the controlled step follows the error with the right power and keeps its limits.
TEST(StepControl, controlled_step_follows_the_error) {
  StepControl control(options(false));
  EXPECT_TRUE(control.accept(1.9));
  EXPECT_FALSE(control.accept(2.1));
  control.accepted(0.01, 0.5);
  EXPECT_NEAR(control.step(), 0.9 / std::sqrt(0.5) * 0.01, round_off);
  control.accepted(0.02, 0.0);
  EXPECT_NEAR(control.step(), 0.03, round_off);  // at most 1.5 times as long
  for (int k = 0; k < 5; ++k) control.accepted(control.step(), 0.0);
  EXPECT_DOUBLE_EQ(control.step(), 0.1);
  EXPECT_TRUE(control.reject(0.1, 9.0));
  EXPECT_NEAR(control.step(), 0.03, round_off);
}

// Protects: a step that a target has cut short does not make the next one short.
TEST(StepControl, short_step_before_a_target_does_not_count) {
  StepControl control(options(false));
  control.accepted(0.001, 0.0);
  EXPECT_GE(control.step(), 0.01);
}

// Protects: shrinking ends at the smallest step.
TEST(StepControl, shrinking_ends) {
  StepControl control(options(false));
  int n = 0;
  while (control.shrink(control.step(), 0.25)) ASSERT_LT(++n, 100);
  EXPECT_DOUBLE_EQ(control.step(), 1e-5);
}

}  // namespace
}  // namespace freeplay
