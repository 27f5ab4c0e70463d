#include "freeplay/math/plane_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/numerics_testing.h"

namespace freeplay {
namespace {

constexpr double radius = 2.0;
constexpr int n_points = 60;
// A cubic spline through points of a circle every 6 degrees is off by 1/384 of (0.1 rad)^4 of the radius.
constexpr double off_a_circle = 2e-6;

PlaneCurve circle(double sense) {
  std::vector<Vec2> points;
  for (int k = 0; k < n_points; ++k) {
    const double angle = sense * 2.0 * std::numbers::pi * k / n_points;
    points.push_back(radius * Vec2(std::cos(angle), std::sin(angle)));
  }
  return {points, true};
}

// Protects: which side is outside, whichever way the points go round; and the derivatives that joints need.
TEST(PlaneCurve, distance_from_a_circle) {
  for (const double sense : {1.0, -1.0}) {
    const PlaneCurve curve = circle(sense);
    for (const double r : {1.0, 1.9, 2.0, 2.5, 7.0})
      for (const double angle : {0.02, 1.0, 2.5, 4.0, 6.2}) {
        const Vec2 n(std::cos(angle), std::sin(angle)), t(-n.y(), n.x());
        const PlaneCurve::Distance d = curve.distance(r * n);
        EXPECT_NEAR(d.value, r - radius, off_a_circle);
        EXPECT_LT((d.gradient - n).norm(), 100.0 * off_a_circle);
        EXPECT_LT((d.second - t * t.transpose() / r).norm(), 0.01);
      }
  }
}

// Protects: an open curve ends nowhere: a follower that runs off it goes on straight.
TEST(PlaneCurve, open_curve_goes_on_straight) {
  const PlaneCurve curve({Vec2(0.0, 0.0), Vec2(1.0, 0.0), Vec2(2.0, 0.0), Vec2(3.0, 0.0)}, false);
  for (const double x : {-50.0, -0.1, 0.0, 1.4, 3.0, 3.1, 80.0})
    for (const double y : {-2.0, 0.0, 0.3}) {
      const PlaneCurve::Distance d = curve.distance(Vec2(x, y));
      EXPECT_NEAR(d.value, y, 1e-13);  // left of the direction of the points is positive
      EXPECT_LT((d.gradient - Vec2(0.0, 1.0)).norm(), 1e-13);
    }
}

// Protects: a spline through given points.
TEST(PlaneCurve, goes_through_its_points) {
  const std::vector<Vec2> points{{0.0, 0.0}, {1.0, 0.4}, {1.8, -0.2}, {3.0, 0.1}, {3.5, 1.5}};
  for (const bool closed : {true, false})
    for (const Vec2& point : points) EXPECT_NEAR(PlaneCurve(points, closed).distance(point).value, 0.0, 1e-14);
}

}  // namespace
}  // namespace freeplay
