#include <gtest/gtest.h>

#include <numbers>

#include "analysis/analysis_testing.h"
#include "freeplay/base/diagnostics.h"
#include "paths.h"

// True stick in closed loops: the examples of M. Wojtyra (2017), input/stiction_loop/.

namespace freeplay {
namespace {

class StictionLoop : public testing::Test {
 protected:
  AnalysisRun& run(const std::string& name) {
    run_ = std::make_unique<AnalysisRun>(input_model("input/stiction_loop/" + name + ".yaml"));
    run_->run();
    EXPECT_LT(run_->last().ledger.relative_residual(), 1e-10) << name;
    return *run_;
  }

  /// First event of a kind at a joint; infinite: none.
  double time_of(const std::string& kind, const std::string& joint) const {
    for (const auto& event : run_->observer.events)
      if (event.kind == kind && event.joint == joint) return event.time;
    return INFINITY;
  }

  double creep() const { return run_->last().state.pose[0].x[1] - 0.25; }

  std::unique_ptr<AnalysisRun> run_;
};

// Protects: an equation that is left out while it is redundant and comes back when a joint reaches its limit.
TEST_F(StictionLoop, eliminating_an_equation_of_the_first_pin) {
  run("ex2a");
  EXPECT_NEAR(time_of("limit", "slide2"), 0.789, 2e-3);
  EXPECT_NEAR(time_of("slip", "slide1"), 1.847, 2e-3);
  EXPECT_NEAR(time_of("slip", "slide2"), 1.847, 2e-3);
}

TEST_F(StictionLoop, eliminating_an_equation_of_the_second_pin) {
  run("ex2b");
  EXPECT_TRUE(run_->observer.events.empty());
  EXPECT_LT(std::abs(creep()), 1e-14);
}

// Protects: the choice of least norm, and that the user is told of the choice.
TEST_F(StictionLoop, minimum_norm) {
  run("ex2c");
  EXPECT_NEAR(time_of("limit", "slide1"), 1.98, 0.01);
  EXPECT_NEAR(time_of("slip", "slide2"), 2.58, 0.01);
  ASSERT_FALSE(run_->observer.messages.empty());
  EXPECT_NE(run_->observer.messages[0].find("'slide1', 'slide2' are not unique"), std::string::npos)
      << run_->observer.messages[0];
}

// Protects: friction that creeps, with the published velocities and drift.
TEST_F(StictionLoop, creeping_law) {
  run("ex3a");
  EXPECT_NEAR(creep(), -0.033e-3, 0.0005e-3);
  EXPECT_NEAR(run_->last().state.twist[0][1], -9.41e-6, 0.005e-6);
  EXPECT_NEAR(run_->last().state.twist[1][0], 3.92e-6, 0.005e-6);
}

TEST_F(StictionLoop, creeping_law_with_another_threshold) {
  run("ex3b");
  EXPECT_NEAR(time_of("slip", "slide1"), 1.96, 0.02);
}

TEST_F(StictionLoop, bristles) {
  run("ex4a");
  EXPECT_LT(creep(), -0.1);
  run("ex4b");
  EXPECT_LT(std::abs(creep()), 1e-4);
}

// Protects: where the rod gives way, forces are unique, and nobody needs to choose.
TEST_F(StictionLoop, flexible_rod_needs_no_choice) {
  run("ex5_equal_coulomb");
  EXPECT_NEAR(time_of("slip", "slide1"), 1.90, 0.01);
  EXPECT_NEAR(time_of("slip", "slide2"), 1.92, 0.02);
  EXPECT_TRUE(run_->observer.messages.empty());
  run("ex5_stiff_coulomb");
  EXPECT_EQ(time_of("slip", "slide1"), INFINITY);
  EXPECT_EQ(time_of("slip", "slide2"), INFINITY);
}

class RollerCrank : public testing::Test {
 protected:
  /// Runs a model of input/roller_crank to `end`; the message of a failure, or nothing.
  std::string run(const std::string& name, double end) {
    ModelSpec spec = input_model("input/roller_crank/" + name + ".yaml");
    spec.analysis.end = end;
    run_ = std::make_unique<AnalysisRun>(spec);
    try {
      run_->run();
    } catch (const NumericalFailure& failure) {
      return failure.what();
    }
    return "";
  }

  std::unique_ptr<AnalysisRun> run_;
};

// Protects: friction that follows from the reaction of a rolling disk, against an independent solution.
TEST_F(RollerCrank, regularised_coulomb) {
  ASSERT_EQ(run("regularised_coulomb", 0.15), "");
  const State& end = run_->last().state;
  const auto node = [&](const std::string& name) {
    const auto& nodes = run_->model().nodes;
    return std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.name == name; }) - nodes.begin();
  };
  const Mat3& R = end.pose[node("crank")].R;
  const double angle = std::atan2(R(1, 0), R(0, 0));
  EXPECT_NEAR(std::remainder(angle - 2.2484623, std::numbers::pi / 2), 0.0, 5e-6);
  EXPECT_NEAR(std::abs(end.twist[node("roller")][5]), 9.1544677, 5e-5);
  EXPECT_LT(run_->last().ledger.relative_residual(), 1e-11);
}

// Protects: a run does not step over the point beyond which no reaction balances the friction, and says what it is.
TEST_F(RollerCrank, bristles_on_the_force_lose_their_solution) {
  const std::string message = run("lugre", 2.0);
  EXPECT_NEAR(run_->observer.step_ends.back(), 1.290, 2e-3);
  EXPECT_NE(message.find("Loss of solvability of the reaction at joint 'ground_contact'"), std::string::npos)
      << message;
  EXPECT_NE(message.find("sigma1"), std::string::npos) << message;
  EXPECT_EQ(run("lugre_load_scaled", 2.0), "");
}

}  // namespace
}  // namespace freeplay
