// Property 1 of the scheme: rigid motion is second-order accurate, loses no energy, and does not depend on where on the
// body its node sits.

#include <gtest/gtest.h>

#include <cstdio>

#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

constexpr double mass = 15.0, gravity = 9.81, end_time = 0.2;
const Vec3 inertia(0.234375, 0.46875, 0.234375);  // about the centre of mass
const Vec3 spin(0.0, 150.0, -4.61538);
const Vec3 centre(0.0, 1.0, 0.0);  // from the pivot

/// The top with its node at a fraction of the way from the pivot (0) to the centre of mass (1).
std::string top_with_node_at(double fraction) {
  char text[512];
  std::snprintf(text, sizeof text, R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  top:
    rigid:
      mass: 15
      inertia: [0.234375, 0.46875, 0.234375]
      at: [0, %g, 0]
      centre: [0, %g, 0]
      angular-velocity: [0, 150, -4.61538]
      points: {foot: [0, %g, 0]}
joints: {pivot: {spherical: {between: [ground, top.foot]}}}
analysis: {dynamic: {end: 1}}
)yaml",
                fraction, 1.0 - fraction, -fraction);
  return text;
}

/// Where the centre of mass is at the end: Euler's equations about the pivot, by a Runge-Kutta method of order 4.
Vec3 reference() {
  Mat3 J = inertia.asDiagonal();
  J += mass * (centre.squaredNorm() * Mat3::Identity() - centre * centre.transpose());
  const Mat3 J_inverse = J.diagonal().cwiseInverse().asDiagonal();
  const auto rates = [&](const Mat3& R, const Vec3& w) -> std::pair<Mat3, Vec3> {
    const Vec3 moment = mass * centre.cross(R.transpose() * Vec3(0.0, 0.0, -gravity));
    return {R * skew(w), J_inverse * (moment - w.cross(J * w))};
  };
  constexpr int n_steps = 20000;  // 1.5e-3 rad per step: an error of about 1e-12
  const double h = end_time / n_steps;
  Mat3 R = Mat3::Identity();
  Vec3 w = spin;
  for (int k = 0; k < n_steps; ++k) {
    const auto [R1, w1] = rates(R, w);
    const auto [R2, w2] = rates(R + 0.5 * h * R1, w + 0.5 * h * w1);
    const auto [R3, w3] = rates(R + 0.5 * h * R2, w + 0.5 * h * w2);
    const auto [R4, w4] = rates(R + h * R3, w + h * w3);
    R += h / 6.0 * (R1 + 2.0 * R2 + 2.0 * R3 + R4);
    w += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
  }
  return R * centre;
}

struct TopResult {
  double error = 0.0;            ///< of the position of the centre of mass at the end [m]
  double energy_change = 0.0;    ///< largest, relative
  double projection_loss = 0.0;  ///< relative
};

TopResult run_top(double node_fraction, double alpha, double dt) {
  static const Vec3 exact = reference();
  Simulation simulation(top_with_node_at(node_fraction), with_alpha(alpha));
  TopResult result;
  const double initial = simulation.ledger().total();
  simulation.run(dt, static_cast<int>(std::lround(end_time / dt)), [&] {
    const double change = std::abs(simulation.ledger().total() - initial) / initial;
    result.energy_change = std::max(result.energy_change, change);
  });
  const Pose& pose = simulation.state().pose[0];
  result.error = (pose.x + (1.0 - node_fraction) * pose.R * centre - exact).norm();
  result.projection_loss = simulation.ledger().projection_loss / initial;
  return result;
}

class HeavyTop : public testing::TestWithParam<std::tuple<double, double>> {
 protected:
  double node_fraction() const { return std::get<0>(GetParam()); }
  double alpha() const { return std::get<1>(GetParam()); }
};

// Protects: second order for rigid bodies.
TEST_P(HeavyTop, error_falls_with_order_two) {
  constexpr double around = 0.05;
  const double coarse = run_top(node_fraction(), alpha(), 1e-3).error;
  const double middle = run_top(node_fraction(), alpha(), 5e-4).error;
  const double fine = run_top(node_fraction(), alpha(), 2.5e-4).error;
  EXPECT_NEAR(order(coarse, middle), 2.0, around);
  EXPECT_NEAR(order(middle, fine), 2.0, around);
}

// Protects: a rigid body loses no energy, and its velocities need no projection.
TEST_P(HeavyTop, energy_is_constant) {
  constexpr double round_off = 1e-13;  // over 400 steps
  const TopResult result = run_top(node_fraction(), alpha(), 5e-4);
  EXPECT_LT(result.energy_change, round_off);
  EXPECT_LT(result.projection_loss, round_off);
}

INSTANTIATE_TEST_SUITE_P(NodeAndAlpha, HeavyTop,
                         testing::Combine(testing::Values(0.0, 0.3, 1.0), testing::Values(1.0, 0.0)));

// Protects: the result does not depend on where on the body the node is.
TEST(HeavyTopNode, error_is_the_same_at_pivot_and_centre_of_mass) {
  constexpr double three_digits = 1e-3;
  for (const double alpha : {1.0, 0.0}) {
    const double at_pivot = run_top(0.0, alpha, 5e-4).error;
    const double at_centre = run_top(1.0, alpha, 5e-4).error;
    EXPECT_NEAR(at_centre, at_pivot, three_digits * at_pivot);
  }
}

}  // namespace
}  // namespace freeplay
