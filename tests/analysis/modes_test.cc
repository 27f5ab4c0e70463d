#include "freeplay/analysis/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/analysis_testing.h"
#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

using Kind = Mode::Kind;
using About = ModesRequest::About;
constexpr double pi = std::numbers::pi;
constexpr double g = 9.81;

// Closed forms without any discretisation error must come out to the accuracy of the eigenvalue solver.
constexpr double exact = 1e-8;

Modes modes_of(const ModelSpec& model, const ModesRequest& request) {
  const ModelSpec spec = model_for_modes(model, request);
  Assembled assembled = assemble(spec);
  return find_modes(assembled, spec.analysis, request, test_solvers());
}

Modes modes_of(const std::string& text, const ModesRequest& request) {
  return modes_of(read_model_text("freeplay: 1\n" + text + "analysis: {static: {}}\n", "test.yaml"), request);
}

ModesRequest assembled(int n) { return {About::assembled, n, 0.0, std::nullopt, false}; }
ModesRequest at_rest(int n) { return {About::rest, n, 0.0, std::nullopt, false}; }
ModesRequest rotating(int n, double speed) { return {About::rotation, n, speed, std::nullopt, false}; }

void expect_frequencies(const Modes& modes, const std::vector<double>& expected, double relative) {
  ASSERT_EQ(modes.modes.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(modes.modes[k].kind, expected[k] == 0.0 ? Kind::rigid : Kind::vibration) << "mode " << k + 1;
    EXPECT_NEAR(modes.modes[k].angular_frequency(), expected[k], relative * expected[k]) << "mode " << k + 1;
  }
}

/// A straight beam along x with unit length, mass and bending stiffness.
std::string beam_model(const std::string& stiffness, double rotary, const std::string& beam, const std::string& rest) {
  const std::string r = std::to_string(rotary);
  return "sections: {s: {stiffness: " + stiffness + ", mass: 1, rotary: [" + r + ", " + r + ", " + r +
         "]}}\nbodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], " + beam + "}}" + rest;
}
const std::string slender = "{axial: 1e8, shear: 1e8, bending: 1, torsion: 1e3}";
// Rotary inertia, without which a section cannot be, lowers the frequency f by f rotary / 2 or so.
constexpr double slender_rotary = 1e-6;
constexpr double slender_accuracy = 3e-4;

// Protects: between two sections with outlines the beam tapers as it is drawn. A cantilever whose thickness falls from
// 8 to 3 mm, with a mass at its tip; the frequencies are from shooting with 400 Runge-Kutta steps for Timoshenko's
// equations v' = phi + Q/(kGA), phi' = M/(EI), Q' = -rho A w^2 v, M' = -Q - rho I w^2 phi.
TEST(Modes, tapered_cantilever) {
  const std::string material = ", height: 30 mm}, material: {E: 70 GPa, poisson: 0.33, density: 2700}}\n";
  const Modes modes =
      modes_of("sections:\n  root: {rectangle: {width: 8 mm" + material + "  tip: {rectangle: {width: 3 mm" + material +
                   "bodies:\n"
                   "  arm: {beam: {section: [{at: 0, section: root}, {at: 1, section: tip}], from: [0, 0, "
                   "0], to: [1, 0, 0], first-axis: [0, 1, 0], elements: 6, fix: {start: [x, y, z, rx, ry, "
                   "rz]}}}\n"
                   "  load: {rigid: {mass: 0.3, inertia: 1e-7, at: [1, 0, 0]}}\n"
                   "joints: {grip: {fixed: {between: [arm.end, load]}}}\n",
               assembled(3));
  constexpr double of_the_mesh = 1e-4;
  ASSERT_EQ(modes.modes.size(), 3u);
  EXPECT_NEAR(modes.modes[0].angular_frequency(), 19.49310, 19.49310 * of_the_mesh);
  EXPECT_NEAR(modes.modes[2].angular_frequency(), 140.30734, 140.30734 * of_the_mesh);
}

