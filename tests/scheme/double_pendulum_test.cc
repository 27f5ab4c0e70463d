// A double pendulum in space with two skew hinges: the smallest mechanism in which velocities must be projected.

#include <gtest/gtest.h>

#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

const char* const double_pendulum = R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  upper:
    rigid: {mass: 2, inertia: [0.2, 0.25, 0.1], at: [0.5, 0, 0], angular-velocity: [0, 2, 0], points: {elbow: [0.5, 0, 0]}}
  lower:
    rigid: {mass: 1, inertia: [0.05, 0.12, 0.1, 0.01, 0.02, 0], at: [1.2, 0.4, 0.1], angular-velocity: [1, 1, 3]}
joints:
  shoulder: {revolute: {between: [ground, upper], at: [0, 0, 0], axis: [0.2, 1, 0.1]}}
  elbow: {revolute: {between: [upper.elbow, lower], at: [1, 0, 0], axis: [1, 0.3, 0.6]}}
analysis: {dynamic: {end: 1}}
)yaml";

struct Result {
  Pose lower;
  Ledger ledger;
};

Result run(double dt, double alpha) {
  constexpr double end_time = 0.6;
  Simulation simulation(double_pendulum, with_alpha(alpha));
  simulation.run(dt, static_cast<int>(std::lround(end_time / dt)));
  return {simulation.state().pose[1], simulation.ledger()};
}

double distance(const Result& a, const Result& b) {
  return (a.lower.x - b.lower.x).norm() + (a.lower.R - b.lower.R).norm();
}

// Protects: second order for mechanisms, projection included.
TEST(DoublePendulum, error_falls_with_order_two) {
  constexpr double around = 0.05;
  for (const double alpha : {1.0, 0.0}) {
    const Result coarse = run(4e-3, alpha), middle = run(2e-3, alpha), fine = run(1e-3, alpha),
                 finest = run(5e-4, alpha);
    EXPECT_NEAR(order(distance(coarse, middle), distance(middle, fine)), 2.0, around);
    EXPECT_NEAR(order(distance(middle, fine), distance(fine, finest)), 2.0, around);
  }
}

// Protects: the projection is the only loss, it is a loss, and it falls with the third power of the step.
TEST(DoublePendulum, energy_is_lost_by_projection_alone_with_order_three) {
  constexpr double around = 0.1;
  constexpr double round_off = 1e-11;  // relative, 600 steps
  const Result coarse = run(2e-3, 1.0), fine = run(1e-3, 1.0);
  for (const Result& result : {coarse, fine}) {
    EXPECT_GT(result.ledger.projection_loss, 0.0);
    EXPECT_EQ(result.ledger.numerical_loss, 0.0);
    EXPECT_EQ(result.ledger.damping_loss, 0.0);
    EXPECT_EQ(result.ledger.load_work, 0.0);
    EXPECT_EQ(result.ledger.drive_work, 0.0);
    EXPECT_NEAR(result.ledger.total() + result.ledger.projection_loss, result.ledger.initial,
                round_off * result.ledger.largest_energy);
  }
  EXPECT_NEAR(order(coarse.ledger.projection_loss, fine.ledger.projection_loss), 3.0, around);
}

}  // namespace
}  // namespace freeplay
