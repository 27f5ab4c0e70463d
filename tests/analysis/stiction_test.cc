#include <gtest/gtest.h>

#include "analysis/analysis_testing.h"

// True stick in closed loops: the examples of M. Wojtyra (2017), input/stiction_loop/.

namespace freeplay {
namespace {

class StictionLoop : public testing::Test {
 protected:
  AnalysisRun& run(const std::string& name) {
    run_ = std::make_unique<AnalysisRun>(read_model(FREEPLAY_SOURCE_DIR "/input/stiction_loop/" + name + ".yaml"));
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

}  // namespace
}  // namespace freeplay
