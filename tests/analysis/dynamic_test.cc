#include "freeplay/analysis/dynamic.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/analysis_testing.h"
#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

constexpr double same_time = 1e-14;  // round-off of times and steps up to 0.1 s

/// A pendulum of a point mass with the given keys of the dynamic analysis and of the output.
std::string pendulum(const std::string& analysis, const std::string& output = "{every: 0.1}") {
  return R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: 1, at: [-1, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}}
analysis: {dynamic: {)yaml" +
         analysis + "}}\noutput: " + output + "\n";
}

// Protects: rows are at exact multiples of the interval, whatever the step, and at the end.
TEST(DynamicAnalysis, fixed_step_hits_output_times_exactly) {
  AnalysisRun run(pendulum("end: 0.105, step: 3 ms", "{every: 10 ms, paraview: {every: 25 ms}}"));
  EXPECT_EQ(run.run(), RunEnd::finished);
  ASSERT_EQ(run.observer.rows.size(), 12u);
  for (int k = 0; k <= 10; ++k) EXPECT_EQ(run.observer.rows[k].state.time, k * 0.01);
  EXPECT_EQ(run.last().state.time, 0.105);
  EXPECT_EQ(run.observer.picture_times.size(), 6u);  // 0, 25, 50, 75, 100 and 105 ms
  EXPECT_EQ(run.observer.picture_times[3], 3 * 0.025);
  // Steps are never longer than asked for, and equal on the way to the next output.
  for (const double dt : run.observer.steps) EXPECT_LE(dt, 3e-3 + same_time);
  EXPECT_EQ(run.statistics.steps, static_cast<long>(run.observer.steps.size()));
}

// Protects: a step that divides the interval is taken as it is.
TEST(DynamicAnalysis, fixed_step_is_the_users_step) {
  AnalysisRun run(pendulum("end: 0.1, step: 1 ms", "{every: 10 ms}"));
  run.run();
  EXPECT_EQ(run.statistics.steps, 100);
  for (const double dt : run.observer.steps) EXPECT_NEAR(dt, 1e-3, same_time);
}

// Protects: steps end at the corners of a load's table; then the impulse of the load is exact.
TEST(DynamicAnalysis, corners_of_a_load_are_hit) {
  for (const std::string step : {"step: 5 ms", "tolerance: 1e-2"}) {
    AnalysisRun run(R"yaml(freeplay: 1
bodies: {stone: {rigid: {mass: 2, inertia: 0.1, at: [0, 0, 0]}}}
loads: {push: {force: {on: stone, value: [{table: [[0, 0], [0.0123, 50], [0.0217, -10], [0.05, 20]]}, 0, 0]}}}
analysis: {dynamic: {end: 0.1, )yaml" +
                    step + "}}\noutput: {every: 0.1}\n");
    run.run();
    for (const double corner : {0.0123, 0.0217, 0.05}) {
      const auto hit = std::find_if(run.observer.step_ends.begin(), run.observer.step_ends.end(),
                                    [&](double t) { return std::abs(t - corner) < same_time; });
      EXPECT_NE(hit, run.observer.step_ends.end()) << corner;
    }
    const double impulse = 0.0123 * 25.0 + 0.0094 * 20.0 + 0.0283 * 5.0 + 0.05 * 20.0;
    constexpr double round_off = 1e-13;  // of 20 steps
    EXPECT_NEAR(run.last().state.twist[0][0], impulse / 2.0, round_off);
  }
}

// Protects: corners of a drive are hit too.
TEST(DynamicAnalysis, corners_of_a_drive_are_hit) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 2, inertia: 0.1, at: [0, 0, 0]}}}
joints:
  shaft: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: {table: [[0, 0], [0.0123, 0.01], [0.1, 0.2]]}}}}
analysis: {dynamic: {end: 0.05, step: 5 ms}}
output: {every: 0.05}
)yaml");
  run.run();
  const auto& ends = run.observer.step_ends;
  EXPECT_TRUE(std::any_of(ends.begin(), ends.end(), [](double t) { return std::abs(t - 0.0123) < same_time; }));
}

/// Error of the position of the pendulum after one second (IFToMM A01).
double pendulum_error(AnalysisRun& run) {
  return (run.last().state.pose[0].x - Vec3(0.986291751132, -0.165010853126, 0.0)).norm();
}

// Protects: the tolerance controls the error: a smaller one gives a smaller error, about in proportion, for more steps.
TEST(DynamicAnalysis, error_falls_with_the_tolerance) {
  double last_error = 1.0;
  long last_steps = 0;
  for (const std::string tolerance : {"1e-3", "1e-4", "1e-5", "1e-6"}) {
    AnalysisRun run(pendulum("end: 1, tolerance: " + tolerance, "{every: 1}"));
    run.run();
    const double error = pendulum_error(run);
    EXPECT_LT(error, 0.3 * last_error) << tolerance;
    EXPECT_LT(error, 100.0 * std::stod(tolerance));
    EXPECT_GT(run.statistics.steps, 1.5 * last_steps) << tolerance;
    last_error = error;
    last_steps = run.statistics.steps;
  }
}

