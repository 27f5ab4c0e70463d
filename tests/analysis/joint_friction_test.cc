#include <gtest/gtest.h>

#include "analysis/analysis_testing.h"

// Friction in ideal joints against motions that can be written down.

namespace freeplay {
namespace {

constexpr double g = 9.81;

std::string with_law(const std::string& law, const std::string& rest) {
  return "freeplay: 1\ngravity: [0, -9.81, 0]\nfrictions: {dry: {" + law + "}}\n" + rest;
}

const std::string coulomb = "coulomb: {static: 0.3, kinetic: 0.2}";
const std::string regularised = "regularised-coulomb: {coefficient: 0.2, velocity: 1e-5 m/s}";

double ledger_gap(const AnalysisRun& run) { return run.last().ledger.relative_residual(); }

std::vector<double> times_of(const AnalysisRun& run, const std::string& kind) {
  std::vector<double> times;
  for (const auto& event : run.observer.events)
    if (event.kind == kind) times.push_back(event.time);
  return times;
}

std::string block(const std::string& law, const std::string& velocity, const std::string& gravity_angle) {
  // A block on a rail along x; gravity is turned by the angle of the incline.
  return "freeplay: 1\ngravity: [\"9.81 m/s^2 * sin(" + gravity_angle + ")\", \"-9.81 m/s^2 * cos(" + gravity_angle +
         ")\", 0]\nfrictions: {dry: {" + law +
         "}}\nbodies: {block: {rigid: {mass: 2 kg, inertia: 0.1 kg*m^2, at: [0, 0, 0], velocity: [" + velocity +
         ", 0, 0]}}}\njoints: {rail: {prismatic: {between: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], friction: "
         "{law: dry}}}}\n";
}

// Protects: the kinetic friction of a slider, the moment at which it comes to rest, and that it then stays.
TEST(JointFriction, sliding_block_stops_when_it_should) {
  for (const std::string& law : {coulomb, regularised}) {
    AnalysisRun run(block(law, "1 m/s", "0 rad") + "analysis: {dynamic: {end: 1 s, step: 1 ms}}\n");
    run.run();
    const double stop = 1.0 / (0.2 * g);
    EXPECT_NEAR(run.last().state.pose[0].x[0], 0.5 * stop, 1e-4) << law;
    ASSERT_EQ(times_of(run, "stick").size(), 1u) << law;
    EXPECT_NEAR(times_of(run, "stick")[0], stop, 1.1e-3) << law;
    EXPECT_LT(ledger_gap(run), 1e-12) << law;
  }
}

// Protects: true stick. Below the angle of friction nothing creeps, not by a bit; above it the block slides with the
// kinetic coefficient.
TEST(JointFriction, block_on_an_incline_sticks_or_slides) {
  AnalysisRun stuck(block(coulomb, "0 m/s", "0.28 rad") + "analysis: {dynamic: {end: 1000 s, step: 1 s}}\n");
  stuck.run();
  EXPECT_LT(std::abs(stuck.last().state.pose[0].x[0]), 1e-15);
  EXPECT_TRUE(stuck.observer.events.empty());

  AnalysisRun slides(block(coulomb, "0 m/s", "0.3 rad") + "analysis: {dynamic: {end: 1 s, step: 10 ms}}\n");
  slides.run();
  const double acceleration = g * (std::sin(0.3) - 0.2 * std::cos(0.3));
  EXPECT_NEAR(slides.last().state.pose[0].x[0], 0.5 * acceleration, 1e-9);
  EXPECT_LT(ledger_gap(slides), 1e-12);
}

// Protects: the slip of a rolling disk. One that is thrown without spin begins to roll at v0/(3 mu g), at 2/3 of its
// speed, and then rolls without loss.
TEST(JointFriction, thrown_disk_begins_to_roll) {
  AnalysisRun run(with_law(coulomb,
                           "bodies: {disk: {rigid: {mass: 3 kg, inertia: [1, 1, 0.06], at: [0, 0.2, 0], velocity: [6, "
                           "0, 0]}}}\njoints: {track: {rolling-disk: {between: [ground, disk], at: [0, 0.2, 0], axis: "
                           "[0, 1, 0], second-axis: [0, 0, 1], friction: {law: dry, radius: 0.2 m}}}}\nanalysis: "
                           "{dynamic: {end: 2 s, step: 0.5 ms}}\n"));
  run.run();
  const double start = 6.0 / (3.0 * 0.2 * g);
  ASSERT_EQ(times_of(run, "stick").size(), 1u);
  EXPECT_NEAR(times_of(run, "stick")[0], start, 1e-5);
  const State& end = run.last().state;
  EXPECT_NEAR((end.pose[0].R * end.twist[0].head<3>())[0], 4.0, 1e-4);
  EXPECT_NEAR(end.twist[0][5], -4.0 / 0.2, 1e-3);
  EXPECT_NEAR(run.last().ledger.friction_loss, 0.5 * 3.0 * 36.0 / 3.0, 1e-3);
  EXPECT_LT(ledger_gap(run), 1e-11);
}

// Protects: radius, thrust and bending in the friction of a hinge. A wheel on an axis slows down with mu r N / J.
TEST(JointFriction, hinge_brakes_a_wheel) {
  struct Case {
    std::string axis, options;
    double moment_per_weight;  ///< friction moment / (mu m g)
  };
  // The weight acts across the axis, along it, or with a lever of 0.1 m besides.
  const Case cases[] = {{"[0, 0, 1]", "", 0.02},
                        {"[0, 1, 0]", "", 0.0},
                        {"[0, 1, 0]", ", thrust-radius: 30 mm", 0.03},
                        {"[0, 0, 1]", ", bending-arm: 50 mm", 0.02 * (1.0 + 0.1 / 0.05)}};
  for (const Case& c : cases) {
    const bool lever = c.options.find("bending") != std::string::npos;
    const std::string spin = c.axis == "[0, 0, 1]" ? "[0, 0, 10]" : "[0, 10, 0]";
    AnalysisRun run(with_law(
        regularised, "bodies: {wheel: {rigid: {mass: 5 kg, inertia: [0.5, 0.5, 0.5], at: [0, 0, " +
                         std::string(lever ? "0.1" : "0") + "], velocity: [0, 0, 0], angular-velocity: " + spin +
                         "}}}\njoints: {axle: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: " + c.axis +
                         ", friction: {law: dry, radius: 20 mm" + c.options +
                         "}}}}\nanalysis: {dynamic: {end: 2 s, step: 1 ms}}\n"));
    run.run();
    const double brake = 0.2 * 5.0 * g * c.moment_per_weight / 0.5;
    EXPECT_NEAR(run.last().state.twist[0].tail<3>().norm(), 10.0 - 2.0 * brake, 1e-4) << c.axis << c.options;
    EXPECT_LT(ledger_gap(run), 1e-11);
  }
}

// Protects: friction with three directions of slip. A ball joint brakes a spin about any axis against that axis, and
// true stick holds it afterwards.
TEST(JointFriction, ball_joint_brakes_a_spin) {
  AnalysisRun run(with_law(coulomb,
                           "bodies: {ball: {rigid: {mass: 5 kg, inertia: [0.1, 0.1, 0.1], at: [0, 0, 0], "
                           "angular-velocity: [3, 4, 0]}}}\njoints: {socket: {spherical: {between: [ground, ball], at: "
                           "[0, 0, 0], friction: {law: dry, radius: 50 mm}}}}\nanalysis: {dynamic: {end: 2 s, step: 5 "
                           "ms}}\n"));
  run.run();
  const double brake = 0.2 * 5.0 * g * 0.05 / 0.1;
  ASSERT_EQ(times_of(run, "stick").size(), 1u);
  EXPECT_NEAR(times_of(run, "stick")[0], 5.0 / brake, 1e-4);
  EXPECT_LT(run.last().state.twist[0].norm(), 1e-12);
  EXPECT_LT(ledger_gap(run), 1e-12);
}

// Protects: what a screw-like slip does in a sleeve: the friction force is along the slip, not along the axis.
TEST(JointFriction, sleeve_shares_friction_between_sliding_and_turning) {
  // v = r w: both components brake equally, each by 1/sqrt(2).
  AnalysisRun run(with_law(coulomb,
                           "bodies: {sleeve: {rigid: {mass: 2 kg, inertia: [0.02, 1, 1], at: [0, 0, 0], velocity: [1, "
                           "0, 0], angular-velocity: [10, 0, 0]}}}\njoints: {rod: {cylindrical: {between: [ground, "
                           "sleeve], at: [0, 0, 0], axis: [1, 0, 0], friction: {law: dry, radius: 0.1 m}}}}\nanalysis: "
                           "{dynamic: {end: 0.2 s, step: 1 ms}}\n"));
  run.run();
  const double brake = 0.2 * g / std::sqrt(2.0);
  const Vec6& twist = run.last().state.twist[0];
  EXPECT_NEAR(twist[0], 1.0 - 0.2 * brake, 5e-6);
  EXPECT_NEAR(0.1 * twist[3], 1.0 - 0.2 * brake, 5e-6);
}

// Protects: Newton's method with friction: a wrong derivative by slip, by the normal force or of the geometry shows as
// slow convergence of a mechanism whose friction follows from its own reactions.
TEST(JointFriction, newton_converges_with_every_law) {
  const std::string laws[] = {coulomb,
                              regularised,
                              "piecewise-coulomb: {static: 0.3, kinetic: 0.2, velocity: 1 mm/s}",
                              "stribeck: {static: 0.3, kinetic: 0.2, stribeck-velocity: 1 mm/s, velocity: 0.1 mm/s}",
                              "brown-mcphee: {static: 0.3, kinetic: 0.2, stribeck-velocity: 1 mm/s}",
                              "dahl: {coefficient: 0.2, sigma0: 1e5 1/m, velocity: 1 mm/s}",
                              "lugre: {static: 0.3, kinetic: 0.2, sigma0: 1e5 1/m, sigma1: 300 s/m, stribeck-velocity: "
                              "1 mm/s}"};
  for (const std::string& law : laws) {
    AnalysisRun run(with_law(
        law,
        "bodies:\n  crank: {rigid: {mass: 1 kg, inertia: 0.01 kg*m^2, at: [0.1, 0, 0], points: {tip: [0.1, 0, 0]}}}\n"
        "  rod: {rigid: {mass: 1 kg, inertia: 0.02 kg*m^2, at: [0.5, 0, 0], points: {a: [-0.3, 0, 0], b: [0.3, 0, "
        "0]}}}\n  slider: {rigid: {mass: 1 kg, inertia: 0.01 kg*m^2, at: [0.8, 0, 0]}}\njoints:\n  shaft: {revolute: "
        "{between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], friction: {law: dry, radius: 10 mm}}}\n  pin: "
        "{revolute: {between: [crank.tip, rod.a], axis: [0, 0, 1], friction: {law: dry, radius: 10 mm}}}\n  ball: "
        "{spherical: {between: [rod.b, slider], at: [0.8, 0, 0], friction: {law: dry, radius: 10 mm}}}\n  guide: "
        "{prismatic: {between: [ground, slider], at: [0.8, 0, 0], axis: [1, 0, 0], friction: {law: dry}}}\nloads: "
        "{motor: {torque: {on: crank, value: [0, 0, 5 N*m]}}}\nanalysis: {dynamic: {end: 0.3 s, step: 0.5 ms}}\n"));
    run.run();
    EXPECT_LT(run.statistics.newton_iterations, 8 * run.statistics.steps) << law;
    EXPECT_LT(ledger_gap(run), 1e-11) << law;
    EXPECT_GT(run.last().ledger.friction_loss, 0.0) << law;
  }
}

}  // namespace
}  // namespace freeplay
