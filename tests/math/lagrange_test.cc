#include "freeplay/math/lagrange.h"

#include <gtest/gtest.h>

#include <cmath>

namespace freeplay {
namespace {

constexpr double round_off = 1e-14;

// Protects: the points against their closed forms.
TEST(Lagrange, points_have_their_known_values) {
  const std::vector<double> gauss = gauss_points(3), lobatto = gauss_lobatto_points(4);
  const double g = std::sqrt(0.6), l = std::sqrt(0.2);
  const std::vector<double> expected_gauss = {0.5 - 0.5 * g, 0.5, 0.5 + 0.5 * g};
  const std::vector<double> expected_lobatto = {0.0, 0.5 - 0.5 * l, 0.5 + 0.5 * l, 1.0};
  ASSERT_EQ(gauss.size(), 3u);
  ASSERT_EQ(lobatto.size(), 4u);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(gauss[k], expected_gauss[k], round_off);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(lobatto[k], expected_lobatto[k], round_off);
  EXPECT_EQ(gauss_points(1), std::vector<double>{0.5});
  EXPECT_EQ(gauss_lobatto_points(2), (std::vector<double>{0.0, 1.0}));
}

// Protects: n points carry polynomials of degree n - 1 exactly, also beyond the outermost Gauss points.
TEST(Lagrange, carries_polynomials_to_the_ends) {
  for (int n = 1; n <= 8; ++n) {
    const std::vector<double> points = gauss_points(n);
    std::vector<double> values(n);
    for (const double x : {0.0, 0.3, 1.0}) {
      lagrange_values(points, x, values);
      double sum = 0.0;
      for (int k = 0; k < n; ++k) sum += values[k] * std::pow(1.0 + points[k], n - 1);
      EXPECT_NEAR(sum, std::pow(1.0 + x, n - 1), 1e3 * round_off) << n;  // powers up to 2^7
    }
  }
}

}  // namespace
}  // namespace freeplay
