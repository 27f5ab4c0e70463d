#include <gtest/gtest.h>

#include <cmath>

#include "analysis_testing.h"

namespace freeplay {
namespace {

constexpr double tolerance = 1e-4;  // the default, which these models do not name

std::string flywheel(const std::string& more) {
  return R"yaml(freeplay: 1
ground: {points: {O: [0, 0, 0]}}
bodies:
  wheel: {rigid: {mass: 5 kg, inertia: 0.05, at: [0, 0, 0], points: {O: [0, 0, 0]}, angular-velocity: [0, 0, 200]}}
joints: {hinge: {revolute: {between: [ground.O, wheel.O], axis: [0, 0, 1]}}}
)yaml" + more;
}

double counted_angle(const AnalysisRun& run) {
  return internal_of(run.model(), run.last().state, run.model().joints[0].angle)[0];
}

// Protects: a flywheel at constant speed has turned by speed times time, counted over all turns, whatever the interval
// of the rows is. (With an estimate made of body-fixed twists it was 5 % behind at any tolerance.)
TEST(Tolerance, flywheel) {
  for (const std::string every : {"0.5", "0.01", "1e-3"}) {
    AnalysisRun run(flywheel("analysis: {dynamic: {end: 1}}\noutput: {every: " + every + "}\n"));
    ASSERT_EQ(run.run(), RunEnd::finished);
    EXPECT_NEAR(counted_angle(run), 200.0, 1.01 * tolerance * 200.0) << every;
    EXPECT_GT(std::abs(counted_angle(run) - 200.0), 1e-3 * tolerance * 200.0) << "far more steps than needed";
  }
}

// Protects: under a constant torque the angle is M t^2/(2 J), and the work of the torque is M times the angle.
TEST(Tolerance, spin_up) {
  std::string text =
      flywheel("loads: {M: {torque: {on: wheel, value: [0, 0, 2 N*m]}}}\nanalysis: {dynamic: {end: 5}}\n");
  text.replace(text.find("[0, 0, 200]"), 11, "[0, 0, 0]");
  AnalysisRun run(text);
  ASSERT_EQ(run.run(), RunEnd::finished);
  EXPECT_NEAR(counted_angle(run), 500.0, tolerance * 500.0);
  EXPECT_NEAR(run.last().state.twist[0][5], 200.0, 1e-9);
  EXPECT_NEAR(run.last().ledger.load_work, 2.0 * counted_angle(run), 2.0 * tolerance * 1000.0);
}

// Protects: a body that spins and flies is where its momentum says.
TEST(Tolerance, spinning_flight) {
  AnalysisRun run(std::string(R"yaml(freeplay: 1
bodies:
  d: {rigid: {mass: 1, inertia: [1e-3, 1e-3, 2e-3], at: [0, 0, 0], velocity: [10, 0, 0], angular-velocity: [0, 0, 100], free: true}}
analysis: {dynamic: {end: 1}}
)yaml"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  EXPECT_NEAR(run.last().state.pose[0].x.x(), 10.0, tolerance * 10.0);
}

// Protects: an angle counts turns also under a drive, and back.
TEST(Tolerance, angle_counts_turns_to_and_fro) {
  std::string text = flywheel("analysis: {dynamic: {end: 2}}\n");
  text.replace(text.find("axis: [0, 0, 1]"), 15, "axis: [0, 0, 1], drive: {angle: \"20*sin(pi*t/2)\"}");
  text.replace(text.find(", angular-velocity: [0, 0, 200]"), 31, "");
  AnalysisRun run(text);
  ASSERT_EQ(run.run(), RunEnd::finished);
  double largest = 0.0;
  for (const auto& row : run.observer.rows)
    largest = std::max(largest, internal_of(run.model(), row.state, run.model().joints[0].angle)[0]);
  EXPECT_NEAR(largest, 20.0, 1e-4);
  EXPECT_NEAR(counted_angle(run), 0.0, 1e-9);
}

// Protects: what stiffness and joints do to a light body does not rule the step. An unbalanced wheel of 10 kg in a
// housing of 0.1 kg on springs needs the steps that its rotation asks for, not those of the housing alone, which would
// be ten times as many. The amplitude is that of linear theory at the speed that the wheel then has.
TEST(Tolerance, light_housing_of_a_heavy_wheel) {
  AnalysisRun run(std::string(R"yaml(freeplay: 1
parameters: {k: 111.35 kN/m, c: 42 N*s/m, e: 0.1 mm}
ground: {points: {O: [0, 0, 0]}}
bodies:
  housing: {rigid: {mass: 0.1 kg, inertia: 1e-3, at: [0, 0, 0], points: {O: [0, 0, 0]}, fix: [z, rx, ry, rz]}}
  wheel: {rigid: {mass: 10 kg, inertia: 1, at: [0, 0, 0], centre: ["${e}", 0, 0], points: {O: [0, 0, 0]}, angular-velocity: [0, 0, 100], fix: [z, rx, ry]}}
joints: {b: {revolute: {between: [housing.O, wheel.O], axis: [0, 0, 1]}}}
springs:
  mount: {bushing: {between: [ground.O, housing.O], stiffness: ["${k}", "${k}", 0, 0, 0, 0], damping: ["${c}", "${c}", 0, 0, 0, 0]}}
analysis: {dynamic: {end: 4 s}}
output: {every: 0.1 s}
)yaml"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const double turns = 400.0 / (2.0 * M_PI);
  EXPECT_LT(run.statistics.steps, 1.5 * 181.0 * turns);
  const double w = run.last().state.twist[1][5];
  const double amplitude = 10.0 * 1e-4 * w * w / std::hypot(111350.0 - 10.1 * w * w, 42.0 * w);
  EXPECT_NEAR(run.last().state.pose[0].x.norm(), amplitude, 3e-3 * amplitude);
  const RunStatistics& s = run.statistics;
  EXPECT_EQ(s.ruled_by_motion + s.ruled_by_friction + s.ruled_by_contact + s.ruled_by_target + s.ruled_by_user,
            s.steps);
}

// Protects: a step does not pass over a contact. The ball flies up, and gravity alone gives the error no reason for
// short steps: without a guard it would turn round before the ceiling is noticed. It comes back at the speed at which
// it started, after the way up and down.
TEST(Tolerance, thrown_at_a_ceiling) {
  constexpr double g = 9.81, start = 6.0, height = 1.0;
  AnalysisRun run(std::string(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies: {ball: {rigid: {mass: 1, inertia: 1e-3, at: [0, 0, 0], velocity: [0, 0, 6], free: true}}}
contacts: {hard: {linear: {stiffness: 1e7}}}
joints: {ceiling: {ball-on-plane: {between: [ground, ball], at: [0, 0, 1], normal: [0, 0, -1], contact: hard}}}
analysis: {dynamic: {end: 0.5}}
output: {every: 0.5}
)yaml"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const double speed = std::sqrt(start * start - 2.0 * g * height);
  const double until = (start - speed) / g, contact = M_PI * std::sqrt(1e-7), after = 0.5 - until - contact;
  EXPECT_NEAR(run.last().state.pose[0].x.z(), height - speed * after - 0.5 * g * after * after, 3.0 * tolerance);
  EXPECT_GT(run.statistics.ruled_by_contact, 0);
}

// Protects: one number refines impacts. A ball that loses speed at each bounce: the time of the fifth touch follows
// from the speeds between, and its error falls with the tolerance.
TEST(Tolerance, refines_impacts) {
  const auto last_height = [](const std::string& tolerance) {
    AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies: {ball: {rigid: {mass: 1, inertia: 1e-3, at: [0, 0, 0.5], free: true}}}
contacts: {hard: {hunt-crossley: {stiffness: 1e7, exponent: 1, restitution: 0.9}}}
joints: {floor: {ball-on-plane: {between: [ground, ball], at: [0, 0, 0], normal: [0, 0, 1], contact: hard}}}
analysis: {dynamic: {end: 1.5, tolerance: )yaml" +
                    tolerance + "}}\noutput: {every: 0.5}\n");
    run.run();
    return run.last().state.pose[0].x.z();
  };
  const double fine = last_height("1e-7");
  const double coarse_error = std::abs(last_height("1e-3") - fine), error = std::abs(last_height("1e-5") - fine);
  EXPECT_LT(coarse_error, 1e-3 * 3.0);
  EXPECT_LT(error, 0.05 * coarse_error);
}

// Protects: the stiff vibration of a frame that swings is not followed where it is small beside the motion. A square of
// steel bars on a hinge: its lowest frequency is a hundred times that of the swing, and what its bending adds to the
// motion is less than the tolerance. (An estimate made of jumps took 12,000 steps.)
TEST(Tolerance, stiff_frame_swings) {
  AnalysisRun run(std::string(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
sections: {bar: {circle: {radius: 10 mm}, material: {E: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}}
bodies:
  top: {beam: {section: bar, from: [0, 0, 0], to: [0.5, 0, 0], elements: 2, velocity: [0,0,0], angular-velocity: [0, 0, 3]}}
  right: {beam: {section: bar, from: [0.5, 0, 0], to: [0.5, -0.5, 0], elements: 2, velocity: [0, 1.5, 0], angular-velocity: [0, 0, 3]}}
  bottom: {beam: {section: bar, from: [0.5, -0.5, 0], to: [0, -0.5, 0], elements: 2, velocity: [1.5, 1.5, 0], angular-velocity: [0, 0, 3]}}
  left: {beam: {section: bar, from: [0, -0.5, 0], to: [0, 0, 0], elements: 2, velocity: [1.5, 0, 0], angular-velocity: [0, 0, 3]}}
joints:
  hinge: {revolute: {between: [ground, top.start], axis: [0, 0, 1]}}
  a: {fixed: {between: [top.end, right.start]}}
  b: {fixed: {between: [right.end, bottom.start]}}
  c: {fixed: {between: [bottom.end, left.start]}}
  d: {fixed: {between: [left.end, top.start]}}
analysis: {dynamic: {end: 1 s}}
output: {every: 0.1 s}
)yaml"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  EXPECT_LT(run.statistics.steps, 250);
  const Vec3 converged(-0.6304357, -0.3204630, 0.0);  // with a tolerance of 1e-6
  constexpr double distance = 2.5;                    // of this corner [m], about
  EXPECT_LT((run.position("bottom.start", run.last()) - converged).norm(), tolerance * distance);
}

}  // namespace
}  // namespace freeplay