// Protects: bending frequencies, each twice because the section is the same in both planes.
TEST(Modes, cantilever) {
  const Modes modes = modes_of(
      beam_model(slender, slender_rotary, "elements: 4, degree: 4, fix: {start: [x, y, z, rx, ry, rz]}", "}\n"),
      assembled(6));
  std::vector<double> expected;
  for (const double beta : {1.8751040687, 4.6940911330, 7.8547574382}) expected.insert(expected.end(), 2, beta * beta);
  expect_frequencies(modes, expected, slender_accuracy);
  EXPECT_FALSE(modes.damped);
  EXPECT_EQ(modes.modes[0].body, "b");
}

// Protects: frequencies do not depend on units: stiffnesses and masses of another size make the same.
TEST(Modes, heavy_and_stiff_cantilever) {
  const Modes modes = modes_of(
      "sections: {s: {stiffness: {axial: 1e13, shear: 1e13, bending: 1e5, torsion: 1e8}, mass: 1e5, rotary: [0.1, 0.1, "
      "0.1]}}\nbodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 4, degree: 4, fix: {start: "
      "[x, "
      "y, z, rx, ry, rz]}}}}\n",
      assembled(2));
  expect_frequencies(modes, {3.5160152685, 3.5160152685}, slender_accuracy);
}

// Protects: shear and rotary inertia, against the exact solution of Timoshenko's equations: with sine and cosine of
// k x for deflection and rotation, (GA k^2 - m w^2)(EI k^2 + GA - J w^2) = GA^2 k^2.
TEST(Modes, simply_supported_timoshenko_beam) {
  const double GA = 50.0, J = 0.01;
  const Modes modes =
      modes_of(beam_model("{axial: 1e5, shear: 50, bending: 1, torsion: 1e4}", J, "elements: 8, degree: 4",
                          "}\njoints:\n  one: {spherical: {between: [ground, b.start]}}\n"
                          "  other: {point-on-line: {between: [ground, b.end], axis: [1, 0, 0]}}\n"),
               assembled(7));
  std::vector<double> expected{0.0};  // free to turn about its axis
  for (int n = 1; n <= 3; ++n) {
    const double k = n * pi;
    const double b = GA * k * k * J + k * k + GA;  // m = EI = 1
    const double square = (b - std::sqrt(b * b - 4.0 * J * GA * k * k * k * k)) / (2.0 * J);
    expected.insert(expected.end(), 2, std::sqrt(square));
  }
  constexpr double of_the_mesh = 1e-7;  // eight elements of degree 4, one and a half waves
  expect_frequencies(modes, expected, of_the_mesh);
}

// Protects: rigid motions of a free body: six zeros and nothing that looks like them.
TEST(Modes, free_beam_has_six_rigid_modes) {
  const Modes modes =
      modes_of(beam_model(slender, slender_rotary, "elements: 4, degree: 4, free: true", "}\n"), assembled(10));
  std::vector<double> expected(6, 0.0);
  for (const double beta : {4.7300407449, 7.8532046241}) expected.insert(expected.end(), 2, beta * beta);
  expect_frequencies(modes, expected, slender_accuracy);
}

// Protects: the stiffness of gravity, through the joint reaction (the node is in the centre of mass).
TEST(Modes, pendulum_about_its_rest) {
  const Modes modes = modes_of(R"yaml(gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: 2, inertia: 0.3, at: [0.7, 0.1, 0]}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0.1, 0], axis: [0, 0, 1]}}}
)yaml",
                               at_rest(10));
  expect_frequencies(modes, {std::sqrt(2.0 * g * 0.7 / (0.3 + 2.0 * 0.49))}, exact);
}

