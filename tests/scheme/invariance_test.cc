// What must not change: results under rigid motion of the world, momenta of free systems, fixed degrees of freedom.

#include <gtest/gtest.h>

#include <cstring>

#include "freeplay/scheme/energy.h"
#include "scheme/menagerie_testing.h"
#include "scheme/momenta_testing.h"
#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

// Protects: objectivity: no direction and no origin is special.
TEST(Invariance, turned_and_shifted_world_gives_the_same_results) {
  constexpr double tolerance = 1e-11;  // 100 m away positions have a round-off of 1e-14; 300 steps add up
  Random random(8);
  const Pose world{100.0 * random.direction(), random.rotation()};
  for (const double alpha : {1.0, 0.0}) {
    Simulation here(chain_in_world(Pose{}), with_alpha(alpha));
    Simulation there(chain_in_world(world), with_alpha(alpha));
    for (int block = 0; block < 3; ++block) {
      here.run(2e-3, 100);
      there.run(2e-3, 100);
      for (std::size_t n = 0; n < here.model().nodes.size(); ++n) {
        const Pose expected = carried(world, here.state().pose[n]);
        EXPECT_LT((there.state().pose[n].x - expected.x).norm(), tolerance);
        EXPECT_LT((there.state().pose[n].R - expected.R).norm(), tolerance);
        EXPECT_LT((there.state().twist[n] - here.state().twist[n]).norm(), 10.0 * tolerance);
      }
      for (int e = 0; e < here.model().n_equations; ++e)
        EXPECT_NEAR(there.state().multiplier[e], here.state().multiplier[e], 1e4 * tolerance);  // round-off over dt
      EXPECT_NEAR(there.ledger().kinetic, here.ledger().kinetic, 100.0 * tolerance);
      EXPECT_NEAR(there.ledger().numerical_loss, here.ledger().numerical_loss, 100.0 * tolerance);
    }
  }
}

// Protects: linear and angular momentum of a system that nothing holds, with constraint, jump and projection.
TEST(Invariance, momenta_of_a_free_system_are_conserved) {
  constexpr double round_off = 1e-11;  // relative: 400 steps, each solved to about 1e-14
  for (const double alpha : {1.0, 0.0}) {
    Simulation simulation(R"yaml(freeplay: 1
bodies:
  a: {rigid: {mass: 1, inertia: [0.1, 0.2, 0.15, 0.01, 0.02, 0.03], centre: [0.1, 0.05, 0], at: [0, 0, 0], velocity: [1, -2, 0.5], angular-velocity: [3, 1, -2]}}
  b: {rigid: {mass: 2, inertia: [0.2, 0.1, 0.2], at: [1, 0.2, 0], angular-velocity: [-1, 4, 2]}}
joints: {ball: {spherical: {between: [a, b], at: [0.5, 0, 0.1]}}}
springs:
  mount: {bushing: {between: [a, b], at: [0.6, 0.1, 0], stiffness: [0, 0, 0, 100, 200, 300], damping: [0, 0, 0, 0.1, 0.1, 0.1]}}
  cord: {translational: {between: [a, b], stiffness: 100, free-length: 0.8}}
analysis: {dynamic: {end: 1}}
)yaml",
                          with_alpha(alpha));
    const Vec6 initial = momenta_of(simulation.model(), simulation.state());
    double change = 0.0;
    simulation.run(2e-3, 400, [&] {
      change = std::max(change, (momenta_of(simulation.model(), simulation.state()) - initial).norm());
    });
    EXPECT_LT(change, round_off * initial.norm());
    EXPECT_LT(simulation.ledger().total(), simulation.ledger().initial);
  }
}

