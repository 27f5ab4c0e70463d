#include <gtest/gtest.h>

#include <cmath>

#include "analysis/analysis_testing.h"
#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

constexpr double r = 0.1, l = 0.3;
constexpr double interval = 0.01;

// The crank starts at 0.4 rad; its angle from there is 6 t + 0.3 sin(3 t): more than a turn.
const char* const slider_crank = R"yaml(freeplay: 1
gravity: [0.5, -9.81, 0]
parameters: {r: 0.1, l: 0.3, a: 0.4, x: "${r}*cos(${a})", y: "${r}*sin(${a})", end: "${x} + sqrt(${l}^2 - ${y}^2)"}
bodies:
  crank: {rigid: {mass: 1, inertia: [0.001, 0.002, 0.003], centre: [0.03, 0.01, 0], at: [0, 0, 0]}}
  rod: {rigid: {mass: 0.7, inertia: [0.001, 0.002, 0.003], centre: [0.1, 0, 0.02], at: ["${x}", "${y}", 0]}}
  slider: {rigid: {mass: 0.5, inertia: 0.001, at: ["${end}", 0, 0]}}
joints:
  shaft: {revolute: {between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "6*t + 0.3*sin(3*t)"}}}
  pin: {revolute: {between: [crank, rod], at: ["${x}", "${y}", 0], axis: [0, 0, 1]}}
  wrist: {revolute: {between: [rod, slider], at: ["${end}", 0, 0], axis: [0, 0, 1]}}
  guide: {prismatic: {between: [ground, slider], at: ["${end}", 0, 0], axis: [1, 0, 0]}}
analysis: {kinematic: {end: 1.5}}
output: {every: 0.01}
)yaml";

struct Motion1 {
  double position, velocity, acceleration;
};

Motion1 drive(double t) {
  return {6.0 * t + 0.3 * std::sin(3.0 * t), 6.0 + 0.9 * std::cos(3.0 * t), -2.7 * std::sin(3.0 * t)};
}

Motion1 slider(double t) {
  const Motion1 angle = drive(t);
  const double s = std::sin(0.4 + angle.position), c = std::cos(0.4 + angle.position);
  const double q = std::sqrt(l * l - r * r * s * s);
  const double first = -r * s - r * r * s * c / q;
  const double second = -r * c - r * r * (c * c - s * s) / q - std::pow(r, 4) * s * s * c * c / std::pow(q, 3);
  return {r * c + q, first * angle.velocity, second * angle.velocity * angle.velocity + first * angle.acceleration};
}

// Protects: positions, velocities and accelerations of a driven mechanism, in closed form, over more than a turn.
TEST(KinematicAnalysis, slider_crank_in_closed_form) {
  constexpr double round_off = 1e-11;
  AnalysisRun run(slider_crank);
  EXPECT_EQ(run.run(), RunEnd::finished);
  ASSERT_EQ(run.observer.rows.size(), 151u);
  for (std::size_t k = 0; k < run.observer.rows.size(); ++k) {
    const auto& row = run.observer.rows[k];
    EXPECT_DOUBLE_EQ(row.state.time, k * interval);
    const Motion1 expected = slider(row.state.time);
    EXPECT_NEAR(row.state.pose[2].x.x(), expected.position, round_off);
    EXPECT_NEAR(row.state.twist[2][0], expected.velocity, 10.0 * round_off);
    EXPECT_NEAR(row.twist_rate[2][0], expected.acceleration, 100.0 * round_off);
    EXPECT_NEAR(row.state.twist[0][5], drive(row.state.time).velocity, 10.0 * round_off);
    EXPECT_NEAR(row.twist_rate[0][5], drive(row.state.time).acceleration, 100.0 * round_off);
  }
}

int driven_equation(const Model& model) {
  for (const Joint& joint : model.joints)
    for (std::size_t k = 0; k < joint.equations.size(); ++k)
      if (joint.equations[k].is_driven()) return joint.first_equation + static_cast<int>(k);
  throw std::logic_error("no drive");
}

// Protects: the drive moment of inverse dynamics: its power is the rate of the energy of the mechanism.
TEST(KinematicAnalysis, drive_power_is_the_rate_of_energy) {
  AnalysisRun run(slider_crank);
  run.run();
  const int equation = driven_equation(run.model());
  const auto energy = [&](std::size_t k) { return run.observer.rows[k].ledger.total(); };
  double largest = 0.0;
  constexpr double fourth_order = 2e-3;  // h^4/30 times the fifth derivative, at angular frequencies up to about 20
  for (std::size_t k = 2; k + 2 < run.observer.rows.size(); ++k) {
    const auto& row = run.observer.rows[k];
    const double power = -row.multipliers[equation] * drive(row.state.time).velocity;
    const double rate = (8.0 * (energy(k + 1) - energy(k - 1)) - (energy(k + 2) - energy(k - 2))) / (12.0 * interval);
    largest = std::max(largest, std::abs(power));
    EXPECT_NEAR(power, rate, fourth_order);
  }
  EXPECT_GT(largest, 1.0);
}