// Protects: reactions between moving bodies. M and K of two links that hang down, both angles from the vertical.
TEST(Modes, double_pendulum) {
  const double m1 = 2.0, I1 = 0.3, a1 = 0.4, L1 = 1.0, m2 = 1.5, I2 = 0.1, a2 = 0.6;
  const Modes modes = modes_of(R"yaml(gravity: [0, 0, -9.81]
bodies:
  upper: {rigid: {mass: 2, inertia: 0.3, at: [0, 0, -0.4], points: {low: [0, 0, -0.6]}}}
  lower: {rigid: {mass: 1.5, inertia: 0.1, at: [0, 0, -1.6]}}
joints:
  one: {revolute: {between: [ground, upper], at: [0, 0, 0], axis: [0, 1, 0]}}
  two: {revolute: {between: [upper.low, lower], at: [0, 0, -1], axis: [0, 1, 0]}}
)yaml",
                               at_rest(10));
  const double M11 = I1 + m1 * a1 * a1 + m2 * L1 * L1, M12 = m2 * L1 * a2, M22 = I2 + m2 * a2 * a2;
  const double K1 = (m1 * a1 + m2 * L1) * g, K2 = m2 * a2 * g;
  const double a = M11 * M22 - M12 * M12, b = M11 * K2 + M22 * K1, c = K1 * K2;
  const double root = std::sqrt(b * b - 4.0 * a * c);
  expect_frequencies(modes, {std::sqrt((b - root) / (2.0 * a)), std::sqrt((b + root) / (2.0 * a))}, exact);
}

// Protects: an equilibrium that is none for long is called unstable, with its rate of growth.
TEST(Modes, inverted_pendulum_is_unstable) {
  const Modes modes = modes_of(R"yaml(gravity: [0, 9.81, 0]
bodies: {bob: {rigid: {mass: 2, inertia: 0.3, at: [0, -0.7, 0]}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}}
)yaml",
                               at_rest(1));
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_EQ(modes.modes[0].kind, Kind::unstable);
  const double growth = std::sqrt(2.0 * g * 0.7 / (0.3 + 2.0 * 0.49));
  EXPECT_NEAR(modes.modes[0].decay_rate(), -growth, exact * growth);
}

std::string oscillator(double damping) {
  return "bodies: {cart: {rigid: {mass: 2, inertia: 1, at: [1, 0, 0]}}}\n"
         "joints: {rail: {prismatic: {between: [ground, cart], at: [1, 0, 0], axis: [1, 0, 0]}}}\n"
         "springs: {s: {translational: {between: [ground, cart], stiffness: 50, damping: " +
         std::to_string(damping) + "}}}\n";
}

// Protects: the damping ratio c / (2 sqrt(k m)) and the frequency with damping.
TEST(Modes, damped_oscillator) {
  const double ratio = 4.0 / (2.0 * std::sqrt(50.0 * 2.0));
  const Modes modes = modes_of(oscillator(4.0), assembled(1));
  EXPECT_TRUE(modes.damped);
  expect_frequencies(modes, {5.0 * std::sqrt(1.0 - ratio * ratio)}, exact);
  EXPECT_NEAR(modes.modes[0].damping_ratio(), ratio, exact);
  EXPECT_NEAR(modes.modes[0].decay_rate(), 1.0, exact);
}

// Protects: above critical damping there is a decay, the slower one first, and no frequency.
TEST(Modes, overdamped_oscillator_creeps) {
  const Modes modes = modes_of(oscillator(40.0), assembled(1));
  ASSERT_EQ(modes.modes.size(), 1u);
  EXPECT_EQ(modes.modes[0].kind, Kind::decay);
  EXPECT_EQ(modes.modes[0].angular_frequency(), 0.0);
  EXPECT_NEAR(modes.modes[0].decay_rate(), 10.0 - std::sqrt(75.0), exact);
}