// Protects: limits of the step hold.
TEST(DynamicAnalysis, controlled_step_keeps_its_limits) {
  AnalysisRun run(pendulum("end: 1, tolerance: 1, max-step: 20 ms, initial-step: 1 ms", "{every: 1}"));
  run.run();
  EXPECT_NEAR(run.observer.steps.front(), 1e-3, same_time);
  EXPECT_LE(run.statistics.largest_step, 0.02 + same_time);
  EXPECT_GT(run.statistics.largest_step, 0.015);
}

// Protects: the step limit ends the run with a message, and what was computed is saved.
TEST(DynamicAnalysis, step_limit_is_a_numerical_failure) {
  AnalysisRun run(pendulum("end: 1, step: 1 ms, max-steps: 7", "{every: 1 ms}"));
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "max-steps"));
  EXPECT_TRUE(contains(message, "t = 0.007 s"));
  EXPECT_EQ(run.observer.rows.size(), 8u);
  EXPECT_FALSE(run.observer.saved.empty());
}

// Protects: a drive beyond the reach of the mechanism ends the run with time and joint, not with an endless loop.
TEST(DynamicAnalysis, impossible_drive_is_a_numerical_failure) {
  AnalysisRun run(input_model("tests/numerical_failure/drive_beyond_reach.yaml"));
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "t = 0.")) << message;
  EXPECT_TRUE(contains(message, "cannot be solved")) << message;
  EXPECT_GT(run.last().state.time, 0.28);
  EXPECT_LT(run.last().state.time, 0.301);
}

// Protects: a smallest step that does not do is reported instead of going on with a wrong result.
TEST(DynamicAnalysis, smallest_step_is_a_numerical_failure) {
  AnalysisRun run(pendulum("end: 1, tolerance: 1e-9, initial-step: 0.1, min-step: 0.05"));
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "local error")) << message;
}

// Protects: a run whose forces are lost in round-off is not called finished. (Still stiffer sections are refused.)
TEST(DynamicAnalysis, open_energy_balance_is_a_numerical_failure) {
  for (const std::string stiffness : {"1e20", "1e21"}) {
    SCOPED_TRACE(stiffness);
    AnalysisRun run(
        "freeplay: 1\ngravity: [0, -9.81, 0]\nsections: {strip: {stiffness: {axial: 1e6, shear: 380e3, bending: " +
        stiffness + ", torsion: " + stiffness + R"yaml(}, mass: 1, rotary: [1e-4, 1e-4, 2e-4]}}
bodies: {beam: {beam: {section: strip, from: [0, 0, 0], to: [1, 0, 0], elements: 4, degree: 4}}}
joints: {pin: {revolute: {between: [ground, beam.start], axis: [0, 0, 1]}}}
analysis: {dynamic: {end: 0.1, step: 0.5 ms}}
)yaml");
    EXPECT_THROW(run.run(), NumericalFailure);
  }
}

// Protects: an interrupted run goes on from its last fresh start as if nothing had happened, to the last bit.
TEST(DynamicAnalysis, continued_run_repeats_the_uninterrupted_one) {
  const std::string text = R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  a: {rigid: {mass: 1, inertia: [0.1, 0.2, 0.15], at: [0.5, 0, 0], angular-velocity: [3, 1, -2]}}
  b: {rigid: {mass: 2, inertia: [0.2, 0.1, 0.2], at: [1.5, 0, 0]}}
joints: {ball: {spherical: {between: [ground, a], at: [0, 0, 0]}}}
springs:
  mount: {bushing: {between: [a, b], at: [1, 0, 0], stiffness: [1e4, 2e4, 3e4, 100, 200, 300]}}
  wind: {torsional: {between: [ground, a], axis: [0, 0, 1], stiffness: 3}}
analysis: {dynamic: {end: 0.3, tolerance: 1e-4}}
output: {every: 0.01}
)yaml";
  constexpr long often = 10;
  AnalysisRun whole(text);
  whole.steps_between_fresh_starts = often;
  EXPECT_EQ(whole.run(), RunEnd::finished);
  AnalysisRun first(text);
  first.steps_between_fresh_starts = often;
  first.observer.stop_after_steps = 37;
  EXPECT_EQ(first.run(), RunEnd::interrupted);
  ASSERT_FALSE(first.observer.saved.empty());
  AnalysisRun second(text);
  second.steps_between_fresh_starts = often;
  second.continuation = first.observer.saved.back();
  EXPECT_EQ(second.continuation->statistics.steps, 30);
  EXPECT_EQ(second.run(), RunEnd::finished);
  EXPECT_EQ(second.statistics.steps, whole.statistics.steps);
  EXPECT_EQ(second.statistics.newton_iterations, whole.statistics.newton_iterations);
  EXPECT_EQ(second.last().state.time, whole.last().state.time);
  for (int n = 0; n < 2; ++n) EXPECT_EQ(second.last().state.pose[n].x, whole.last().state.pose[n].x);
  EXPECT_EQ(second.last().state.internal[0], whole.last().state.internal[0]);
  EXPECT_EQ(second.last().ledger.initial, whole.last().ledger.initial);
  EXPECT_EQ(second.last().ledger.numerical_loss, whole.last().ledger.numerical_loss);
}

