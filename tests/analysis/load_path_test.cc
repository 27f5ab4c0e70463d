#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/analysis_testing.h"
#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

using std::numbers::pi;

/// A beam along x from the origin, clamped there, with EI = 1.
std::string cantilever(const std::string& beam, const std::string& loads, const std::string& options = "",
                       double axial = 1e4) {
  char stiffness[96];
  std::snprintf(stiffness, sizeof stiffness, "{axial: %.17g, shear: %.17g, bending: 1, torsion: 0.8}", axial,
                0.4 * axial);
  return std::string("freeplay: 1\nsections:\n  s: {stiffness: ") + stiffness +
         ", mass: 1, rotary: [0.01, 0.01, 0.02]}\n"
         "bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], " +
         beam + ", fix: {start: [x, y, z, rx, ry, rz]}}}}\nloads: {" + loads + "}\nanalysis: {static: {" + options +
         "}}\n";
}

Vec3 tip(const AnalysisRun& run) { return run.position("b.end", run.last()); }

// Protects: a moment rolls a cantilever up into a full circle, and the tip is back with the order 2p of the element.
TEST(LoadPath, moment_rolls_a_cantilever_into_a_circle) {
  const auto error = [](int elements) {
    AnalysisRun run(cantilever("degree: 3, elements: " + std::to_string(elements),
                               "M: {torque: {on: b.end, value: [0, 0, 6.283185307179586]}}"));
    EXPECT_EQ(run.run(), RunEnd::finished);
    EXPECT_TRUE(run.observer.events.empty());
    EXPECT_EQ(run.last().state.load_factor, 1.0);
    return tip(run).norm();
  };
  const double coarse = error(8), fine = error(16);
  EXPECT_LT(coarse, 5e-5);
  constexpr double order = 6.0, spread = 0.4;  // not yet quite in the range of the asymptotic order
  EXPECT_NEAR(std::log2(coarse / fine), order, spread);
}

// Protects: a force that turns with the body, with its unsymmetric stiffness. Seen from the tip, the bending of an
// inextensible beam is an initial value problem: phi'' = F/EI cos(phi), phi(0) = phi'(0) = 0, s from the tip.
TEST(LoadPath, follower_force_bends_a_cantilever) {
  constexpr double F = 8.0;
  double phi = 0.0, rate = 0.0, x = 0.0, y = 0.0;  // of the clamp, as the tip sees it
  constexpr int n = 4000;
  constexpr double h = 1.0 / n;
  for (int k = 0; k < n; ++k) {  // Stoermer-Verlet and the mid-point rule
    rate += 0.5 * h * F * std::cos(phi);
    const double middle = phi + 0.5 * h * rate;
    x -= h * std::cos(middle);
    y += h * std::sin(middle);
    phi += h * rate;
    rate += 0.5 * h * F * std::cos(phi);
  }
  AnalysisRun run(
      cantilever("elements: 8, degree: 4", "F: {force: {on: b.end, value: [-8, 0, 0], following: true}}", "", 1e7));
  ASSERT_EQ(run.run(), RunEnd::finished);
  // Turned into the axes of the clamp.
  const Vec3 expected(-(x * std::cos(phi) - y * std::sin(phi)), 0.0, 0.0);
  const Vec3 at = tip(run);
  constexpr double tolerance = 2e-5;  // shear and stretch of F/GA = 2e-6, and of the integration above
  EXPECT_NEAR(at.norm(), std::hypot(x, y), tolerance);
  EXPECT_NEAR(std::abs(at.x()), std::abs(expected.x()), tolerance);
}

// Protects: the buckling load of a perfect column is found, in both directions at once, and said.
TEST(LoadPath, perfect_column_has_a_bifurcation) {
  AnalysisRun run(cantilever("elements: 4", "P: {force: {on: b.end, value: [-4, 0, 0]}}", "", 1e7));
  ASSERT_EQ(run.run(), RunEnd::finished);
  ASSERT_EQ(run.observer.events.size(), 1u);
  const auto& event = run.observer.events.front();
  EXPECT_EQ(event.kind, "bifurcation");
  constexpr double located = 1e-4;  // a step of 0.1, halved 12 times
  EXPECT_NEAR(4.0 * event.time, pi * pi / 4.0, located * pi * pi / 4.0);
  EXPECT_TRUE(contains(event.detail, "0 before, 2 after")) << event.detail;
}

// Protects: with a small imperfection the column goes over into the elastica (Timoshenko and Gere, table 2-4: a load of
// 1.152 times the critical one turns the tip by 60 degrees).
TEST(LoadPath, imperfect_column_becomes_the_elastica) {
  AnalysisRun run(cantilever(
      "elements: 4", "P: {force: {on: b.end, value: [\"-1.152 * 3.14159265358979^2 / 4\", 1e-4, 0]}}", "", 1e7));
  ASSERT_EQ(run.run(), RunEnd::finished);
  constexpr double printed = 2e-3;
  EXPECT_NEAR(tip(run).x(), 0.741, printed);
  EXPECT_NEAR(tip(run).y(), 0.593, printed);
  EXPECT_TRUE(run.observer.events.empty());
}