// Protects: stiffness-proportional damping of beams, ratio = damping * frequency / 2, in both planes.
TEST(Modes, damped_beam) {
  const Modes modes =
      modes_of(beam_model(slender, slender_rotary,
                          "elements: 4, degree: 3, damping: 1e-3, fix: {start: [x, y, z, rx, ry, rz]}", "}\n"),
               assembled(4));
  ASSERT_EQ(modes.modes.size(), 4u);
  for (const Mode& mode : modes.modes) {
    EXPECT_EQ(mode.kind, Kind::vibration);
    EXPECT_NEAR(mode.damping_ratio(), 0.5e-3 * std::abs(mode.value), 1e-6 * mode.damping_ratio() + 1e-9);
  }
}

// Protects: redundant equations of a loop of hinges do not disturb. The cranks of a parallelogram turn by the same
// angle, the coupler does not turn.
TEST(Modes, parallelogram_with_redundant_joints) {
  const std::string model = R"yaml(bodies:
  left: {rigid: {mass: 1, inertia: 0.2, at: [0, 0.5, 0], points: {top: [0, 0.5, 0]}}}
  right: {rigid: {mass: 1, inertia: 0.2, at: [2, 0.5, 0], points: {top: [0, 0.5, 0]}}}
  coupler: {rigid: {mass: 3, inertia: 0.7, at: [1, 1, 0]}}
joints:
  a: {revolute: {between: [ground, left], at: [0, 0, 0], axis: [0, 0, 1]}}
  b: {revolute: {between: [left.top, coupler], at: [0, 1, 0], axis: [0, 0, 1]}}
  c: {revolute: {between: [right.top, coupler], at: [2, 1, 0], axis: [0, 0, 1]}}
  d: {revolute: {between: [ground, right], at: [2, 0, 0], axis: [0, 0, 1]}}
springs: {s: {torsional: {between: [ground, left], at: [0, 0, 0], axis: [0, 0, 1], stiffness: 90}}}
)yaml";
  expect_frequencies(modes_of(model, assembled(10)), {std::sqrt(90.0 / (2.0 * (0.2 + 0.25) + 3.0))}, exact);
}

// Protects: centrifugal stiffening. Exact frequencies of a rotating cantilever without hub radius (Wright, Smith,
// Thresher and Wang, Journal of Applied Mechanics 49, 1982), four digits; out of the plane of rotation as printed, in
// it f^2 - speed^2.
TEST(Modes, rotating_cantilever) {
  struct Case {
    double speed, first, second;
  };
  constexpr double printed = 3e-4;
  for (const Case& c : {Case{6.0, 7.3604, 26.8091}, Case{12.0, 13.1702, 37.6031}}) {
    const Modes modes = modes_of(
        beam_model(
            slender, slender_rotary, "elements: 6, degree: 4",
            ", hub: {rigid: {mass: 1, inertia: 1, at: [0, 0, 0]}}}\n"
            "joints:\n"
            "  bearing: {revolute: {between: [ground, hub], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: 0}}}\n"
            "  clamp: {fixed: {between: [hub, b.start]}}\n"),
        rotating(4, c.speed));
    const auto in_plane = [&](double f) { return std::sqrt(f * f - c.speed * c.speed); };
    expect_frequencies(modes, {in_plane(c.first), c.first, in_plane(c.second), c.second}, printed);
  }
}

// Protects: a point mass turns with a model that turns, although it has no rotation. On a spring along a turning hub
// (J = 1) it rests at r = k l/(k - m w^2) and vibrates with omega^2 = k/m - w^2 + 4 w^2 m r^2/(J + m r^2).
TEST(Modes, point_masses_turn_with_the_model) {
  const Modes modes = modes_of(
      "bodies:\n"
      "  hub: {rigid: {mass: 1 kg, inertia: 1, at: [0, 0, 0]}}\n"
      "  m: {point: {mass: 2 kg, at: [1, 0, 0]}}\n"
      "joints:\n"
      "  h: {revolute: {between: [ground, hub], axis: [0, 0, 1]}}\n"
      "  l: {point-on-line: {between: [hub, m], axis: [1, 0, 0]}}\n"
      "springs: {s: {translational: {between: [hub, m], stiffness: 800 N/m, free-length: 1 m}}}\n",
      rotating(2, 10.0));
  const double r = 800.0 / (800.0 - 200.0), mrr = 2.0 * r * r;
  expect_frequencies(modes, {0.0, std::sqrt(400.0 - 100.0 + 400.0 * mrr / (1.0 + mrr))}, exact);
}

