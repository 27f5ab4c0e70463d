#include "freeplay/math/piecewise_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "math/numerics_testing.h"

namespace freeplay {
namespace {

const std::vector<std::array<double, 2>> points{{-1.0, -5.0}, {0.0, 0.0}, {2.0, 8.0}, {3.0, 8.0}};
// Values between and beyond all points, and the points themselves.
const std::vector<double> places{-3.0, -1.0, -0.4, 0.0, 0.7, 1.9, 2.0, 2.5, 3.0, 6.0};
constexpr double round_off = 1e-14;  // a few operations on numbers up to 50

// Protects: the law between and at the points, and its continuation with the slope of the end segments.
TEST(PiecewiseLinear, values_and_slopes) {
  const PiecewiseLinear law(points);
  for (const auto& [x, y] : points) EXPECT_DOUBLE_EQ(law.value(x), y);
  EXPECT_DOUBLE_EQ(law.value(-3.0), -15.0);
  EXPECT_DOUBLE_EQ(law.value(-0.5), -2.5);
  EXPECT_DOUBLE_EQ(law.value(0.5), 2.0);
  EXPECT_DOUBLE_EQ(law.value(10.0), 8.0);
  EXPECT_DOUBLE_EQ(law.slope(-3.0), 5.0);
  EXPECT_DOUBLE_EQ(law.slope(1.0), 4.0);
  EXPECT_DOUBLE_EQ(law.slope(10.0), 0.0);
  EXPECT_DOUBLE_EQ(PiecewiseLinear(7.0).value(-2.0), -14.0);
}

// Protects: the potential of a spring with a table, in closed form.
TEST(PiecewiseLinear, integrals_in_closed_form) {
  const PiecewiseLinear law(points);
  EXPECT_NEAR(law.integral(0.0, 2.0), 8.0, round_off);
  EXPECT_NEAR(law.integral(0.0, 3.0), 16.0, round_off);
  EXPECT_NEAR(law.integral(0.0, 5.0), 32.0, round_off);
  EXPECT_NEAR(law.integral(0.0, -1.0), 2.5, round_off);
  EXPECT_NEAR(law.integral(0.0, -3.0), 22.5, round_off);
  EXPECT_NEAR(law.integral(-1.0, 2.0), 5.5, round_off);
  EXPECT_NEAR(PiecewiseLinear(7.0).integral(-1.0, 3.0), 28.0, round_off);
}

// Protects: the integral is a potential: additive and antisymmetric, whatever points lie between.
TEST(PiecewiseLinear, integral_is_additive) {
  const PiecewiseLinear law(points);
  for (const double a : places)
    for (const double b : places) {
      EXPECT_NEAR(law.integral(a, b), -law.integral(b, a), round_off);
      EXPECT_NEAR(law.integral(a, b), law.integral(0.0, b) - law.integral(0.0, a), 10.0 * round_off);
    }
}

// Protects: the mean is the exact discrete derivative of the potential, on which the energy ledger rests.
TEST(PiecewiseLinear, mean_times_difference_is_integral) {
  const PiecewiseLinear law(points);
  for (const double a : places)
    for (const double b : places) EXPECT_NEAR(law.mean(a, b) * (b - a), law.integral(a, b), 10.0 * round_off);
}

// Protects: the limit of a vanishing step, within a segment and across a point.
TEST(PiecewiseLinear, mean_of_nothing_is_the_value) {
  const PiecewiseLinear law(points);
  constexpr double apart = 1e-9;
  for (const double a : places) {
    EXPECT_NEAR(law.mean(a, a), law.value(a), round_off);
    EXPECT_NEAR(law.mean(a - apart, a + apart), law.value(a), 10.0 * apart);
  }
}

// Protects: the tangent of springs with tables, within a segment, across points, beyond the ends and in both
// directions.
TEST(PiecewiseLinear, derivative_of_mean_matches_finite_differences) {
  const PiecewiseLinear law(points);
  for (const double a : places)
    for (const double b : {-2.0, -0.5, 1.0, 2.4, 5.0}) {
      const double expected = derivative([&](double x) { return law.mean(a, x); }, b);
      EXPECT_NEAR(law.mean_derivative(a, b), expected, finite_difference_tolerance) << a << " to " << b;
    }
}

// Protects: across a point the tangent lies between those of its two sides, however short the step.
TEST(PiecewiseLinear, derivative_of_mean_stays_between_both_sides) {
  const PiecewiseLinear law(points);
  for (const double apart : {1e-3, 1e-6, 1e-9}) {
    for (const auto& [x, y] : {points[1], points[2]}) {
      const double left = 0.5 * law.slope(x - 1e-3), right = 0.5 * law.slope(x + 1e-3);
      const double noise = 1e-15 / apart;  // round-off of the difference quotient
      for (const auto& [a, b] : {std::pair(x - apart, x + apart), std::pair(x + apart, x - apart)}) {
        EXPECT_GE(law.mean_derivative(a, b), std::min(left, right) - noise);
        EXPECT_LE(law.mean_derivative(a, b), std::max(left, right) + noise);
      }
    }
  }
}

}  // namespace
}  // namespace freeplay
