#include "freeplay/scheme/stick_control.h"

#include <gtest/gtest.h>

#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

/// The solvers of all tests, but linear ones fail from a certain call on.
class FailingSolvers : public SolverFactory {
 public:
  explicit FailingSolvers(int n_good) : n_good_(n_good) {}
  std::unique_ptr<NonlinearSolver> nonlinear(NonlinearProblem& problem, double tolerance, int iterations) override {
    return test_solvers().nonlinear(problem, tolerance, iterations);
  }
  std::unique_ptr<LinearSolver> linear(BlockMatrix& pattern) override {
    return std::make_unique<Failing>(n_good_, test_solvers().linear(pattern));
  }
  std::unique_ptr<LinearSolver> direct() override { return test_solvers().direct(); }
  Pivots pivots(BlockMatrix& matrix) override { return test_solvers().pivots(matrix); }

 private:
  struct Failing : LinearSolver {
    Failing(int& n_good, std::unique_ptr<LinearSolver> good) : left(n_good), solver(std::move(good)) {}
    bool solve(BlockMatrix& A, std::span<const double> b, double tolerance, std::span<double> x) override {
      return left-- > 0 && solver->solve(A, b, tolerance, x);
    }
    int& left;
    std::unique_ptr<LinearSolver> solver;
  };
  int n_good_;
};

/// A block at rest on an incline that is too steep for it: tan(0.5 rad) is 0.55.
const char* const steep = R"yaml(freeplay: 1
gravity: ["9.81 m/s^2 * sin(0.5 rad)", "-9.81 m/s^2 * cos(0.5 rad)", 0]
frictions: {dry: {coulomb: {static: 0.3, kinetic: 0.2}}}
bodies: {block: {rigid: {mass: 2, inertia: 0.1, at: [0, 0, 0]}}}
joints: {rail: {prismatic: {between: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], friction: {law: dry}}}}
analysis: {dynamic: {end: 1}}
)yaml";

FrictionMode mode(const Model& model, const State& state) { return numbers_of(model.frictions[0], state).mode(); }

// Protects: a search for the modes of friction that fails leaves no trace: neither modes that it tried nor forces and
// accelerations that belong to them.
TEST(StickControl, failed_search_changes_nothing) {
  Assembled assembled = assemble(read_model_text(steep, "test.yaml"));
  const Model& model = assembled.model;
  assembled.state.multiplier.assign(model.n_multipliers, 0.0);
  StickControl stick(model, {});
  stick.start(assembled.state);
  const auto settle = [&](int n_good, State& state, std::vector<Vec6>& rates) {
    FailingSolvers solvers(n_good);
    InstantSystem instant(model, solvers);
    return stick.settle(state, instant, rates);
  };

  State state = assembled.state;
  std::vector<Vec6> rates(1, Vec6::Zero());
  constexpr int many = 100;
  ASSERT_TRUE(settle(many, state, rates));
  EXPECT_EQ(mode(model, state), FrictionMode::slips);
  constexpr double round_off = 1e-12;
  EXPECT_NEAR(rates[0][0], 9.81 * (std::sin(0.5) - 0.2 * std::cos(0.5)), round_off);

  // The force of the lock takes a few iterations; whenever the solver fails, nothing has happened.
  bool succeeds = false;
  int n_failures = 0;
  for (int n_good = 0; !succeeds && n_good < many; ++n_good) {
    state = assembled.state;
    rates[0].setZero();
    succeeds = settle(n_good, state, rates);
    if (succeeds) break;
    ++n_failures;
    EXPECT_EQ(mode(model, state), FrictionMode::sticks) << n_good;
    EXPECT_EQ(state.multiplier, assembled.state.multiplier) << n_good;
    EXPECT_EQ(state.internal, assembled.state.internal) << n_good;
    EXPECT_EQ(rates[0], Vec6(Vec6::Zero())) << n_good;
  }
  EXPECT_GE(n_failures, 2);  // with the lock, and without it
}

}  // namespace
}  // namespace freeplay