std::string top(const std::string& gravity) {
  return "gravity: " + gravity +
         "\nbodies: {top: {rigid: {mass: 2, inertia: [0.3, 0.3, 0.5], at: [0, 0, 0.4]}}}\n"
         "joints: {tip: {spherical: {between: [ground, top], at: [0, 0, 0]}}}\n";
}

ModesRequest spinning(double speed) {
  ModesRequest request = rotating(3, speed);
  request.axis = Vec3::UnitZ();
  return request;
}

// Protects: gyroscopic forces. A free symmetric top wobbles with the speed times (I3/I1 - 1) in its own axes; that its
// axis may point anywhere shows as the speed itself.
TEST(Modes, free_top) {
  const double I1 = 0.3 + 2.0 * 0.16, I3 = 0.5, speed = 20.0;
  expect_frequencies(modes_of(top("[0, 0, 0]"), spinning(speed)), {0.0, (1.0 - I3 / I1) * speed, speed}, exact);
}

// Protects: gyroscopic forces and gravity together. Of a sleeping top I1 s^2 - I3 speed s + m g l = 0 in space; too
// slow, it falls.
TEST(Modes, sleeping_top) {
  const double I1 = 0.3 + 2.0 * 0.16, I3 = 0.5, mgl = 2.0 * g * 0.4, speed = 20.0;
  const double root = std::sqrt(I3 * I3 * speed * speed - 4.0 * I1 * mgl);
  const double fast = (I3 * speed + root) / (2.0 * I1), slow = (I3 * speed - root) / (2.0 * I1);
  const Modes modes = modes_of(top("[0, 0, -9.81]"), spinning(speed));
  expect_frequencies(modes, {0.0, speed - fast, speed - slow}, exact);

  const Modes falling = modes_of(top("[0, 0, -9.81]"), spinning(0.9 * std::sqrt(4.0 * I1 * mgl) / I3));
  EXPECT_EQ(falling.modes[0].kind, Kind::unstable);
}

const std::string rotor = "input/rotor_critical_speed.yaml";

// Protects: the published critical speeds of the benchmark.
TEST(Modes, critical_speeds_of_the_benchmark) {
  constexpr double published = 0.01;  // rad/s
  const Modes modes = modes_of(input_model(rotor), assembled(3));
  EXPECT_EQ(modes.modes[0].kind, Kind::rigid);
  EXPECT_NEAR(modes.modes[1].angular_frequency(), 44.069, published);
  EXPECT_NEAR(modes.modes[2].angular_frequency(), 44.453, published);
}

// Protects: a shaft that is not round is unstable between its critical speeds, and only there.
TEST(Modes, shaft_is_unstable_between_critical_speeds) {
  const ModelSpec balanced = input_model(rotor, {{"sections.tube.centre", "[0, 0]"}});
  for (const double speed : {44.0, 44.1, 44.4, 44.5})
    EXPECT_EQ(modes_of(balanced, rotating(2, speed)).modes[0].kind == Kind::unstable, speed > 44.069 && speed < 44.453)
        << speed;
}

// Protects: the steady state at speed. A mass on a spring along a turning arm stands at l k / (k - m speed^2) and
// vibrates with sqrt(k/m - speed^2).
TEST(Modes, steady_rotation_stretches_the_spring) {
  const double k = 100.0, m = 2.0, l = 0.5, speed = 3.0;
  const Modes modes = modes_of(R"yaml(bodies:
  arm: {rigid: {mass: 1, inertia: 1, at: [0, 0, 0]}}
  slider: {rigid: {mass: 2, inertia: 1, at: [0.5, 0, 0]}}
joints:
  bearing: {revolute: {between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: 0}}}
  guide: {prismatic: {between: [arm, slider], at: [0, 0, 0], axis: [1, 0, 0]}}
springs: {s: {translational: {between: [arm, slider], stiffness: 100}}}
)yaml",
                               rotating(1, speed));
  EXPECT_NEAR(modes.state.pose[1].x.x(), l * k / (k - m * speed * speed), exact);
  expect_frequencies(modes, {std::sqrt(k / m - speed * speed)}, exact);
}