// Protects: that this is a statement about the difference quotient only: it converges with its fourth order.
TEST(KinematicAnalysis, drive_power_converges_to_the_rate_of_energy) {
  const auto error = [](const std::string& every) {
    AnalysisRun run(read_model_text(slider_crank, "test.yaml", {{"output.every", every}}));
    run.run();
    const int equation = driven_equation(run.model());
    const double h = run.observer.rows[1].state.time;
    const std::size_t k = static_cast<std::size_t>(std::lround(0.4 / h));
    const auto energy = [&](std::size_t i) { return run.observer.rows[i].ledger.total(); };
    const double rate = (8.0 * (energy(k + 1) - energy(k - 1)) - (energy(k + 2) - energy(k - 2))) / (12.0 * h);
    return std::abs(-run.observer.rows[k].multipliers[equation] * drive(0.4).velocity - rate);
  };
  constexpr double around = 0.1;
  EXPECT_NEAR(order(error("0.008"), error("0.004")), 4.0, around);
}

// Protects: a torsional spring is wound up by the drive, turn after turn, and the drive carries its moment.
TEST(KinematicAnalysis, drive_winds_up_a_torsional_spring) {
  constexpr double stiffness = 5.0;
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}
joints: {shaft: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "10*t"}}}}
springs: {wind: {torsional: {between: [ground, wheel], axis: [0, 0, 1], stiffness: 5}}}
analysis: {kinematic: {end: 1}}
output: {every: 0.1}
)yaml");
  run.run();
  const int equation = driven_equation(run.model());
  constexpr double round_off = 1e-10;
  for (const auto& row : run.observer.rows) {
    const double angle = 10.0 * row.state.time;
    EXPECT_NEAR(-row.multipliers[equation], stiffness * angle, round_off);
    EXPECT_NEAR(row.ledger.elastic, 0.5 * stiffness * angle * angle, 10.0 * round_off);
  }
}

// Protects: dynamics and kinematics of a fully driven mechanism agree.
TEST(KinematicAnalysis, dynamics_of_the_driven_mechanism_agrees) {
  ModelSpec spec = read_model_text(slider_crank, "test.yaml");
  spec.analysis.kind = AnalysisSpec::Kind::dynamic;
  spec.analysis.end = 0.5;
  spec.analysis.step = 1e-3;
  AnalysisRun run(spec);
  run.run();
  const Motion1 expected = slider(0.5);
  constexpr double round_off = 1e-10;  // a driven mechanism has no freedom to be inaccurate at the ends of its steps
  EXPECT_NEAR(run.last().state.pose[2].x.x(), expected.position, round_off);
  EXPECT_NEAR(run.last().state.twist[2][0], expected.velocity, round_off);
  EXPECT_NEAR(run.last().twist_rate[2][0], expected.acceleration, 100.0 * round_off);
}

// Protects: a mechanism with freedom left has no kinematic analysis, and the message says how much is left.
TEST(KinematicAnalysis, freedom_is_an_input_error) {
  const std::string message = message_of<InputError>([] {
    AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}
joints: {shaft: {cylindrical: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "10*t"}}}}
analysis: {kinematic: {end: 1}}
)yaml");
    run.run();
  });
  EXPECT_TRUE(contains(message, "1 degrees of freedom are left")) << message;
}

// Protects: a drive beyond the reach of the mechanism is reported with time and joint.
TEST(KinematicAnalysis, impossible_drive_is_a_numerical_failure) {
  AnalysisRun run(input_model("tests/numerical_failure/drive_beyond_reach_kinematic.yaml"));
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "t = 0.")) << message;
  EXPECT_TRUE(contains(message, "joint '")) << message;
}

// Protects: a drive that turns faster than time can resolve is a failure, and not a run without end.
TEST(KinematicAnalysis, drive_that_is_too_fast_is_a_numerical_failure) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}
joints: {shaft: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "1e30*t"}}}}
analysis: {kinematic: {end: 1}}
)yaml");
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "t = 0 s: a body turns so fast (1e+30 rad/s)")) << message;
}

/// Has seen enough after some rows.
class FewRows : public RecordingObserver {
 public:
  bool interrupted() const override { return rows.size() >= 5; }
};

// Protects: a row interval that is nothing beside the time means very many rows, not none: their number fits no
// integer.
TEST(KinematicAnalysis, interval_below_the_resolution_of_time) {
  const ModelSpec spec = read_model_text(slider_crank, "test.yaml", {{"output.every", "1e-25"}});
  Assembled assembled = assemble(spec);
  FewRows observer;
  EXPECT_EQ(run_kinematic(assembled, spec.analysis, spec.output, test_solvers(), observer), RunEnd::interrupted);
  ASSERT_EQ(observer.rows.size(), 5u);
  EXPECT_GT(observer.rows.back().state.time, 0.0);
}

}  // namespace
}  // namespace freeplay
