#include <gtest/gtest.h>

#include <cmath>

#include "analysis/analysis_testing.h"
#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

constexpr double g = 9.81;
// Newton's method ends at round-off.
constexpr double found = 1e-12;

// Protects: exact equilibrium of a linear spring, from a start far away and to the side.
TEST(StaticAnalysis, hanging_mass_stretches_its_spring) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
ground: {points: {hook: [0, 1, 0]}}
bodies: {mass: {rigid: {mass: 2, inertia: 0.1, at: [0.4, 0.7, 0], points: {eye: [0, 0, 0]}}}}
springs: {spring: {translational: {between: [ground.hook, mass.eye], stiffness: 500, free-length: 0.5}}}
analysis: {static: {}}
)yaml");
  EXPECT_EQ(run.run(), RunEnd::finished);
  ASSERT_EQ(run.observer.rows.size(), 1u);
  EXPECT_LT((run.last().state.pose[0].x - Vec3(0.0, 0.5 - 2.0 * g / 500.0, 0.0)).norm(), found);
  EXPECT_NEAR(run.last().ledger.elastic, 0.5 * 500.0 * std::pow(2.0 * g / 500.0, 2), found);
}

// Protects: a pendulum that starts horizontally ends hanging down, with its weight as reaction.
TEST(StaticAnalysis, pendulum_hangs_down) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: 3, inertia: 0.1, at: [1, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_LT((run.last().state.pose[0].x - Vec3(0.0, -1.0, 0.0)).norm(), found);
  EXPECT_NEAR(std::hypot(run.last().multipliers[0], run.last().multipliers[1]), 3.0 * g, 100.0 * found);
  EXPECT_EQ(run.last().state.twist[0], Vec6(Vec6::Zero()));
}

// Protects: a chain that folds a long way finds its rest.
TEST(StaticAnalysis, chain_hangs_down) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  a: {rigid: {mass: 1, inertia: 0.1, at: [0.5, 0, 0]}}
  b: {rigid: {mass: 1, inertia: 0.1, at: [1.5, 0, 0]}}
  c: {rigid: {mass: 1, inertia: 0.1, at: [2, 0.5, 0]}}
joints:
  one: {spherical: {between: [ground, a], at: [0, 0, 0]}}
  two: {universal: {between: [a, b], at: [1, 0, 0], axis: [0, 1, 0], second-axis: [0, 0, 1]}}
  three: {spherical: {between: [b, c], at: [2, 0, 0]}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_LT((run.last().state.pose[2].x - Vec3(0.0, 0.0, -2.5)).norm(), 10.0 * found);
  // The joints are closed as well as ever.
  constexpr double round_off = 1e-12;
  const State& state = run.last().state;
  for (const Joint& joint : run.model().joints) {
    const FramePlace A = place(joint.a, joint.a.node == ground ? Pose{} : state.pose[joint.a.node]);
    const FramePlace B = place(joint.b, state.pose[joint.b.node]);
    for (const Equation& equation : joint.equations)
      EXPECT_NEAR(equation.form_at(0.0).value(A, B, A.a), 0.0, round_off) << joint.name;
  }
}

// Protects: a torsional spring against gravity: k angle = m g l cos(angle).
TEST(StaticAnalysis, torsional_spring_carries_an_arm) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {arm: {rigid: {mass: 1, inertia: 0.1, at: [1, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}}}
springs: {torsion: {torsional: {between: [ground, arm], axis: [0, 0, 1], stiffness: 20, damping: 1}}}
analysis: {static: {}}
)yaml");
  run.run();
  double angle = 0.4;
  for (int k = 0; k < 50; ++k) angle -= (20.0 * angle - g * std::cos(angle)) / (20.0 + g * std::sin(angle));
  const Pose& pose = run.last().state.pose[0];
  EXPECT_NEAR(std::atan2(pose.x.y(), pose.x.x()), -angle, found);
  EXPECT_NEAR(run.last().state.internal[0], -angle, found);
}

// Protects: a torsional spring is wound up by more than a turn on the way to equilibrium, and counts it.
TEST(StaticAnalysis, torsional_spring_is_wound_up_by_several_turns) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}}
springs: {torsion: {torsional: {between: [ground, wheel], axis: [0, 0, 1], stiffness: 2}}}
loads: {wind: {torque: {on: wheel, value: [0, 0, 30]}}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_NEAR(run.last().state.internal[0], 15.0, 15.0 * found);
}

// Protects: loads are taken at t = 0, and bushings carry them as their stiffness says.
TEST(StaticAnalysis, bushing_gives_way_linearly) {
  AnalysisRun run(R"yaml(freeplay: 1
ground: {points: {base: [0, 0, 0]}}
bodies: {block: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0], points: {foot: [0, 0, 0]}}}}
springs: {mount: {bushing: {between: [ground.base, block.foot], stiffness: [100, 200, 400, 10, 10, 10]}}}
loads:
  push: {force: {on: block, value: ["3 + 5*t", "-4*cos(t)", "8*exp(t)"]}}
  turn: {torque: {on: block, value: [0, 0, 2]}}
analysis: {static: {}}
)yaml");
  run.run();
  const Pose& pose = run.last().state.pose[0];
  EXPECT_LT((pose.x - Vec3(0.03, -0.02, 0.02)).norm(), found);
  // Its energy is k sin(angle)^2 / 2, and so the moment k sin(angle) cos(angle).
  EXPECT_NEAR(std::atan2(pose.R(1, 0), pose.R(0, 0)), 0.5 * std::asin(0.4), found);
}

// Protects: a body that nothing holds is reported by name, not iterated for ever.
TEST(StaticAnalysis, falling_body_is_a_numerical_failure) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {stone: {rigid: {mass: 1, inertia: 0.1, free: true}}}
analysis: {static: {}}
)yaml");
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "stone")) << message;
}

// Protects: a model without any load is at rest where it is.
TEST(StaticAnalysis, nothing_to_do_is_rest) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {stone: {rigid: {mass: 1, inertia: 0.1, at: [1, 2, 3], free: true}}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_EQ(run.last().state.pose[0].x, Vec3(1.0, 2.0, 3.0));
}

}  // namespace
}  // namespace freeplay
