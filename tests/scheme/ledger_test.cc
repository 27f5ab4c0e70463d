// The energy ledger explains every joule of a mechanism with everything in it.

#include <gtest/gtest.h>

#include "scheme/menagerie_testing.h"
#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

// A slider-crank with a prescribed swinging crank. The piston is held by a bushing to the slider, so that stresses
// jump.
const char* const driven_mechanism = R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies:
  crank: {rigid: {mass: 1, inertia: [0.01, 0.02, 0.02], at: [0, 0.15, 0], points: {pin: [0, 0.15, 0]}}}
  rod: {rigid: {mass: 0.8, inertia: [0.01, 0.05, 0.05], at: [0.4, 0.15, 0], points: {pin: [-0.4, 0.15, 0], end: [0.4, -0.15, 0]}}}
  slider: {rigid: {mass: 0.5, inertia: 0.001, at: [0.8, 0, 0]}}
  piston: {rigid: {mass: 0.3, inertia: 0.001, at: [0.9, 0, 0]}}
joints:
  shaft: {revolute: {between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "0.6*sin(5*t) + 0.4*t"}}}
  pin: {spherical: {between: [crank.pin, rod.pin]}}
  wrist: {universal: {between: [rod.end, slider], axis: [0, 1, 0], second-axis: [0, 0, 1]}}
  guide: {prismatic: {between: [ground, slider], axis: [1, 0, 0], at: [0.8, 0, 0]}}
springs:
  mount: {bushing: {between: [slider, piston], at: [0.85, 0, 0], stiffness: [5e4, 2e4, 2e4, 50, 60, 70], damping: [5, 2, 2, 0.01, 0.01, 0.01]}}
  gas: {translational: {between: [ground, piston], stiffness: 200, damping: 3, free-length: 0.5}}
  stop: {translational: {between: [ground, rod.end], table: [[-0.1, -10], [0, 0], [0.05, 30], [0.1, 100]]}}
  wind: {torsional: {between: [ground, crank], axis: [0, 0, 1], stiffness: 4, damping: 0.1, free-angle: 0.3}}
loads:
  push: {force: {on: piston, value: ["20*sin(30*t)", "1", 0]}}
  along: {force: {on: rod.end, value: ["5*cos(7*t)", 2, 1], following: true}}
  brake: {torque: {on: crank, value: [0, 0, "-t"]}}
  twist: {torque: {on: rod, value: ["0.1", 0, "0.2"], following: true}}
analysis: {dynamic: {end: 1}}
)yaml";

/// Checks the ledger after each step: closed, and all losses are losses.
class LedgerWatch {
 public:
  explicit LedgerWatch(const Simulation& simulation) : simulation_(simulation), last_(simulation.ledger()) {}
  void operator()() {
    constexpr double round_off = 1e-12;            // relative, per step
    constexpr double round_off_of_energy = 1e-15;  // of two energies whose difference is a loss
    const Ledger& now = simulation_.ledger();
    EXPECT_LT(std::abs(now.residual - last_.residual), round_off * now.largest_energy) << simulation_.state().time;
    EXPECT_GE(now.damping_loss, last_.damping_loss);
    EXPECT_GE(now.numerical_loss, last_.numerical_loss);
    EXPECT_GE(now.projection_loss - last_.projection_loss, -round_off_of_energy * now.largest_energy);
    last_ = now;
  }

 private:
  const Simulation& simulation_;
  Ledger last_;
};

class LedgerOf : public testing::TestWithParam<double> {};

// Protects: the energy law term by term, drives included, at every step.
TEST_P(LedgerOf, driven_mechanism_closes) {
  Simulation simulation(driven_mechanism, with_alpha(GetParam()));
  simulation.run(1e-3, 500, LedgerWatch(simulation));
  const Ledger& ledger = simulation.ledger();
  constexpr double accumulated = 1e-11;  // round-off of 500 steps
  EXPECT_LT(ledger.relative_residual(), accumulated);
  EXPECT_NEAR(ledger.total() - ledger.expected(), ledger.residual, accumulated * ledger.largest_energy);
  EXPECT_GT(std::abs(ledger.drive_work), 0.1);
  EXPECT_GT(std::abs(ledger.load_work), 0.1);
  EXPECT_GT(ledger.damping_loss, 0.01);
  if (GetParam() > 0.0) {
    EXPECT_GT(ledger.numerical_loss, 0.0);
  } else {
    EXPECT_EQ(ledger.numerical_loss, 0.0);
  }
}

// Protects: the same in space, with every kind of spring and load on a chain of bodies.
TEST_P(LedgerOf, chain_closes) {
  Simulation simulation(chain_in_world(Pose{}), with_alpha(GetParam()));
  simulation.run(2e-3, 300, LedgerWatch(simulation));
}

INSTANTIATE_TEST_SUITE_P(Alpha, LedgerOf, testing::Values(1.0, 0.5, 0.0));

// Protects: the same for steps far too large to be accurate: the law is algebraic, not asymptotic.
TEST(Ledger, driven_mechanism_closes_with_large_steps) {
  Simulation simulation(driven_mechanism);
  simulation.run(0.03, 20, LedgerWatch(simulation));
}

// Protects: the work of a drive is real: without gravity, loads and losses it is the kinetic energy it has given.
TEST(Ledger, drive_work_is_the_kinetic_energy_of_a_flywheel) {
  constexpr double round_off = 1e-13;
  Simulation simulation(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 3, inertia: [0.2, 0.3, 0.4], at: [0, 0, 0]}}}
joints: {shaft: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "t^2"}}}}
analysis: {dynamic: {end: 1}}
)yaml");
  simulation.run(0.01, 100);
  const double kinetic = 0.5 * 0.4 * 2.0 * 2.0;
  EXPECT_NEAR(simulation.ledger().kinetic, kinetic, round_off);
  EXPECT_NEAR(simulation.ledger().drive_work - simulation.ledger().projection_loss, kinetic, 10.0 * round_off);
  constexpr double third_order = 1e-6;  // dt^3
  EXPECT_NEAR(simulation.ledger().drive_work, kinetic, third_order);
}

// Protects: energy never grows without loads and drives, at any step size.
TEST(Ledger, total_energy_never_grows_by_itself) {
  const std::string text = R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  a: {rigid: {mass: 1, inertia: [0.1, 0.2, 0.15], at: [0.5, 0, 0], angular-velocity: [3, 1, -2]}}
  b: {rigid: {mass: 2, inertia: [0.2, 0.1, 0.2], at: [1.5, 0, 0], angular-velocity: [-1, 4, 2]}}
joints: {ball: {spherical: {between: [ground, a], at: [0, 0, 0]}}}
springs: {mount: {bushing: {between: [a, b], at: [1, 0, 0], stiffness: [1e4, 2e4, 3e4, 100, 200, 300]}}}
analysis: {dynamic: {end: 1}}
)yaml";
  for (const double alpha : {1.0, 0.3})
    for (const double dt : {1e-3, 1e-2, 5e-2}) {
      Simulation simulation(text, with_alpha(alpha));
      double last = simulation.ledger().total();
      const double round_off = 1e-12 * (1.0 + std::abs(last));
      simulation.run(dt, 60, [&] {
        EXPECT_LE(simulation.ledger().total(), last + round_off) << "dt " << dt;
        last = simulation.ledger().total();
      });
    }
}

}  // namespace
}  // namespace freeplay
