#include <gtest/gtest.h>

#include "freeplay/integrator/step_equations.h"
#include "integrator/menagerie_testing.h"

namespace freeplay {
namespace {

Eigen::MatrixXd dense(BlockMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.size(), matrix.size());
  for (int r = 0; r < matrix.size(); ++r)
    for (int k = matrix.row_start()[r]; k < matrix.row_start()[r + 1]; ++k)
      result(r, matrix.column()[k]) += matrix.value()[k];
  return result;
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
  const std::size_t n = equations.size();
  std::vector<double> u(n), r(n);
  for (double& value : u) value = random(-0.2, 0.2);

  BlockMatrix matrix = equations.make_matrix();
  ASSERT_EQ(matrix.size(), equations.size());
  equations.jacobian(u, matrix);
  const Eigen::MatrixXd jacobian = dense(matrix);
  // Rows are momenta times dt; multipliers are of size u/dt^2 = 20, so the entries are up to about 50.
  constexpr double tolerance = 1e-8;
  for (std::size_t column = 0; column < n; ++column) {
    const Eigen::VectorXd expected = derivative([&](double h) -> Eigen::VectorXd {
      std::vector<double> changed = u;
      changed[column] += h;
      equations.residual(changed, r);
      return Eigen::VectorXd::Map(r.data(), r.size());
    });
    EXPECT_LT((jacobian.col(column) - expected).cwiseAbs().maxCoeff(), tolerance) << "column " << column;
  }
}

INSTANTIATE_TEST_SUITE_P(AlphaAndClock, StepJacobian,
                         testing::Combine(testing::Values(1.0, 0.5, 0.0),
                                          testing::Values(StepEquations::Clock::runs, StepEquations::Clock::stands)));

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
