#include "freeplay/mechanics/relative_coordinate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "mechanics/motion_testing.h"

namespace freeplay {
namespace {

constexpr double large_step = 0.6;   // step twists up to 0.6 m and 0.6 rad per component
constexpr double round_off = 1e-13;  // coordinates of size 1 to 10
constexpr int n_samples = 10;
// A difference across a point of a spline is off by its step times the jump.
constexpr double third_derivatives_of_splines_jump = 1e-5;

PlaneCurve ellipse() {
  std::vector<Vec2> points;
  for (int k = 0; k < 40; ++k)
    points.emplace_back(1.5 * std::cos(k * std::numbers::pi / 20.0), std::sin(k * std::numbers::pi / 20.0));
  return {points, true};
}

struct Case {
  const char* name;
  std::function<RelativeCoordinate::Pointer()> make;
};

/// Two places over one step, with the coordinate between them.
struct Step {
  Frame a, b;
  Motion motion;
  FrameMotion A() const { return motion(a); }
  FrameMotion B() const { return motion(b); }
};

class RelativeCoordinates : public testing::TestWithParam<Case> {
 protected:
  std::vector<Step> steps() {
    std::vector<Step> result;
    for (int sample = 0; sample < n_samples; ++sample)
      for (const auto& [node_a, node_b] : {std::pair(0, 1), std::pair(ground, 0), std::pair(1, ground)})
        result.push_back(
            {random_frame(node_a, random_), random_frame(node_b, random_), random_motion(2, large_step, random_)});
    return result;
  }

  /// The step with the end of the nodes of its places moved by (dx_A, dphi_A, dx_B, dphi_B).
  static Step varied_end(Step step, const Vec12& variation) {
    for (int side = 0; side < 2; ++side) {
      const int node = side == 0 ? step.a.node : step.b.node;
      if (node == ground) continue;
      NodeMotion& motion = step.motion.nodes[node];
      motion.set_end(varied(motion.end(), variation.segment<6>(6 * side)));
    }
    return step;
  }

  RelativeCoordinate::Pointer coordinate_ = GetParam().make();
  Random random_{31};
};

// Protects: energy: what acts along the coordinate does exactly the work of its change.
TEST_P(RelativeCoordinates, force_times_displacement_is_the_change) {
  for (const Step& step : steps()) {
    const RelativeCoordinate::Change c = coordinate_->change(step.A(), step.B(), 0.4);
    Vec12 displacements = Vec12::Zero();
    if (step.a.node != ground) displacements.head<6>() = displacement(step.motion.nodes[step.a.node]);
    if (step.b.node != ground) displacements.tail<6>() = displacement(step.motion.nodes[step.b.node]);
    EXPECT_NEAR(coordinate_->force(step.A(), step.B(), c).dot(displacements), c.increment, round_off);
    EXPECT_NEAR(c.end - c.start, c.increment, round_off);
    const double difference =
        coordinate_->value(step.A().end, step.B().end) - coordinate_->value(step.A().start, step.B().start);
    EXPECT_NEAR(std::remainder(difference - c.increment, 2.0 * std::numbers::pi), 0.0, round_off);
  }
}

// Protects: rows of the Jacobian of joints, and control.
TEST_P(RelativeCoordinates, end_gradient_matches_finite_differences) {
  for (const Step& step : steps()) {
    const Vec12 gradient = coordinate_->end_gradient(step.A(), step.B(), coordinate_->change(step.A(), step.B(), 0.0));
    for (int k = 0; k < 12; ++k) {
      if ((k < 6 ? step.a : step.b).node == ground) continue;
      const double expected = derivative(
          [&](double h) {
            const Step moved = varied_end(step, h * Vec12::Unit(k));
            return coordinate_->change(moved.A(), moved.B(), 0.0).increment;
          },
          0.0, 3e-4);
      EXPECT_NEAR(gradient[k], expected, 100.0 * finite_difference_tolerance);
    }
  }
}

// Protects: Newton's method.
TEST_P(RelativeCoordinates, force_tangent_matches_finite_differences) {
  for (const Step& step : steps()) {
    const Mat12 tangent = coordinate_->force_tangent(step.A(), step.B(), coordinate_->change(step.A(), step.B(), 0.0));
    for (int k = 0; k < 12; ++k) {
      if ((k < 6 ? step.a : step.b).node == ground) continue;
      const Vec12 expected = derivative(
          [&](double h) -> Vec12 {
            const Step moved = varied_end(step, h * Vec12::Unit(k));
            return coordinate_->force(moved.A(), moved.B(), coordinate_->change(moved.A(), moved.B(), 0.0));
          },
          0.0, 3e-4);
      Vec12 difference = tangent.col(k) - expected;
      if (step.a.node == ground) difference.head<6>().setZero();
      if (step.b.node == ground) difference.tail<6>().setZero();
      EXPECT_LT(difference.cwiseAbs().maxCoeff(), third_derivatives_of_splines_jump);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Coordinates, RelativeCoordinates,
    testing::Values(Case{"length", [] { return RelativeCoordinate::length(); }},
                    Case{"displacement", [] { return RelativeCoordinate::displacement(Vec3(1.0, 2.0, -0.5)); }},
                    Case{"in_space", [] { return RelativeCoordinate::displacement_in_space(Vec3(1.0, 2.0, -0.5)); }},
                    Case{"tilt", [] { return RelativeCoordinate::tilt(Vec3(1.0, 2.0, 0.0)); }},
                    Case{"angle", [] { return RelativeCoordinate::angle(); }},
                    Case{"curve", [] { return RelativeCoordinate::distance_from(ellipse()); }}),
    [](const auto& info) { return std::string(info.param.name); });

// Protects: accelerations and reactions of joints that are made of coordinates.
TEST(RelativeCoordinate, second_rate_matches_finite_differences_in_time) {
  constexpr double tolerance = 1e-6;  // of second differences of quantities of size 10
  Random random(9);
  for (const auto& coordinate :
       {RelativeCoordinate::length(), RelativeCoordinate::angle(),
        RelativeCoordinate::displacement(Vec3(1.0, 0.5, 0.0)), RelativeCoordinate::distance_from(ellipse())}) {
    FramePlace at[2], rate[2], second[2];
    for (int side = 0; side < 2; ++side)
      for (FramePlace* part : {&at[side], &rate[side], &second[side]})
        *part = {random.vector(), Vec3::Zero(), part == &at[side] ? random.rotation() : Mat3(skew(random.vector()))};
    const auto place_at = [&](int side, double t) -> FramePlace {
      return {at[side].x + t * rate[side].x + 0.5 * t * t * second[side].x, Vec3::Zero(),
              at[side].a + t * rate[side].a + 0.5 * t * t * second[side].a};
    };
    const double expected =
        second_derivative([&](double t) { return coordinate->value(place_at(0, t), place_at(1, t)); }, 0.0, 1e-3);
    EXPECT_NEAR(coordinate->second_rate(at[0], at[1], rate[0], rate[1], second[0], second[1]), expected, tolerance);
  }
}

}  // namespace
}  // namespace freeplay