// Protects: a plane body stays exactly in its plane: no round-off drift, ever.
TEST(Invariance, plane_body_stays_in_its_plane_to_the_bit) {
  Simulation simulation(R"yaml(freeplay: 1
gravity: [1, -9.81, 5]
bodies:
  a: {rigid: {mass: 1, inertia: 0.1, at: [0.5, 0.1, 0.3], centre: [0.1, 0, 0.05], rotation: {axis: [0, 0, 1], angle: 0.7}, angular-velocity: [0, 0, 3], fix: [z, rx, ry]}}
  b: {rigid: {mass: 2, inertia: 0.2, at: [1, -0.4, 0.1], fix: [z, rx, ry]}}
joints: {pin: {revolute: {between: [ground, a], at: [0, 0, 0.3], axis: [0, 0, 1]}}}
springs: {mount: {bushing: {between: [a, b], at: [0.8, 0, 0.2], stiffness: [100, 200, 300, 4, 5, 6]}}}
loads: {push: {force: {on: b, value: [1, 2, 3]}}}
analysis: {dynamic: {end: 1}}
)yaml");
  const State initial = simulation.state();
  simulation.run(2e-3, 200, [&] {
    for (int n = 0; n < 2; ++n) {
      const Pose& pose = simulation.state().pose[n];
      EXPECT_EQ(pose.x.z(), initial.pose[n].x.z());
      EXPECT_EQ(pose.R.col(2), initial.pose[n].R.col(2));
      EXPECT_EQ(pose.R.row(2), initial.pose[n].R.row(2));
      for (const int k : {2, 3, 4}) EXPECT_EQ(simulation.state().twist[n][k], 0.0);
    }
  });
  EXPECT_NE(simulation.state().pose[1].x, initial.pose[1].x);
}

// Protects: a clamped body is a support: its pose keeps every bit, whatever its orientation.
TEST(Invariance, clamped_body_keeps_every_bit) {
  Simulation simulation(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  support: {rigid: {mass: 1, inertia: 0.1, at: [0.1, 0.2, 0.3], rotation: {axis: [1, 2, 3], angle: 1.1}, fix: [x, y, z, rx, ry, rz]}}
  bob: {rigid: {mass: 1, inertia: 0.1, at: [1, 0, 0]}}
joints: {ball: {spherical: {between: [support, bob], at: [0, 0, 0]}}}
analysis: {dynamic: {end: 1}}
)yaml");
  const Pose initial = simulation.state().pose[0];
  simulation.run(2e-3, 200);
  EXPECT_EQ(simulation.state().pose[0].x, initial.x);
  EXPECT_EQ(simulation.state().pose[0].R, initial.R);
  EXPECT_EQ(simulation.state().twist[0], Vec6(Vec6::Zero()));
}

// Protects: fixing the origin leaves a ball joint there, fixing the rotations leaves pure translation.
TEST(Invariance, partly_fixed_bodies_move_as_the_rest_allows) {
  constexpr double round_off = 1e-13;
  constexpr double ledger_round_off = 1e-12;  // 500 steps, each solved to about 1e-14
  Simulation simulation(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  top: {rigid: {mass: 1, inertia: 0.1, at: [0.1, 0.2, 0.3], centre: [0.5, 0, 0], rotation: {axis: [1, 2, 3], angle: 1.1}, fix: [x, y, z]}}
  stone: {rigid: {mass: 1, inertia: 0.1, at: [1, 0, 0], centre: [0, 0.3, 0], velocity: [1, 0, 2], rotation: {axis: [1, 2, 3], angle: 1.1}, fix: [rx, ry, rz]}}
analysis: {dynamic: {end: 1}}
)yaml");
  const State initial = simulation.state();
  simulation.run(1e-3, 500);
  const State& state = simulation.state();
  EXPECT_EQ(state.pose[0].x, initial.pose[0].x);
  EXPECT_NE(state.pose[0].R, initial.pose[0].R);
  EXPECT_LT((state.pose[1].R - initial.pose[1].R).norm(), round_off);
  EXPECT_LT((state.pose[1].x - Vec3(1.5, 0.0, 1.0 - 0.5 * 9.81 * 0.25)).norm(), round_off);
  EXPECT_LT(simulation.ledger().relative_residual(), ledger_round_off);
}

}  // namespace
}  // namespace freeplay
