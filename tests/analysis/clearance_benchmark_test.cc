// Mechanisms with one clearance joint, against independent solutions: benchmarks/slider_crank,
// benchmarks/journal_bearing.

#include <gtest/gtest.h>

#include "analysis/analysis_testing.h"

namespace freeplay {
namespace {

/// Time of the n-th event of a kind.
double time_of(const AnalysisRun& run, const std::string& kind, int n = 0) {
  for (const auto& event : run.observer.events)
    if (event.kind == kind && n-- == 0) return event.time;
  throw std::logic_error("no such event: " + kind);
}

constexpr double first_impact = 1e-3;  // relative: what the benchmarks demand of the first impact
constexpr double ledger_closes = 1e-10;
constexpr double located = 1e-5;  // relative: touches are located much more closely than impacts are resolved

// Protects: speed of impact and Hertz's stiffness at the slider pin; the slider after one touch and after three,
// independent solution (benchmarks/slider_crank/independent_slider_pin_frictionless.csv).
TEST(ClearanceBenchmark, slider_pin_without_friction) {
  AnalysisRun run(input_model("input/slider_crank/slider_pin_frictionless.yaml", {{"analysis.dynamic.end", "2.4 ms"}}));
  run.run();
  EXPECT_NEAR(time_of(run, "touch"), 0.500683627e-3, located * 0.5e-3);
  EXPECT_NEAR(time_of(run, "loss"), 0.687651972e-3, located * 0.7e-3);
  EXPECT_NEAR(time_of(run, "touch", 2), 1.90105153e-3, 10.0 * located * 1.9e-3);
  EXPECT_LT(run.last().ledger.relative_residual(), ledger_closes);
}

// Protects: the crank pin, whose bearing turns.
TEST(ClearanceBenchmark, crank_pin_without_friction) {
  AnalysisRun run(input_model("input/slider_crank/crank_pin_frictionless.yaml", {{"analysis.dynamic.end", "0.8 ms"}}));
  run.run();
  EXPECT_NEAR(time_of(run, "touch"), 0.509955564e-3, located * 0.5e-3);
  EXPECT_NEAR(time_of(run, "loss"), 0.76784322e-3, located * 0.8e-3);
}

// Protects: bristles with damping settle within a microsecond of each touch; unresolved they change the rebound. Also
// that sticking bristles do not open the ledger, which they did when an old Jacobian was trusted too far.
TEST(ClearanceBenchmark, slider_pin_with_bristles) {
  AnalysisRun run(input_model("input/slider_crank/slider_pin_lugre.yaml", {{"analysis.dynamic.end", "2.4 ms"}}));
  run.run();
  EXPECT_NEAR(time_of(run, "loss"), 0.687824898e-3, located * 0.7e-3);
  EXPECT_NEAR(time_of(run, "touch", 2), 2.09695466e-3, 10.0 * located * 2e-3);
  EXPECT_LT(run.last().ledger.relative_residual(), ledger_closes);
}

// Protects: free fall in the clearance, the first impact, and the energy never grows.
TEST(ClearanceBenchmark, journal_falls_in_its_bearing) {
  AnalysisRun run(input_model("input/journal_bearing/brown_mcphee.yaml", {{"analysis.dynamic.end", "14 ms"}}));
  run.run();
  EXPECT_NEAR(time_of(run, "touch"), std::sqrt(2.0 * 0.1e-3 / 9.81), located * 4.5e-3);
  EXPECT_NEAR(time_of(run, "loss") - time_of(run, "touch"), 0.06188678e-3, first_impact * 0.062e-3);
  double before = run.observer.rows.front().ledger.total();
  for (const auto& row : run.observer.rows) {
    EXPECT_LE(row.ledger.total(), before + ledger_closes * row.ledger.largest_energy);
    before = row.ledger.total();
  }
  EXPECT_LT(run.last().ledger.relative_residual(), ledger_closes);
}

}  // namespace
}  // namespace freeplay