// Protects: a journal that has settled in its bearing vibrates there with the stiffness of the contact, undamped: it
// came to rest without an impact. Along the wall it swings like a pendulum, and nothing hinders its turning.
TEST(Modes, journal_at_the_bottom_of_its_bearing) {
  const double K = 1e9, m = 2.0, g = 9.81, clearance = 1e-4;
  const Modes modes = modes_of(R"yaml(gravity: [0, -9.81, 0]
bodies: {disk: {rigid: {mass: 2, inertia: 0.1, at: [0, 0, 0], points: {pin: [0, 0, 0]}}}}
contacts: {c: {flores: {stiffness: 1e9, restitution: 0.7}}}
joints: {pin: {planar-clearance: {between: [ground, disk.pin], axis: [0, 0, 1], bearing-radius: 10.1 mm, journal-radius: 10 mm, contact: c}}}
)yaml",
                               at_rest(3));
  const double depth = std::pow(m * g / K, 1.0 / 1.5);
  expect_frequencies(modes, {0.0, std::sqrt(g / (clearance + depth)), std::sqrt(1.5 * K * std::sqrt(depth) / m)},
                     exact);
  for (const Mode& mode : modes.modes) EXPECT_NEAR(mode.decay_rate(), 0.0, 1e-9);
}

// Protects: all of K against finite differences of the balance, away from equilibrium, turning.
TEST(Linearisation, stiffness_is_the_derivative_of_the_balance) {
  const ModelSpec spec = read_model_text(R"yaml(freeplay: 1
gravity: [1, -9.81, 2]
sections: {s: {stiffness: {axial: 1e3, shear: 5e2, bending: 10, torsion: 8}, mass: 1, centre: [0.1, 0.05], rotary: [0.01, 0.02, 0.03]}}
ground: {points: {hook: [0.2, 2, 0.1]}}
bodies:
  a: {rigid: {mass: 2, inertia: [0.3, 0.4, 0.5], centre: [0.1, 0.2, 0.3], at: [0.3, 1, 0.2], points: {p: [0.1, 0.3, 0.2]}}}
  b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 1, degree: 2}}
joints:
  ball: {spherical: {between: [ground, b.start], at: [0, 0, 0]}}
  slide: {cylindrical: {between: [b.end, a], at: [1, 0, 0], axis: [1, 1, 0]}}
springs:
  pull: {translational: {between: [ground.hook, a.p], stiffness: 70, free-length: 0.5}}
  twist: {torsional: {between: [b.start, a], axis: [0, 1, 0], stiffness: 20, free-angle: 0.3}}
  soft: {bushing: {between: [a, b.end], at: [0.5, 0.5, 0], stiffness: [10, 20, 30, 4, 5, 6]}}
loads:
  push: {force: {on: a.p, value: [1, 2, 3], following: true}}