// Protects: a mechanism that starts in a singular position, where an equation that it needs looks redundant, takes that
// equation back as soon as it is missed.
TEST(DynamicAnalysis, redundant_equations_are_found_anew) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies:
  crank: {rigid: {mass: 1, inertia: 0.1, at: [0.5, 0, 0], angular-velocity: [0, 0, 1], points: {B: [0.5, 0, 0]}}}
  coupler: {rigid: {mass: 1, inertia: 0.1, at: [2, 0, 0], points: {C: [1, 0, 0]}}}
  rocker: {rigid: {mass: 1, inertia: 0.1, at: [2.5, 0, 0], angular-velocity: [0, 0, 1], points: {D: [-0.5, 0, 0]}}}
joints:
  A: {revolute: {between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}
  B: {revolute: {between: [crank, coupler], at: [1, 0, 0], axis: [0, 0, 1]}}
  C: {revolute: {between: [coupler, rocker], at: [3, 0, 0], axis: [0, 0, 1]}}
  D: {revolute: {between: [ground, rocker], at: [2, 0, 0], axis: [0, 0, 1]}}
analysis: {dynamic: {end: 0.4, step: 1 ms}}
output: {every: 0.1}
)yaml");
  EXPECT_EQ(run.report().redundant.size(), 4u);  // flat: one more than a four-bar has
  EXPECT_EQ(run.run(), RunEnd::finished);
  ASSERT_FALSE(run.observer.messages.empty());
  EXPECT_TRUE(contains(run.observer.messages[0], "redundant equations"));
  constexpr double missed = 1e-8;  // an equation is missed when it is off by 1e-9 of the size of the model
  EXPECT_LT((run.position("rocker.D", run.last()) - Vec3(2.0, 0.0, 0.0)).norm(), 1e-3 * missed);  // closed again
  EXPECT_LT(run.last().ledger.relative_residual(), missed);
  EXPECT_LT(run.last().state.pose[0].x.y(), -0.1);
}

// Protects: accelerations and reactions in the rows belong to the instant of the row.
TEST(DynamicAnalysis, rows_have_instantaneous_accelerations_and_reactions) {
  AnalysisRun run(pendulum("end: 0.5, step: 1 ms", "{every: 0.1}"));
  run.run();
  constexpr double solved = 1e-9;
  for (const auto& row : run.observer.rows) {
    const Vec3& x = row.state.pose[0].x;
    const double w = row.state.twist[0][5];
    EXPECT_NEAR(row.twist_rate[0][5], -9.81 * x.x(), solved);  // moment of gravity over m l^2
    // A point mass on a massless rod is held by a force along the rod: m (w^2 l - g . x / l).
    EXPECT_NEAR(std::hypot(row.multipliers[0], row.multipliers[1]), std::abs(w * w - 9.81 * x.y()), solved);
  }
}

// Protects: a body that turns faster than any step that time can resolve is a failure that names it, and not a search
// for ever smaller steps.
TEST(DynamicAnalysis, steps_below_the_resolution_of_time_are_not_tried) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, angular-velocity: [0, 0, 1e30], free: true}}}
analysis: {dynamic: {end: 1}}
)yaml");
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "t = 0 s: the step cannot be solved, even with dt = 1e-14 s")) << message;
  EXPECT_TRUE(contains(message, "body 'wheel'")) << message;
}

// Protects: a row interval that is nothing beside the time makes no step of no length: there is a row at each step.
TEST(DynamicAnalysis, interval_below_the_resolution_of_time) {
  AnalysisRun run(pendulum("end: 1, step: 0.1", "{every: 1e-19, paraview: {every: 1e-19}}"));
  EXPECT_EQ(run.run(), RunEnd::finished);
  EXPECT_EQ(run.last().state.time, 1.0);
  EXPECT_TRUE(run.last().state.pose[0].x.allFinite());
  for (const double dt : run.observer.steps) EXPECT_GT(dt, 0.0);
}

// Protects: no time is too short for an analysis. A stone at 2 m/s flies 2e-16 m in 1e-16 s.
TEST(DynamicAnalysis, very_short_analysis) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {stone: {rigid: {mass: 1, inertia: 0.1, velocity: [2, 0, 0], free: true}}}
analysis: {dynamic: {end: 1e-16}}
output: {every: 1e-17}
)yaml");
  EXPECT_EQ(run.run(), RunEnd::finished);
  EXPECT_EQ(run.observer.rows.size(), 11u);
  EXPECT_NEAR(run.last().state.pose[0].x[0], 2e-16, 1e-28);
}

}  // namespace
}  // namespace freeplay
