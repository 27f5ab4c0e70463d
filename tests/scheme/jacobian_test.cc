#include <gtest/gtest.h>

#include "freeplay/assembly/assembly.h"
#include "freeplay/deck/model_file.h"
#include "freeplay/scheme/step_equations.h"
#include "scheme/menagerie_testing.h"

namespace freeplay {
namespace {

Eigen::MatrixXd dense(BlockMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.size(), matrix.size());
  for (int r = 0; r < matrix.size(); ++r)
    for (int k = matrix.row_start()[r]; k < matrix.row_start()[r + 1]; ++k)
      result(r, matrix.column()[k]) += matrix.value()[k];
  return result;
}

/// Largest difference between the Jacobian and finite differences of the residual, at a point that is no solution.
double jacobian_error(StepEquations& equations, Random& random) {
  const std::size_t n = equations.size();
  std::vector<double> u(n), r(n);
  for (double& value : u) value = random(-0.2, 0.2);
  BlockMatrix matrix = equations.make_matrix();
  EXPECT_EQ(matrix.size(), equations.size());
  equations.jacobian(u, matrix);
  const Eigen::MatrixXd jacobian = dense(matrix);
  constexpr double step = 3e-4;  // tables have corners
  double largest = 0.0;
  for (std::size_t column = 0; column < n; ++column) {
    const Eigen::VectorXd expected = derivative(
        [&](double h) -> Eigen::VectorXd {
          std::vector<double> changed = u;
          changed[column] += h;
          equations.residual(changed, r);
          return Eigen::VectorXd::Map(r.data(), r.size());
        },
        0.0, step);
    largest = std::max(largest, (jacobian.col(column) - expected).cwiseAbs().maxCoeff());
  }
  return largest;
}

class StepJacobian : public testing::TestWithParam<std::tuple<double, StepEquations::Clock>> {};

// Protects: Newton's method for every combination of bodies, joints, drives, springs and loads.
TEST_P(StepJacobian, matches_finite_differences) {
  const auto [alpha, clock] = GetParam();
  Random random(5);
  Model model = model_of_everything(random);
  model.dropped[3] = model.dropped[10] = true;  // a dropped equation has neither row nor column
  const State state = random_state(model, random);
  StepEquations equations(model, alpha);
  equations.begin(state, 0.1, clock);
  std::vector<Vec6> from_before(model.nodes.size());
  for (Vec6& momenta : from_before) momenta = random.twist();
  equations.balance_too(from_before);
  // Rows are momenta times dt; multipliers are of size u/dt^2 = 20, so the entries are up to about 50.
  EXPECT_LT(jacobian_error(equations, random), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(AlphaAndClock, StepJacobian,
                         testing::Combine(testing::Values(1.0, 0.5, 0.0),
                                          testing::Values(StepEquations::Clock::runs, StepEquations::Clock::stands)));

/// A chain through every joint that can have friction.
Model model_with_friction(const std::string& law) {
  const std::string joints[] = {
      "revolute: {friction: {law: dry, radius: 0.3 m, bending-arm: 0.5 m, thrust-radius: 0.2 m, preload: 3 N}, axis: "
      "[1, "
      "2, 3],",
      "prismatic: {friction: {law: dry, bending-arm: 0.5 m, torsion-arm: 0.4 m}, axis: [3, 2, 1],",
      "cylindrical: {friction: {law: dry, radius: 0.3 m, bending-arm: 0.5 m}, axis: [1, -2, 1],",
      "spherical: {friction: {law: dry, radius: 0.4 m},",
      "planar: {friction: {law: dry, bending-arm: 0.7 m}, axis: [1, 0, 3],",
      "point-on-plane: {friction: {law: dry}, axis: [2, 1, 3],",
      "rolling-disk: {friction: {law: dry, radius: 0.6 m}, axis: [0, 1, 0], second-axis: [0, 0, 1],",
      "point-on-line: {friction: {law: dry}, axis: [1, 1, 1],"};
  std::string bodies, connections, previous = "ground";
  int n = 0;
  for (const std::string& joint : joints) {
    const std::string name = "b" + std::to_string(++n);
    bodies += "  " + name + ": {rigid: {mass: 2 kg, inertia: [1, 2, 1.5], centre: [0.1, 0.2, 0.3], at: [" +
              std::to_string(n) + ", 0, 0]}}\n";
    connections += "  j" + std::to_string(n) + ": {" + joint + " between: [" + previous + ", " + name + "], at: [" +
                   std::to_string(n) + ", 0.2, 0.1]}}\n";
    previous = name;
  }
  return assemble(read_model_text("freeplay: 1\nfrictions: {dry: {" + law + "}}\nbodies:\n" + bodies + "joints:\n" +
                                      connections + "analysis: {dynamic: {end: 1 s}}\n",
                                  "test.yaml"))
      .model;
}

// Protects: Newton's method with friction in every kind of joint: the coupling of friction with the reactions too.
TEST(StepJacobian, matches_finite_differences_with_friction) {
  for (const std::string law :
       {"regularised-coulomb: {coefficient: 0.2, velocity: 3 m/s}",
        "lugre: {static: 0.3, kinetic: 0.2, sigma0: 1 1/m, sigma1: 0.1 s/m, stribeck-velocity: 1 m/s}",
        "coulomb: {static: 0.3, kinetic: 0.2}"}) {
    Random random(7);
    const Model model = model_with_friction(law);
    const int n_modes = model.frictions[0].coulomb ? 3 : 1;
    for (int mode = 0; mode < n_modes; ++mode) {
      State state = random_state(model, random);
      for (const JointFriction& friction : model.frictions) {
        const auto numbers = numbers_of(friction, state);
        numbers.set_mode(static_cast<FrictionMode>(mode));
        numbers.direction() = Vec3::Unit(0);
        numbers.bristles() = friction.coulomb ? Vec3(Vec3::Zero()) : random.vector(0.1);
      }
      StepEquations equations(model, 1.0);
      equations.begin(state, 0.1);
      EXPECT_LT(jacobian_error(equations, random), 1e-7) << law << ", mode " << mode;
    }
  }
}

// Protects: the pattern has room for every block: nothing is written into another block's place.
TEST(StepEquations, unknowns_are_free_dofs_multipliers_and_jumps) {
  Random random(5);
  Model model = model_of_everything(random);
  model.dropped[3] = true;
  const StepEquations equations(model, 1.0);
  const int free = model.n_free_dofs();
  const int jumps = free - 6;  // node 4 has no jump
  EXPECT_EQ(free, 6 + 6 + 3 + 3 + 6);
  EXPECT_EQ(equations.size(), free + model.n_equations - 1 + jumps);
}

}  // namespace
}  // namespace freeplay