/// A block that slides along y between springs at (+-1, 0): k (l0 - l) y / l resists, with its maximum where
/// l^3 = l0 (the half span is 1).
std::string shallow_truss(const std::string& options) {
  return "freeplay: 1\n"
         "ground: {points: {foot: [1, 0, 0]}}\n"
         "bodies: {block: {rigid: {mass: 1, inertia: 0.1, at: [0, 0.5, 0], fix: [x, z, rx, ry, rz], "
         "points: {eye: [0, 0, 0]}}}}\n"
         "springs: {bar: {translational: {between: [ground.foot, block.eye], stiffness: 1000}}}\n"
         "loads: {push: {force: {on: block, value: [0, -100, 0]}}}\n"
         "analysis: {static: {" +
         options + "}}\n";
}

double truss_limit() {
  const double l0 = std::sqrt(1.25), l = std::cbrt(l0);
  return 10.0 * (l0 - l) * std::sqrt(l * l - 1.0) / l;
}

// Protects: arc length passes both limit points of a snap-through, and their loads are exact.
TEST(LoadPath, arc_length_passes_limit_points) {
  AnalysisRun run(shallow_truss("path: arc-length"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  ASSERT_EQ(run.observer.events.size(), 2u);
  constexpr double located = 1e-7;  // quadratic in the error of the place
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(run.observer.events[k].kind, "limit point");
    EXPECT_NEAR(run.observer.events[k].time, k == 0 ? truss_limit() : -truss_limit(), located);
  }
  EXPECT_TRUE(contains(run.observer.events[0].detail, "0 before, 1 after; 'block'")) << run.observer.events[0].detail;
  constexpr double round_off = 1e-12;
  const double y = -run.last().state.pose[0].x.y();
  const double l = std::hypot(1.0, y);
  EXPECT_NEAR(1000.0 * (l - std::sqrt(1.25)) * y / l, 100.0, 100.0 * round_off);
}

// Protects: load control stops at the limit point and says where, what moves and what to try; the rows are there.
TEST(LoadPath, load_control_says_where_it_stops) {
  AnalysisRun run(shallow_truss("path: load"));
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "load factor 0.21457")) << message;
  EXPECT_TRUE(contains(message, "singular")) << message;
  EXPECT_TRUE(contains(message, "'block'")) << message;
  EXPECT_TRUE(contains(message, "path: arc-length")) << message;
  constexpr double close = 1e-6;
  EXPECT_NEAR(run.last().state.load_factor, truss_limit(), close);
}

// Protects: descent finds the position beyond the snap-through that arc length finds, to round-off.
TEST(LoadPath, descent_finds_the_same_position) {
  AnalysisRun path(shallow_truss("path: arc-length")), descent(shallow_truss("path: descent"));
  path.run();
  descent.run();
  EXPECT_EQ(descent.observer.rows.size(), 1u);
  constexpr double round_off = 1e-14;
  EXPECT_NEAR(path.last().state.pose[0].x.y(), descent.last().state.pose[0].x.y(), round_off);
}

// Protects: a load that is never reached is a failure with the largest load factor, not an endless run.
TEST(LoadPath, too_few_steps_are_a_failure) {
  AnalysisRun run(shallow_truss("path: arc-length, max-steps: 5"));
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "not reached in 5 steps")) << message;
  EXPECT_TRUE(contains(message, "at most 0.21457")) << message;
}

// Protects: the published snap-through load of Lee's frame (18.552 EI/L^2: Simo and Vu-Quoc 1986).
TEST(LoadPath, lee_frame_snaps_through) {
  AnalysisRun run(input_model("input/statics/lee_frame.yaml"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  ASSERT_GE(run.observer.events.size(), 2u);
  constexpr double published = 0.005;  // programs differ by so much
  EXPECT_EQ(run.observer.events[0].kind, "limit point");
  EXPECT_NEAR(20.0 * run.observer.events[0].time, 18.552, 18.552 * published);
}

// Protects: where loads that only rise end, at a limit point, nothing else is announced just before.
TEST(LoadPath, lee_frame_under_rising_loads_has_no_bifurcation) {
  AnalysisRun run(input_model("input/statics/lee_frame.yaml", {{"analysis.static.path", "load"}}));
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "0.92719")) << message;
  for (const Event& event : run.observer.events) EXPECT_EQ(event.kind, "limit point");
}

