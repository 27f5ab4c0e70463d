#include "freeplay/results/continuation_file.h"

#include <gtest/gtest.h>

#include "base/file_testing.h"
#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

// Protects: a checkpoint keeps every number that the next step needs from those before it.
TEST(ContinuationFile, keeps_what_the_next_step_needs) {
  Simulation simulation(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
sections: {s: {stiffness: {axial: 1e4, shear: 4e3, bending: 1, torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}}
bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2, degree: 2}}}
joints: {pin: {revolute: {between: [ground, b.start], axis: [0, 0, 1]}}}
analysis: {dynamic: {end: 1}}
)yaml");
  simulation.run(1e-2, 6);
  SavedRun saved;
  Continuation& before = saved.continuation;
  before.state = simulation.state();
  before.ledger = simulation.ledger();
  before.memory = simulation.stepper().memory();
  before.dropped = simulation.model().dropped;
  before.memory.shares = ShareRows{{{3, 1}, {{7, 0.25}, {9, -1.0}}, 42.0}, {{5, 0}, {}, 0.0}};
  before.last_output = 0.05;
  before.ruled_by_friction = true;
  saved.written = {1234, 567, 8, 0.04, {{1.0, 2.0, 3.0, 4.0}}};
  const TemporaryDirectory directory;
  write_continuation(directory / "checkpoint", "model", saved);
  const SavedRun found = read_continuation(directory / "checkpoint", "model", simulation.model());
  const Continuation& after = found.continuation;
  const TimeStepper::Memory &is = after.memory, &was = before.memory;
  const auto is_there = [](const auto& numbers) {
    return std::any_of(numbers.begin(), numbers.end(),
                       [](const auto& x) { return x != std::decay_t<decltype(x)>(0.0 * x); });
  };
  EXPECT_EQ(is.twist_rate, was.twist_rate);
  EXPECT_EQ(is.previous_twist_rate, was.previous_twist_rate);
  EXPECT_EQ(is.multipliers, was.multipliers);
  EXPECT_EQ(is.projection, was.projection);
  EXPECT_EQ(is.unbalanced, was.unbalanced);
  EXPECT_EQ(is.guess_errors, was.guess_errors);
  EXPECT_EQ(is.dt, 1e-2);
  EXPECT_EQ(is.previous_dt, was.previous_dt);
  EXPECT_TRUE(is_there(is.unbalanced));
  EXPECT_TRUE(is_there(is.guess_errors));
  ASSERT_EQ(is.shares->size(), 2u);
  EXPECT_EQ(is.shares->front().lock.friction, 3);
  EXPECT_EQ(is.shares->front().lock.slip, 1);
  EXPECT_EQ(is.shares->front().factors, was.shares->front().factors);
  EXPECT_EQ(is.shares->front().offset, 42.0);
  EXPECT_EQ(is.shares->back().lock.friction, 5);
  EXPECT_EQ(after.last_output, 0.05);
  EXPECT_TRUE(after.ruled_by_friction);
  EXPECT_EQ(found.written.history_size, 1234);
  EXPECT_EQ(found.written.events_size, 567);
  EXPECT_EQ(found.written.n_rows, 8);
  EXPECT_EQ(found.written.last_time, 0.04);
  ASSERT_EQ(found.written.extremes.size(), 1u);
  EXPECT_EQ(found.written.extremes[0].moment_time, 4.0);
  EXPECT_EQ(after.state.internal, before.state.internal);
  EXPECT_EQ(after.state.twist, before.state.twist);
}

}  // namespace
}  // namespace freeplay