analysis: {static: {}}
)yaml",
                                         "test.yaml");
  const Assembled assembled = assemble(spec);
  const Model& model = assembled.model;
  Linearisation equations(model, {Vec3(0.7, -1.1, 1.9), Vec3(0.3, 0.2, 0.1)});
  State state = assembled.state;
  for (std::size_t k = 0; k < state.multiplier.size(); ++k) state.multiplier[k] = std::cos(static_cast<double>(k));
  Motion motion;
  const auto displaced = [&](const State& from, int node, const Vec6& eta) {
    State to = from;
    set_rest(from, motion);
    to.pose[node] = moved(from.pose[node], eta);
    motion.nodes[node].set_end(to.pose[node]);
    for (std::size_t e = 0; e < model.elements.size(); ++e)
      model.elements[e]->advance(motion, internal_of(model, to, e));
    return to;
  };
  for (std::size_t n = 0; n < state.pose.size(); ++n)
    state = displaced(state, static_cast<int>(n), 0.1 * Vec6(std::cos(n), 1.0, -0.4, 0.7, std::sin(n), 0.9));

  const auto residual_at = [&](const State& s) {
    equations.assemble(s);
    return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(equations.residual.data(), equations.residual.size()));
  };
  constexpr double h = 1e-5;
  constexpr double difference = 1e-6;  // h^2 times third derivatives, of the size of the stiffness 1e3
  residual_at(state);
  const Eigen::MatrixXd K = Eigen::MatrixXd(Linearisation::sparse(equations.stiffness));
  const int n_dofs = equations.n_degrees_of_freedom();
  for (std::size_t n = 0; n < state.pose.size(); ++n)
    for (int k = 0; k < 6; ++k) {
      const Vec6 eta = h * Vec6::Unit(k);
      const Eigen::VectorXd slope = (residual_at(displaced(state, static_cast<int>(n), eta)) -
                                     residual_at(displaced(state, static_cast<int>(n), -eta))) /
                                    (2.0 * h);
      EXPECT_LT((slope - K.col(6 * n + k)).cwiseAbs().maxCoeff(), difference * K.cwiseAbs().maxCoeff())
          << model.nodes[n].name << " " << k << "\n"
          << (slope - K.col(6 * n + k)).transpose().head(n_dofs);
    }
}

