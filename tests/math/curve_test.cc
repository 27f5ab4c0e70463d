#include "freeplay/math/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "freeplay/math/rotation.h"

namespace freeplay {
namespace {

using std::numbers::pi;

constexpr double round_off = 1e-13;  // of points of size 3 after a few operations

const std::vector<Vec3> knot{{0, 0, 0}, {1, 0.2, 0}, {1.5, 1, 0.7}, {0.8, 2, 1}, {-0.5, 1.5, 1.2}};

std::vector<std::unique_ptr<Curve>> all_curves() {
  std::vector<std::unique_ptr<Curve>> curves;
  curves.push_back(make_segment({1, 2, 3}, {-1, 0, 2.5}));
  curves.push_back(make_arc({2, 0, 1}, {0, 0, 1}, {0, 0, 1}, 4.0));
  curves.push_back(make_spline(knot));
  curves.push_back(make_spline({{0, 0, 0}, {1, 1, 0}, {2, 0, 1}}));
  return curves;
}

// Protects: the parameter of every curve is its arc length, and tangent() is the derivative of point().
TEST(Curve, is_parametrised_by_arc_length) {
  constexpr double h = 1e-5;
  constexpr double difference_error = 1e-9;  // h^2 times third derivatives of the size of 10
  for (const auto& curve : all_curves()) {
    for (const double fraction : {0.01, 0.21, 0.5, 0.77, 0.99}) {
      const double s = fraction * curve->length();
      const Vec3 difference = (curve->point(s + h) - curve->point(s - h)) / (2.0 * h);
      EXPECT_LT((curve->tangent(s) - difference).norm(), difference_error);
      EXPECT_NEAR(curve->tangent(s).norm(), 1.0, round_off);
    }
  }
}

// Protects: section axes: transport() is a rotation, takes the tangent along and never turns about it.
TEST(Curve, transport_follows_the_tangent_without_twist) {
  constexpr double h = 1e-4;
  constexpr double difference_error = 1e-7;  // h^2 times third derivatives of the size of 10
  for (const auto& curve : all_curves()) {
    EXPECT_LT((curve->transport(0.0) - Mat3::Identity()).norm(), round_off);
    for (const double fraction : {0.05, 0.3, 0.6, 0.95, 1.0}) {
      const double s = fraction * curve->length();
      const Mat3 R = curve->transport(s);
      EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), round_off);
      EXPECT_LT((R * curve->tangent(0.0) - curve->tangent(s)).norm(), round_off);
      if (fraction == 1.0) continue;
      const Vec3 rotated = inverse_cayley(curve->transport(s + h) * curve->transport(s - h).transpose()) / (2.0 * h);
      EXPECT_NEAR(rotated.dot(curve->tangent(s)), 0.0, difference_error);
    }
  }
}

TEST(Curve, arc_is_on_its_circle) {
  const auto arc = make_arc({2, 0, 1}, {0, 0, 1}, {0, 0, 1}, 1.5 * pi);
  EXPECT_NEAR(arc->length(), 3.0 * pi, 10.0 * round_off);
  EXPECT_LT((arc->point(pi) - Vec3(0, 2, 1)).norm(), round_off);
  EXPECT_LT((arc->point(arc->length()) - Vec3(0, -2, 1)).norm(), round_off);
  EXPECT_LT((arc->tangent(0.0) - Vec3(0, 1, 0)).norm(), round_off);
}

TEST(Curve, spline_goes_through_its_points) {
  const auto spline = make_spline(knot);
  EXPECT_LT((spline->point(0.0) - knot.front()).norm(), round_off);
  EXPECT_LT((spline->point(spline->length()) - knot.back()).norm(), round_off);
  double closest = 1.0;
  for (int k = 0; k <= 4000; ++k)
    closest = std::min(closest, (spline->point(spline->length() * k / 4000) - knot[2]).norm());
  constexpr double distance_of_samples = 1e-3;
  EXPECT_LT(closest, distance_of_samples);
}

// Protects: curvature is continuous at the points, so that beams have no jump of bending strain there.
TEST(Curve, spline_has_continuous_curvature) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {2, 2, 1}, {1, 3, 1}};
  const auto spline = make_spline(points);
  constexpr int n = 2000;
  const double h = spline->length() / n;
  constexpr double rate_of_curvature = 10.0;
  Vec3 last = Vec3::Zero();
  for (int k = 1; k < n; ++k) {
    const double s = k * h;
    const Vec3 curvature = (spline->tangent(s + h) - spline->tangent(s - h)) / (2.0 * h);
    if (k > 1) {
      EXPECT_LT((curvature - last).norm(), rate_of_curvature * h) << s;
    }
    last = curvature;
  }
}

// Protects: the order of a spline through points of a smooth curve: a helix of radius 1 and pitch pi.
TEST(Curve, spline_converges_with_fourth_order) {
  const auto helix = [](double t) { return Vec3(std::cos(t), std::sin(t), 0.5 * t); };
  const double exact = std::sqrt(1.25) * 3.0;
  const auto error = [&](int n) {
    std::vector<Vec3> points;
    for (int k = 0; k <= n; ++k) points.push_back(helix(3.0 * k / n));
    const auto spline = make_spline(points);
    double worst = std::abs(spline->length() - exact);
    for (int k = 0; k <= 100; ++k) {
      const double s = spline->length() * k / 100;
      worst = std::max(worst, (spline->point(s) - helix(3.0 * s / spline->length())).norm());
    }
    return worst;
  };
  const double order = std::log2(error(16) / error(32));
  constexpr double still_converging = 0.3;
  EXPECT_NEAR(order, 4.0, still_converging);
}

// Protects: the twist-free frame of a helix: it lags behind the normal by the torsion, tau = pitch / (r^2 + pitch^2).
TEST(Curve, transport_along_a_helix_lags_by_the_torsion) {
  const double c = 0.5, turns = 3.0;
  std::vector<Vec3> points;
  for (int k = 0; k <= 200; ++k) {
    const double t = turns * k / 200;
    points.push_back({std::cos(t), std::sin(t), c * t});
  }
  const auto spline = make_spline(points);
  const auto normal = [](double t) { return Vec3(-std::cos(t), -std::sin(t), 0.0); };
  const Vec3 carried = spline->transport(spline->length()) * normal(0.0);
  const double torsion = c / (1.0 + c * c);
  const Vec3 N = normal(turns), B = spline->tangent(spline->length()).cross(N);
  constexpr double of_the_spline = 1e-5;  // its curvature is only of second order in the distance of the points
  EXPECT_NEAR(std::atan2(carried.dot(B), carried.dot(N)), -torsion * spline->length(), of_the_spline);
}

}  // namespace
}  // namespace freeplay
