#include <gtest/gtest.h>

#include "scheme/simulation_testing.h"

// Beams so long that the solver keeps its factors in single precision (src/solver/direct_preconditioner.h).

namespace freeplay {
namespace {

std::string pendulum(const std::string& section, double length) {
  return "freeplay: 1\n"
         "gravity: [0, -9.81, 0]\n"
         "sections: {s: " +
         section +
         "}\n"
         "bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [" +
         std::to_string(length) +
         ", 0, 0], elements: 300, degree: 3}}}\n"
         "joints: {pin: {revolute: {between: [ground, b.start], axis: [0, 0, 1]}}}\n"
         "analysis: {dynamic: {end: 1 s}}\n";
}

/// Of many steps.
struct Effort {
  int iterations = 0, factorisations = 0;
};

Effort simulate(Simulation& simulation, double dt, int n_steps) {
  Effort effort;
  for (int k = 0; k < n_steps; ++k) {
    const StepReport report = simulation.stepper().step(dt);
    EXPECT_TRUE(report.accepted()) << report.reason;
    effort.iterations += report.newton_iterations;
    effort.factorisations += report.factorisations;
  }
  return effort;
}

// Protects: single precision costs neither iterations nor digits of the energy.
TEST(LargeBeam, ledger_closes_to_round_off) {
  StepperOptions options;
  options.newton_tolerance = AnalysisSpec{}.newton_tolerance;
  Simulation simulation(pendulum("{mass: 1, rotary: [1e-4, 1e-4, 2e-4], "
                                 "stiffness: {axial: 1e6, shear: [3.8e5, 3.8e5], bending: [1, 1], torsion: 0.77}}",
                                 30.0),
                        options);
  constexpr int n_steps = 40;
  const Effort effort = simulate(simulation, 1e-3, n_steps);
  EXPECT_LT(simulation.ledger().relative_residual(), 1e-13);
  EXPECT_LE(effort.iterations, 5 * n_steps);
  EXPECT_LE(effort.factorisations, n_steps / 2);
}

// Protects: where steel and long steps ask for more digits than single precision has, the step converges all the same.
TEST(LargeBeam, steel_and_long_steps) {
  Simulation simulation(pendulum(
      "{rectangle: {width: 10 mm, height: 10 mm}, material: {E: 210 GPa, G: 81 GPa, density: 7850 kg/m^3}}", 1.0));
  simulate(simulation, 2e-2, 10);
  // The forces that cancel within elements are 1e12 times those that accelerate it.
  EXPECT_LT(simulation.ledger().relative_residual(), 1e-9);
}

}  // namespace
}  // namespace freeplay