void expect_refused(const std::string& text, const ModesRequest& request, const std::string& message) {
  try {
    modes_of(text, request);
    ADD_FAILURE() << "no error, but expected: " << message;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

const std::string pendulum = R"yaml(gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: 2, inertia: 0.3, at: [0, -0.7, 0]}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}}
)yaml";

// Protects: what cannot be answered is said, with the remedy.
TEST(Modes, refuses_what_has_no_answer) {
  expect_refused(pendulum, assembled(1), "use --static to count gravity and loads");
  expect_refused(pendulum, rotating(1, 5.0), "gravity is not along the axis");
  ModesRequest wrong_axis = rotating(1, 5.0);
  wrong_axis.axis = Vec3::UnitX();
  expect_refused(pendulum, wrong_axis, "joints.pin: does not let the model turn about the axis (1, 0, 0)");
  expect_refused(
      "bodies: {cart: {rigid: {mass: 2, inertia: 1, at: [1, 0, 0]}}}\n"
      "joints: {rail: {prismatic: {between: [ground, cart], at: [1, 0, 0], axis: [1, 0, 0]}}}\n"
      "springs: {s: {translational: {between: [ground, cart], stiffness: 50, free-length: 0.5}}}\n",
      assembled(1), "use --static");
  expect_refused(
      "bodies: {rotor: {rigid: {mass: 2, inertia: 1, at: [0, 0, 0]}}}\n"
      "joints: {bearing: {planar: {between: [ground, rotor], at: [0, 0, 0], axis: [0, 0, 1]}}}\n"
      "springs: {soft: {bushing: {between: [ground, rotor], at: [0, 0, 0], stiffness: [100, 50, 0, 0, 0, 0]}}}\n",
      spinning(5.0), "'soft' does not turn with the model");
  expect_refused(
      "bodies: {box: {rigid: {mass: 2, inertia: 1, at: [0, 0, 0]}}}\n"
      "joints: {glue: {fixed: {between: [ground, box], at: [0, 0, 0]}}}\n",
      assembled(1), "let nothing move");
}

// Protects: the rest of a dynamic model is found on the load path of a static analysis. The full load at once is too
// much for Newton's method: linear theory bends the beam by F L^3 / (3 EI), five times its length.
TEST(Modes, rest_of_a_dynamic_model_is_that_of_statics) {
  const std::string model =
      "freeplay: 1\n" +
      beam_model("{axial: 1e4, shear: 4e3, bending: 1, torsion: 0.8}", 0.01,
                 "elements: 4, degree: 3, fix: {start: [x, y, z, rx, ry, rz]}", "}\n") +
      "loads: {F: {force: {on: b.end, value: [0, 0, -15]}}}\noutput: {columns: [time, work.loads]}\n";
  const auto modes = [&](const std::string& text) { return modes_of(read_model_text(text, "test.yaml"), at_rest(4)); };
  const Modes expected = modes(model.substr(0, model.find("output:")) + "analysis: {static: {}}\n");
  const Modes found = modes(model + "analysis: {dynamic: {end: 1}}\n");
  ASSERT_EQ(found.modes.size(), expected.modes.size());
  for (std::size_t k = 0; k < found.modes.size(); ++k) EXPECT_EQ(found.modes[k].value, expected.modes[k].value);
}

// Protects: bending is not lost in the round-off of shear. A steel wire of 1 m, made so stiff against shear (1000 EA)
// that it does not shear, vibrates as Euler and Bernoulli say: w = (beta/L)^2 sqrt(EI/(rho A)). Rotary inertia lowers
// the third frequency by (beta d)^2/32 or so.
TEST(Modes, shear_rigid_wires) {
  constexpr double E = 2.1e11, density = 7850.0;
  for (const auto& [d, elements] : {std::pair{1e-2, 8}, {1e-3, 20}, {1e-4, 8}}) {
    const double A = 0.25 * pi * d * d, EI = E * A * d * d / 16.0, rotary = density * A * d * d / 16.0;
    char model[512];
    std::snprintf(model, sizeof model,
                  "sections: {s: {stiffness: {axial: %.17g, shear: %.17g, bending: %.17g, torsion: %.17g}, mass: "
                  "%.17g, rotary: [%.17g, %.17g, %.17g]}}\nbodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, "
                  "0, 0], elements: %d, degree: 3, fix: {start: [x, y, z, rx, ry, rz]}}}}\n",
                  E * A, 1000.0 * E * A, EI, 0.77 * EI, density * A, rotary, rotary, 2.0 * rotary, elements);
    SCOPED_TRACE(testing::Message() << "d = " << d << ", " << elements << " elements");
    std::vector<double> expected;
    for (const double beta : {1.8751040687, 4.6940911330, 7.8547574382})
      expected.insert(expected.end(), 2, beta * beta * std::sqrt(EI / (density * A)));
    constexpr double of_the_mesh = 1e-4;
    expect_frequencies(modes_of(model, assembled(6)), expected, of_the_mesh + 61.7 * d * d / 16.0);
  }
}

// Protects: rigid motions stay what they are beside stiff shear: six, and then bending.
TEST(Modes, free_shear_rigid_beam_has_six_rigid_modes) {
  const Modes modes = modes_of(beam_model("{axial: 1e8, shear: 1e12, bending: 1, torsion: 1e3}", slender_rotary,
                                          "elements: 8, degree: 4, free: true", "}\n"),
                               assembled(10));
  std::vector<double> expected(6, 0.0);
  for (const double beta : {4.7300407449, 7.8532046241}) expected.insert(expected.end(), 2, beta * beta);
  expect_frequencies(modes, expected, slender_accuracy);
}

// Protects: numbers that no computer can multiply are an error that says so, not one of a library.
TEST(Modes, stiffness_beyond_the_range_of_numbers) {
  const std::string message = message_of<InputError>([] {
    modes_of(input_model("input/flexible_pendulum.yaml", {{"parameters.EI", "1e300 N*m^2"}}), assembled(10));
  });
  EXPECT_TRUE(contains(message, "look at the units")) << message;
}

}  // namespace
}  // namespace freeplay