// Protects: lateral buckling of a right-angle frame in its plane (Argyris et al. 1979: 1.088 N).
TEST(LoadPath, right_angle_frame_buckles_out_of_its_plane) {
  AnalysisRun run(R"yaml(freeplay: 1
sections:
  s: {rectangle: {width: 30 mm, height: 0.6 mm}, material: {E: 71.24 GPa, G: 27.19 GPa, density: 2700 kg/m^3}}
bodies:
  leg: {beam: {section: s, from: [0, 0, 0], to: [0.24, 0, 0], first-axis: [0, 1, 0], elements: 4, fix: {start: [x, y, z, rx, ry, rz]}}}
  arm: {beam: {section: s, from: [0.24, 0, 0], to: [0.24, -0.24, 0], first-axis: [1, 0, 0], elements: 4}}
joints: {corner: {fixed: {between: [leg.end, arm.start]}}}
loads: {P: {force: {on: arm.end, value: [2, 0, 0]}}}
analysis: {static: {}}
)yaml");
  ASSERT_EQ(run.run(), RunEnd::finished);
  ASSERT_GE(run.observer.events.size(), 1u);
  EXPECT_EQ(run.observer.events[0].kind, "bifurcation");
  constexpr double published = 0.02;
  EXPECT_NEAR(2.0 * run.observer.events[0].time, 1.088, 1.088 * published);
}

struct PrincetonCase {
  double load;  ///< [N]
  int angle;    ///< [degrees]
  double y, z;  ///< tip displacements [m]
};

class PrincetonBeam : public testing::TestWithParam<PrincetonCase> {};

// Protects: bending about two axes with torsion at large displacements, against beams of ANSYS as published by Obrezkov
// et al., Nonlinear Dynamics 109 (2022).
TEST_P(PrincetonBeam, has_the_published_deflection) {
  const PrincetonCase c = GetParam();
  AnalysisRun run(input_model(
      "input/statics/princeton_beam.yaml",
      {{"parameters.load", std::to_string(c.load) + " N"}, {"parameters.angle", std::to_string(c.angle) + " deg"}}));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const Vec3 at = run.position("bar.end", run.last());
  // The small displacement in the stiff direction comes from the torsion; beam programs agree no better there.
  constexpr double stiff_direction = 0.015, soft_direction = 0.005;
  constexpr double zero = 1e-12;
  EXPECT_NEAR(-at.y(), c.y, stiff_direction * c.y + zero);
  EXPECT_NEAR(at.z(), c.z, soft_direction * c.z + zero);
}

INSTANTIATE_TEST_SUITE_P(LoadsAndAngles, PrincetonBeam,
                         testing::Values(PrincetonCase{8.896, 0, 1.071417630e-2, 0.0},
                                         PrincetonCase{8.896, 45, 8.837226265e-3, 0.108987937},
                                         PrincetonCase{8.896, 75, 3.538889001e-3, 0.142194370},
                                         PrincetonCase{13.345, 15, 1.645825752e-2, 6.435812858e-2},
                                         PrincetonCase{13.345, 45, 1.518618440e-2, 0.156467239},
                                         PrincetonCase{13.345, 60, 1.157837500e-2, 0.181861627},
                                         PrincetonCase{13.345, 90, 0.0, 0.200677707}),
                         [](const auto& info) {
                           return "load_" + std::to_string(static_cast<int>(info.param.load)) + "_angle_" +
                                  std::to_string(info.param.angle);
                         });

// Protects: no locking: a beam that is 1e4 times longer than thick (EA L^2/EI = 1.2e9) deflects as a thick one does.
TEST(LoadPath, slender_beam_does_not_lock) {
  for (const int degree : {1, 2, 3}) {
    const auto deflection = [&](double axial) {
      AnalysisRun run(cantilever("elements: 8, degree: " + std::to_string(degree),
                                 "F: {force: {on: b.end, value: [0, 3e-3, 0]}}", "", axial));
      EXPECT_EQ(run.run(), RunEnd::finished);
      return tip(run).y();
    };
    constexpr double shear = 3e-3 / (0.4 * 1.2e5);  // deflection F L/GA of the thick one
    constexpr double accuracy = 1e-5;               // round-off is 1e-16 EA L^2/EI = 1e-7, and grows with the elements
    constexpr double discretisation = 0.005;        // of degree 1
    const double slender = deflection(1.2e9);
    EXPECT_NEAR(slender, deflection(1.2e5) - shear, 1e-3 * accuracy) << "degree " << degree;
    EXPECT_NEAR(slender, 1e-3, 1e-3 * discretisation) << "degree " << degree;
  }
}

