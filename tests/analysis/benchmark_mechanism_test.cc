// Mechanisms with published or independent solutions.

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "analysis/analysis_testing.h"

namespace freeplay {
namespace {

// Protects: IFToMM A01, simple pendulum, published position at t = 1 s.
TEST(Benchmark, iftomm_pendulum) {
  AnalysisRun run(input_model("input/iftomm/pendulum.yaml", {{"analysis.dynamic.end", "1 s"}}));
  run.run();
  constexpr double accuracy = 1e-6;
  EXPECT_LT((run.last().state.pose[0].x - Vec3(0.986291751132, -0.165010853126, 0.0)).norm(), accuracy);
}

// Protects: IFToMM A02 with N = 2, published position at t = 10 s after passing singular positions.
TEST(Benchmark, iftomm_two_four_bars) {
  AnalysisRun run(input_model("input/iftomm/four_bar_2.yaml", {{"output.every", "1 s"}}));
  run.run();
  constexpr double accuracy = 1e-5;
  EXPECT_LT((run.position("rod0.B0", run.last()) - Vec3(0.328458111539, 0.944518538179, 0.0)).norm(), accuracy);
}

// Protects: IFToMM A04, Bricard mechanism: it moves, and its energy stays.
TEST(Benchmark, iftomm_bricard_keeps_its_energy) {
  AnalysisRun run(input_model("input/iftomm/bricard.yaml", {{"analysis.dynamic.end", "2 s"}}));
  EXPECT_EQ(run.report().mobility(), 1);
  run.run();
  const Ledger& ledger = run.last().ledger;
  constexpr double round_off = 1e-11;     // 2000 steps
  constexpr double by_projection = 1e-6;  // third order in the step of 1 ms
  EXPECT_LT(ledger.relative_residual(), round_off);
  EXPECT_LT(std::abs(ledger.total() - ledger.initial), by_projection * ledger.largest_energy);
  EXPECT_GT(ledger.largest_energy, 1.0);
}

/// The spatial slider-crank as a mechanism of one freedom, the crank angle: everything in closed form.
struct SpatialSliderCrank {
  static constexpr double r = 0.08, l = 0.3, y_a = 0.1, z_a = 0.12, g = 9.81;
  static constexpr double crank_inertia = 1e-4, rod_mass = 0.5, slider_mass = 2.0;

  static Vec3 pin(double angle) { return {0.0, y_a - r * std::sin(angle), z_a + r * std::cos(angle)}; }
  static Vec3 slider(double angle) { return {std::sqrt(l * l - pin(angle).squaredNorm()), 0.0, 0.0}; }

  /// Twice the kinetic energy for a unit rate of the angle.
  static double inertia(double angle) {
    const Vec3 b = pin(angle), c = slider(angle);
    const Vec3 b_rate(0.0, -r * std::cos(angle), -r * std::sin(angle));
    const Vec3 c_rate(-b.dot(b_rate) / c.x(), 0.0, 0.0);
    // The fork turns about x of the slider and about an axis of the rod normal to x and to the rod.
    const Vec3 along = (c - b) / l;
    const Vec3 second = along.cross(Vec3::UnitX()).normalized();
    // (a e_x + b second) x (c - b) = c_rate - b_rate.
    Eigen::Matrix<double, 3, 2> directions;
    directions << Vec3::UnitX().cross(c - b), second.cross(c - b);
    const Eigen::Vector2d rates =
        (directions.transpose() * directions).inverse() * directions.transpose() * (c_rate - b_rate);
    const Vec3 w = rates[0] * Vec3::UnitX() + rates[1] * second;
    const double spin = w.dot(along);
    const double rod = 4e-4 * spin * spin + 4e-3 * (w.squaredNorm() - spin * spin);
    return crank_inertia + rod_mass * (0.5 * (b_rate + c_rate)).squaredNorm() + rod +
           slider_mass * c_rate.squaredNorm();
  }
  static double potential(double angle) { return rod_mass * g * 0.5 * pin(angle).z(); }

  /// Angle at a time, from the conservation of energy, by a Runge-Kutta method of order 4.
  static double angle_at(double time) {
    const double energy = 0.5 * inertia(0.0) * 36.0 + potential(0.0);
    const auto rate = [&](double angle) { return std::sqrt(2.0 * (energy - potential(angle)) / inertia(angle)); };
    constexpr int n_steps = 20000;
    const double h = time / n_steps;
    double angle = 0.0;
    for (int k = 0; k < n_steps; ++k) {
      const double k1 = rate(angle), k2 = rate(angle + 0.5 * h * k1), k3 = rate(angle + 0.5 * h * k2),
                   k4 = rate(angle + h * k3);
      angle += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return angle;
  }
};

/// Distance of the crank pin from where it should be after 1 s.
double spatial_slider_crank_error(const std::string& step) {
  AnalysisRun run(
      input_model("input/spatial_slider_crank.yaml",
                  {{"analysis.dynamic.end", "1 s"}, {"analysis.dynamic.step", step}, {"output.every", "1 s"}}));
  run.run();
  static const Vec3 exact = SpatialSliderCrank::pin(SpatialSliderCrank::angle_at(1.0));
  return (run.position("crank.pin", run.last()) - exact).norm();
}

// Protects: an overconstrained mechanism in space: its motion converges to an independent solution with order two.
TEST(Benchmark, spatial_slider_crank_converges_to_an_independent_solution) {
  constexpr double around = 0.05;
  constexpr double accuracy = 1e-4;  // m, at steps of 0.5 ms and 14 rad/s
  const double coarse = spatial_slider_crank_error("0.5 ms"), fine = spatial_slider_crank_error("0.25 ms");
  EXPECT_LT(coarse, accuracy);
  EXPECT_NEAR(order(coarse, fine), 2.0, around);
}

// Protects: the redundant equations of the second bearing are found and named; geometry and ledger stay closed.
TEST(Benchmark, spatial_slider_crank_is_overconstrained_and_stays_closed) {
  AnalysisRun run(input_model("input/spatial_slider_crank.yaml"));
  EXPECT_EQ(run.report().mobility(), 1);
  std::vector<std::string> names;
  for (const int e : run.report().redundant) names.push_back(run.model().equation_name(e));
  const std::vector<std::string> expected{"outer_bearing: position along x", "outer_bearing: position along y",
                                          "outer_bearing: rotation about y", "outer_bearing: rotation about x"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(run.run(), RunEnd::finished);
  EXPECT_EQ(run.observer.rows.size(), 501u);
  constexpr double round_off = 1e-12;
  for (const auto& row : run.observer.rows) {
    const Vec3 pin = run.position("crank.pin", row);
    EXPECT_NEAR(row.state.pose[2].x.x(), std::sqrt(0.09 - pin.squaredNorm()), 100.0 * round_off);
    EXPECT_LT((run.position("rod.pin", row) - pin).norm(), round_off);
  }
  const Ledger& ledger = run.last().ledger;
  constexpr double accumulated = 1e-11;   // round-off of 5000 steps
  constexpr double by_projection = 1e-4;  // third order in the step of 1 ms
  EXPECT_LT(ledger.relative_residual(), accumulated);
  EXPECT_GE(ledger.projection_loss, 0.0);
  EXPECT_LT(ledger.projection_loss, by_projection * ledger.largest_energy);
}

}  // namespace
}  // namespace freeplay
