#include <gtest/gtest.h>

#include <cmath>

#include "analysis/analysis_testing.h"
#include "analysis/beam_jacobian_testing.h"
#include "freeplay/scheme/step_equations.h"

namespace freeplay {
namespace {

std::string beam_model(const std::string& beam, const std::string& rest) {
  return "freeplay: 1\n"
         "sections:\n"
         "  s: {stiffness: {axial: 1e3, shear: 5e2, bending: 1, torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}\n"
         "bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], " +
         beam + "}}}\n" + rest;
}

struct BendingCase {
  int degree, elements;
  double error;  ///< of an independent implementation of the same element
};

class BentCantilever : public testing::TestWithParam<BendingCase> {};

// Protects: the beam element against an independent implementation, error by error, and with it the order 2p.
TEST_P(BentCantilever, has_the_known_error) {
  const BendingCase c = GetParam();
  AnalysisRun run(beam_model("elements: " + std::to_string(c.elements) + ", degree: " + std::to_string(c.degree) +
                                 ", fix: {start: [x, y, z, rx, ry, rz]}",
                             "loads: {M: {torque: {on: b.end, value: [0, 0, 2]}}}\nanalysis: {static: {}}\n"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const Pose tip = run.last().state.pose.back();
  const Vec3 along = tip.R.col(2);
  const double angle = std::atan2(along.y(), along.x());
  const double error = std::max({std::abs(tip.x.x() - std::sin(2.0) / 2.0),
                                 std::abs(tip.x.y() - (1.0 - std::cos(2.0)) / 2.0), std::abs(angle - 2.0)});
  constexpr double printed_digits = 0.025;  // two digits are known
  EXPECT_NEAR(error, c.error, printed_digits * c.error);
}

INSTANTIATE_TEST_SUITE_P(DegreesAndElements, BentCantilever,
                         testing::Values(BendingCase{1, 8, 9.4e-2}, BendingCase{1, 16, 2.1e-2},
                                         BendingCase{2, 4, 1.55e-3}, BendingCase{2, 8, 9.7e-5},
                                         BendingCase{3, 2, 2.45e-4}, BendingCase{3, 4, 3.4e-6},
                                         BendingCase{4, 2, 9.7e-7}, BendingCase{4, 4, 3.8e-9}),
                         [](const auto& info) {
                           return "p" + std::to_string(info.param.degree) + "_n" + std::to_string(info.param.elements);
                         });

struct JacobianCase {
  const char* name;
  int degree, elements;
  bool coupled;  ///< a section whose stiffness is a full matrix
};

class BeamJacobian : public testing::TestWithParam<JacobianCase> {};

// Protects: the tangent of the beam in the balance and in the jump, with damping, far from the reference.
TEST_P(BeamJacobian, matches_finite_differences) {
  const JacobianCase& c = GetParam();
  ModelSpec spec = read_model_text(beam_model("elements: " + std::to_string(c.elements) +
                                                  ", degree: " + std::to_string(c.degree) + ", damping: 0.03",
                                              "analysis: {dynamic: {end: 1}}\n"),
                                   "test.yaml");
  if (c.coupled) {
    Mat6& C = spec.sections[0].stiffness;
    for (int k = 0; k < 6; ++k)
      for (int l = 0; l < k; ++l) C(k, l) = C(l, k) = 0.02 * (k + 2 * l + 1);
  }
  expect_jacobian_matches_finite_differences(spec);
}

const std::string beam_with_joints = R"yaml(freeplay: 1
gravity: [0.3, -9.81, 1]
sections: {s: {stiffness: {axial: 1e3, shear: 5e2, bending: [1, 2], torsion: 0.8}, mass: 1, centre: [0.02, 0.01], rotary: [0.01, 0.01, 0.02]}}
bodies:
  ball: {rigid: {mass: 2, inertia: [0.1, 0.2, 0.25], at: [0, 0, 0], centre: [0.1, 0, 0.05]}}
  b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2, degree: 2, damping: 0.03, fix: {end: [x, y, z]}}}
joints: {pin: {revolute: {between: [ball, b.start], at: [0, 0, 0], axis: [0, 0, 1]}}}
analysis: {dynamic: {end: 1}}
)yaml";

// Protects: the same where nodes of a beam, some with fixed directions, lie side by side with rigid bodies and joints.
TEST(BeamWithJoints, jacobian_matches_finite_differences) {
  expect_jacobian_matches_finite_differences(read_model_text(beam_with_joints, "test.yaml"));
}

// Protects: what an element does at the end of a step in one go is what it does one after the other.
TEST(BeamWithJoints, conclusion_is_work_and_advance) {
  const Disturbed model(read_model_text(beam_with_joints, "test.yaml"));
  StepEquations equations(model.assembled.model, 0.7);
  equations.begin(model.state, 0.1);
  std::vector<double> u(equations.size()), r(equations.size());
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = 0.2 * std::sin(1.7 * static_cast<double>(k));
  equations.residual(u, r);
  const Motion& motion = equations.motion();
  int n_beams = 0;
  for (std::size_t e = 0; e < model.assembled.model.elements.size(); ++e) {
    const ForceElement& element = *model.assembled.model.elements[e];
    const auto start = internal_of(model.assembled.model, model.state, e);
    std::vector<double> at_once(start.begin(), start.end()), one_by_one = at_once;
    const StepWork conclusion = element.conclude(motion, start, at_once), work = element.work(motion, start);
    element.advance(motion, one_by_one);
    EXPECT_EQ(at_once, one_by_one);
    EXPECT_EQ(conclusion.damping_loss, work.damping_loss);
    EXPECT_EQ(conclusion.numerical_loss, work.numerical_loss);
    if (work.numerical_loss > 0.0 && work.damping_loss > 0.0) ++n_beams;
  }
  EXPECT_EQ(n_beams, 2);
}

INSTANTIATE_TEST_SUITE_P(Sections, BeamJacobian,
                         testing::Values(JacobianCase{"plain", 2, 2, false}, JacobianCase{"coupled", 2, 2, true},
                                         JacobianCase{"high_degree", 6, 1, false},
                                         JacobianCase{"high_degree_coupled", 6, 1, true}),
                         [](const auto& info) { return info.param.name; });

// Protects: converged tip positions on which several other programs agree, the ledger at every step, and that the
// energy never grows.
TEST(Beam, flexible_pendulum) {
  AnalysisRun run(input_model("input/flexible_pendulum.yaml", {{"analysis.dynamic.end", "0.5 s"}}));
  ASSERT_EQ(run.run(), RunEnd::finished);
  constexpr double wanted = 1e-5;
  double energy = run.observer.rows.front().ledger.total();
  for (const auto& row : run.observer.rows) {
    EXPECT_LE(row.ledger.total(), energy + 1e-12);
    energy = row.ledger.total();
    EXPECT_LT(row.ledger.relative_residual(), 1e-12);
    EXPECT_LT(row.ledger.largest_residual, 1e-12 * std::max(1.0, row.ledger.largest_energy));
    if (std::abs(row.state.time - 0.25) < 1e-9) {
      EXPECT_LT((run.position("beam.end", row) - Vec3(0.8976254, -0.4407738, 0.0)).norm(), wanted);
    }
  }
  EXPECT_LT((run.position("beam.end", run.last()) - Vec3(-0.0897708, -0.9959772, 0.0)).norm(), wanted);
}

// Protects: the same for the soft pendulum, as it comes to who chooses elements only: steps follow the error.
TEST(Beam, soft_pendulum) {
  AnalysisRun run(input_model("input/flexible_pendulum.yaml", {{"parameters.EI", "1 N*m^2"},
                                                               {"bodies.beam.beam.elements", "8"},
                                                               {"analysis.dynamic", "{end: 0.5 s, tolerance: 1e-5}"}}));
  ASSERT_EQ(run.run(), RunEnd::finished);
  constexpr double wanted = 1e-5;
  const auto row = std::ranges::find_if(run.observer.rows, [](const auto& r) { return r.state.time > 0.25 - 1e-9; });
  ASSERT_NEAR(row->state.time, 0.25, 1e-9);
  EXPECT_LT((run.position("beam.end", *row) - Vec3(0.9090161, -0.4071352, 0.0)).norm(), wanted);
  EXPECT_LT((run.position("beam.end", run.last()) - Vec3(-0.0594693, -0.9961258, 0.0)).norm(), wanted);
  EXPECT_LT(run.last().ledger.relative_residual(), 1e-13);
}

// Protects: the soft pendulum is solved with steps of 1e-2 s, at which other programs fail.
TEST(Beam, soft_pendulum_with_large_steps) {
  AnalysisRun run(
      input_model("input/flexible_pendulum.yaml", {{"parameters.EI", "1 N*m^2"}, {"analysis.dynamic.step", "10 ms"}}));
  ASSERT_EQ(run.run(), RunEnd::finished);
  EXPECT_EQ(run.statistics.rejected(), 0);
  EXPECT_LT(run.last().ledger.relative_residual(), 1e-12);
}

// Protects: what a step costs. With steps that resolve the vibration of the beam, four iterations are enough down to
// round-off, and most steps use an old factorisation.
TEST(Beam, soft_pendulum_needs_few_iterations) {
  AnalysisRun run(input_model("input/flexible_pendulum.yaml",
                              {{"parameters.EI", "1 N*m^2"}, {"analysis.dynamic", "{end: 0.25 s, tolerance: 1e-5}"}}));
  ASSERT_EQ(run.run(), RunEnd::finished);
  EXPECT_LT(run.statistics.newton_iterations, 4 * run.statistics.steps);
  EXPECT_LT(2 * run.statistics.factorisations, run.statistics.steps);
  EXPECT_LT(run.last().ledger.relative_residual(), 1e-13);
}

// Protects: what Newton's method leaves does not add up, because each step makes up for what the one before has left.
// Otherwise the ledger would open by 8e-10 here.
TEST(Beam, ledger_with_a_loose_tolerance) {
  AnalysisRun run(input_model("input/flexible_pendulum.yaml",
                              {{"parameters.EI", "1 N*m^2"},
                               {"bodies.beam.beam.elements", "3"},
                               {"analysis.dynamic", "{end: 1 s, step: 1 ms, newton: {tolerance: 1e-8}}"}}));
  ASSERT_EQ(run.run(), RunEnd::finished);
  EXPECT_LT(run.statistics.newton_iterations, 3 * run.statistics.steps);
  EXPECT_LT(run.last().ledger.relative_residual(), 1e-10);
}

// Protects: a steadily spinning, stretched beam stays in its relative equilibrium for any step: no jump, no loss.
TEST(Beam, steady_rotation_is_not_damped) {
  for (const double dt : {0.01, 0.1}) {
    Assembled assembled =
        assemble(read_model_text(beam_model("elements: 1, degree: 1", "analysis: {dynamic: {end: 1}}\n"), "test.yaml"));
    // Two nodes with half the mass each: 1e3 strain = m w^2 r, r = (1 + strain)/2.
    constexpr double w = 6.0, axial = 1e3, node_mass = 0.5;
    const double k = node_mass * w * w * 0.5 / axial;
    const double radius = 0.5 * (1.0 + k / (1.0 - k));
    for (int n = 0; n < 2; ++n) {
      const double x = n == 0 ? -radius : radius;
      assembled.state.pose[n].x = Vec3(x, 0.0, 0.0);
      const Mat3 R_t = assembled.state.pose[n].R.transpose();
      assembled.state.twist[n] << R_t * Vec3(0.0, w * x, 0.0), R_t * Vec3(0.0, 0.0, w);
    }
    Motion now;
    set_instant(assembled.state, now);
    assembled.model.elements[0]->initialise(now, assembled.state.internal);
    Simulation simulation(std::move(assembled));
    const double kinetic = simulation.ledger().kinetic;
    simulation.run(dt, 100);
    constexpr double round_off = 1e-12;
    EXPECT_NEAR(simulation.ledger().kinetic, kinetic, round_off * kinetic);
    EXPECT_LT(simulation.ledger().numerical_loss, round_off * kinetic);
    EXPECT_NEAR(simulation.state().pose[1].x.norm(), radius, round_off);
  }
}

// Protects: the same with several elements of higher degree. The rotation begins without the stretch that belongs to
// it; when its material has damped the swinging that follows, nothing more is lost.
TEST(Beam, steady_rotation_of_several_elements_is_not_damped) {
  for (const double dt : {0.02, 0.1, 0.15}) {
    Simulation simulation(
        assemble(read_model_text(beam_model("elements: 2, degree: 3, damping: 0.03, free: true, velocity: [0, -3, 0], "
                                            "angular-velocity: [0, 0, 6]",
                                            "analysis: {dynamic: {end: 1}}\n"),
                                 "test.yaml")));
    simulation.run(dt, 300);
    const Ledger before = simulation.ledger();
    const double length = (simulation.state().pose.back().x - simulation.state().pose.front().x).norm();
    EXPECT_GT(length, 1.001);
    simulation.run(dt, 100);
    constexpr double round_off = 1e-12;
    const Ledger& after = simulation.ledger();
    EXPECT_NEAR(after.kinetic, before.kinetic, round_off * before.kinetic);
    EXPECT_NEAR(after.numerical_loss, before.numerical_loss, round_off * before.kinetic);
    EXPECT_NEAR(after.damping_loss, before.damping_loss, round_off * before.kinetic);
    EXPECT_NEAR((simulation.state().pose.back().x - simulation.state().pose.front().x).norm(), length, round_off);
  }
}

// Protects: no ringing: a sudden load on a stiff beam at 100 axial periods per step reaches the support in a few steps.
TEST(Beam, stiff_beam_does_not_ring) {
  AnalysisRun run(
      "freeplay: 1\n"
      "sections:\n"
      "  s: {stiffness: {axial: 1e6, shear: 4e5, bending: 100, torsion: 80}, mass: 1, rotary: [1e-4, 1e-4, 2e-4]}\n"
      "bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 4}}}\n"
      "joints: {wall: {fixed: {between: [ground, b.start]}}}\n"
      "loads: {F: {force: {on: b.end, value: [1, 0, 0]}}}\n"
      "analysis: {dynamic: {end: 8, step: 0.4}}\n"  // axial period 4 L sqrt(m / EA) = 4e-3
      "output: {every: 0.4}\n");
  ASSERT_EQ(run.run(), RunEnd::finished);
  for (std::size_t k = 6; k < run.observer.rows.size(); ++k) {
    const State& state = run.observer.rows[k].state;
    EXPECT_NEAR(std::abs(state.multiplier[0]), 1.0, 1e-3) << "at step " << k;
    EXPECT_NEAR(state.pose.back().x.x(), 1.0 + 1e-6, 1e-8);
  }
}

}  // namespace
}  // namespace freeplay