// Protects: strains do not see where the model stands in space: the energy is the same to round-off after a rotation of
// everything.
TEST(LoadPath, turning_the_whole_model_changes_nothing) {
  const auto energy = [](const Mat3& R) {
    const auto vector = [&](const Vec3& v) {
      const Vec3 r = R * v;
      char text[96];
      std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", r.x(), r.y(), r.z());
      return std::string(text);
    };
    AnalysisRun run(
        "freeplay: 1\nsections:\n  s: {stiffness: {axial: 1e4, shear: 4e3, bending: [1, 3], torsion: 0.8}, mass: 1, "
        "rotary: [0.01, 0.01, 0.02]}\nbodies: {b: {beam: {section: s, from: [0, 0, 0], to: " +
        vector(Vec3::UnitX()) + ", first-axis: " + vector(Vec3::UnitY()) +
        ", fix: {start: [x, y, z, rx, ry, rz]}}}}\nloads: {F: {force: {on: b.end, value: " +
        vector(Vec3(1.0, 2.0, 3.0)) + "}}}\nanalysis: {static: {}}\n");
    EXPECT_EQ(run.run(), RunEnd::finished);
    return run.last().ledger.elastic;
  };
  const double straight = energy(Mat3::Identity());
  constexpr double round_off = 1e-12;
  EXPECT_NEAR(energy(cayley(Vec3(0.7, -1.3, 2.1))), straight, round_off * straight);
  EXPECT_GT(straight, 0.1);
}

// Protects: rigid rotation leaves no strain behind, however long it lasts.
TEST(Beam, thousand_revolutions_leave_no_strain) {
  AnalysisRun run(R"yaml(freeplay: 1
sections:
  s: {stiffness: {axial: 1e3, shear: 5e2, bending: 1, torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}
bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 1, degree: 2, angular-velocity: [6.283185307179586, 0, 0], free: true}}}
analysis: {dynamic: {end: 1000, step: 0.1}}
output: {every: 100}
)yaml");
  ASSERT_EQ(run.run(), RunEnd::finished);
  constexpr double round_off = 1e-12, of_10000_steps = 1e-11;  // strains are sums of their changes
  for (const double strain : run.last().state.internal) EXPECT_NEAR(strain, 0.0, of_10000_steps);
  EXPECT_LT(run.last().ledger.relative_residual(), round_off);
}

// Protects: the same across its axis, with the strain that steady rotation has: it is the same after a thousand
// revolutions as after ten.
TEST(Beam, thousand_revolutions_across_its_axis_change_no_strain) {
  AnalysisRun run(R"yaml(freeplay: 1
sections:
  s: {stiffness: {axial: 1e3, shear: 5e2, bending: 1, torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}
bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2, degree: 2, damping: 0.03, velocity: [0, -3.141592653589793, 0], angular-velocity: [0, 0, 6.283185307179586], free: true}}}
analysis: {dynamic: {end: 1000, step: 0.1}}
output: {every: 10}
)yaml");
  ASSERT_EQ(run.run(), RunEnd::finished);
  constexpr double round_off = 1e-12;
  const std::vector<double>& early = run.observer.rows[1].state.internal;
  const std::vector<double>& late = run.last().state.internal;
  EXPECT_GT(*std::ranges::max_element(early), 1e-3);
  for (std::size_t k = 0; k < early.size(); ++k) EXPECT_NEAR(late[k], early[k], round_off);
  EXPECT_LT(run.last().ledger.relative_residual(), round_off);
}

// Protects: drives grow with the loads, from the given position to what they prescribe: two turns here.
TEST(LoadPath, drive_twists_a_bar_by_two_turns) {
  AnalysisRun run(R"yaml(freeplay: 1
sections:
  s: {stiffness: {axial: 1e4, shear: 4e3, bending: 10, torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}
bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 16, degree: 3, fix: {start: [x, y, z, rx, ry, rz]}}}}
joints: {chuck: {cylindrical: {between: [ground, b.end], axis: [1, 0, 0], drive: {angle: 720 deg}}}}
analysis: {static: {load-steps: 20}}
)yaml");
  ASSERT_EQ(run.run(), RunEnd::finished);
  constexpr double discretisation = 1e-3;
  EXPECT_NEAR(std::abs(run.last().multipliers.back()), 0.8 * 4.0 * pi, 0.8 * 4.0 * pi * discretisation);
  EXPECT_GE(run.observer.rows.size(), 21u);
}

// Protects: loads whose displacements overflow end the search; it once halved a step that was NaN for ever.
TEST(LoadPath, loads_beyond_the_range_of_numbers) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, 1e300, -9.81]
sections: {s: {material: {E: 210 GPa, poisson: 0.3, density: 7850}, rectangle: {width: 2 cm, height: 1 cm}}}
bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], fix: {start: [x, y, z, rx, ry, rz]}}}}
analysis: {static: {}}
)yaml");
  EXPECT_THROW(run.run(), NumericalFailure);
}

}  // namespace
}  // namespace freeplay
