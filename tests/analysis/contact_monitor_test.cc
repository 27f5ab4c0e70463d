#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/analysis_testing.h"
#include "freeplay/deck/model_file.h"

namespace freeplay {
namespace {

/// A block of 1 kg on a slope of 30 degrees (gravity is turned instead), which it touches at `height` [m].
ModelSpec block_on_slope(const std::string& height) {
  return read_model_text(
      "freeplay: 1\n"
      "gravity: [4.905, 0, -8.4957]\n"
      "bodies: {block: {rigid: {mass: 1 kg, inertia: 0.01, at: [0, 0, " +
          height +
          "]}}}\n"
          "contacts: {hard: {linear: {stiffness: 1e6}}}\n"
          "frictions: {dry: {lugre: {static: 0.35, kinetic: 0.3, sigma0: 1e5 1/m, "
          "stribeck-velocity: 1 mm/s}}}\n"
          "joints:\n"
          "  slope: {ball-on-plane: {between: [ground, block], normal: [0, 0, 1], radius: 0, "
          "contact: hard, friction: dry, penetration: 10 um}}\n"
          "analysis: {dynamic: {end: 0.2 s}}\n",
      "slope.yaml");
}

long count(const AnalysisRun& run, const std::string& kind) {
  return std::count_if(run.observer.events.begin(), run.observer.events.end(),
                       [&](const auto& event) { return event.kind == kind; });
}

// Protects: a contact that is there from the beginning does not begin; the block slides down with g (sin - mu cos).
TEST(ContactMonitor, contact_at_the_start_is_no_touch) {
  AnalysisRun run(block_on_slope("-8.4957e-6"));
  run.run();
  EXPECT_EQ(count(run, "touch"), 0);
  EXPECT_EQ(count(run, "loss"), 0);
  constexpr double presliding = 1e-2;  // relative: in the first micrometres, about 1 ms, the bristles do not yet hold
  const double expected = 0.2 * (4.905 - 0.3 * 8.4957);
  EXPECT_NEAR(run.last().state.twist[0][0], expected, presliding * expected);
}

// Protects: one that begins writes one touch.
TEST(ContactMonitor, falling_block_touches) {
  AnalysisRun run(block_on_slope("1e-6"));
  run.run();
  EXPECT_GE(count(run, "touch"), 1);
  EXPECT_GE(count(run, "impact"), 1);
}

}  // namespace
}  // namespace freeplay
