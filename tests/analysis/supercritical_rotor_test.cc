#include <gtest/gtest.h>

#include <cmath>

#include "analysis/analysis_testing.h"

namespace freeplay {
namespace {

// The linear theory neglects what is of second order in the deflection, and has its own discretisation.
constexpr double linear_theory = 5e-3;

// Protects: beam, eccentric mass, torque, spatial clearance joint, contact and LuGre friction together, against an
// independent linear rotor model (benchmarks/supercritical_rotor/linear_theory_first_second.csv, row of 0.45 s).
TEST(SupercriticalRotor, follows_linear_theory) {
  AnalysisRun run(input_model("input/supercritical_rotor.yaml", {{"analysis.dynamic.end", "0.45 s"}}));
  ASSERT_EQ(run.run(), RunEnd::finished);
  ASSERT_FALSE(run.observer.events.empty());
  const auto& first = run.observer.events.front();
  EXPECT_EQ(first.kind, "touch");
  EXPECT_EQ(first.joint, "T");
  constexpr double first_touch = 0.382, spin = 24.783531;
  EXPECT_NEAR(first.time, first_touch, linear_theory * first_touch);
  const Vec3 middle(3.0, -4.470596e-4, -9.174408e-6);
  const auto& last = run.last();
  EXPECT_LT((run.position("disk", last) - middle).norm(), linear_theory * 4.47e-4);
  EXPECT_NEAR(run.spin("shaft.start", last).x(), spin, linear_theory * spin);
  constexpr double round_off = 1e-11;
  EXPECT_LT(last.ledger.relative_residual(), round_off);
}

}  // namespace
}  // namespace freeplay
