#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "analysis/analysis_testing.h"
#include "freeplay/analysis/campbell.h"
#include "freeplay/analysis/rotor_response.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/deck/model_file.h"

namespace freeplay {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr double rpm = pi / 30.0;
// The shafts of the models have a thousandth of the mass of their disks or less; closed forms have none.
constexpr double of_the_shaft = 5e-5;
constexpr double exact = 1e-8;

std::vector<double> speeds(double from, double to, int n) {
  std::vector<double> result;
  for (int k = 0; k < n; ++k) result.push_back(from + (to - from) * k / (n - 1));
  return result;
}

Campbell campbell_of(const ModelSpec& model, const std::vector<double>& at, int n_modes = 8,
                     const std::string& joint = "") {
  RotorRequest request;
  request.speeds = at;
  request.n_modes = n_modes;
  request.joint = joint;
  Assembled assembled = assemble(model_for_rotor(model, request));
  return find_campbell(assembled, request, test_solvers());
}

RotorResponse response_of(const ModelSpec& model, const RotorRequest& request) {
  Assembled assembled = assemble(model_for_rotor(model, request));
  return find_response(assembled, request, test_solvers());
}

const ResponseQuantity& quantity(const RotorResponse& response, const std::string& name) {
  return *std::ranges::find(response.quantities, name, &ResponseQuantity::name);
}

/// The modes with this whirl at a speed, in Hz.
std::vector<double> frequencies(const Campbell& campbell, Whirl whirl, std::size_t k) {
  std::vector<double> result;
  for (const CampbellLine& line : campbell.lines)
    if (line.at[k] && line.at[k]->whirl == whirl) result.push_back(line.at[k]->frequency() / (2.0 * pi));
  std::ranges::sort(result);
  return result;
}

/// input/rotors/jeffcott.yaml
struct Jeffcott {
  double L = 1.0, EI = 20e3, GA = 50e6, m = 40.0, e = 1e-4, c = 400.0, Ip = 1.25, Id = 0.7;
  double k = 1.0 / (L * L * L / (192.0 * EI) + L / (4.0 * GA));
  double tilt_stiffness() const {
    const double a = 0.5 * L, shear = 12.0 * EI / (GA * a * a);
    return 2.0 * (4.0 + shear) / (1.0 + shear) * EI / a;
  }
  /// Of the disk that tilts, > 0: forward [Hz].
  double tilt(double speed, int direction) const {
    const double h = Ip * speed;
    return (direction * h + std::sqrt(h * h + 4.0 * Id * tilt_stiffness())) / (2.0 * Id) / (2.0 * pi);
  }
  double critical() const { return std::sqrt(k / m); }
  Complex response(double w) const { return m * e * w * w / (k - m * w * w + Complex(0.0, c * w)); }
};

// Protects: frequencies in fixed axes and the names of the whirl. Bending does not depend on the speed; tilting splits
// by the gyroscopic moment: Id p'' -+ i Ip W p' + kt p = 0.
TEST(Rotor, jeffcott_rotor_with_gyroscopic_disk) {
  const Jeffcott closed;
  const Campbell campbell =
      campbell_of(input_model("input/rotors/jeffcott.yaml", {{"parameters.c", "0 N*s/m"}}), speeds(0, 600, 7), 5);
  ASSERT_EQ(campbell.lines.size(), 5u);  // and the twist of the shaft
  EXPECT_EQ(campbell.rotor.joint, "R");
  EXPECT_EQ(campbell.rotor.bodies(assemble(input_model("input/rotors/jeffcott.yaml")).model),
            (std::vector<std::string>{"disk", "shaft"}));
  for (std::size_t k = 1; k < campbell.speeds.size(); ++k) {
    const double bending = closed.critical() / (2.0 * pi), W = campbell.speeds[k];
    std::vector<double> backward{bending, closed.tilt(W, -1)};
    std::ranges::sort(backward);
    const std::vector<double> found = frequencies(campbell, Whirl::backward, k),
                              forward = frequencies(campbell, Whirl::forward, k);
    ASSERT_EQ(found.size(), 2u) << W;
    ASSERT_EQ(forward.size(), 2u) << W;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(found[i], backward[i], of_the_shaft * backward[i]) << W;
    EXPECT_NEAR(forward[0], bending, of_the_shaft * bending) << W;
    EXPECT_NEAR(forward[1], closed.tilt(W, 1), of_the_shaft * closed.tilt(W, 1)) << W;
  }
  // Lines keep their modes: that of backward tilting falls from the fourth place.
  EXPECT_EQ(campbell.lines[3].at.back()->whirl, Whirl::backward);
  EXPECT_NEAR(campbell.lines[3].at.back()->frequency() / (2.0 * pi), closed.tilt(600, -1), of_the_shaft * 50);
  ASSERT_EQ(campbell.critical.size(), 4u);  // twist, bending twice, backward tilting
  EXPECT_EQ(campbell.critical[0].whirl, Whirl::none);
  for (const int k : {1, 2})
    EXPECT_NEAR(campbell.critical[k].speed, closed.critical(), of_the_shaft * closed.critical());
  EXPECT_NE(campbell.critical[1].whirl, campbell.critical[2].whirl);
  EXPECT_FALSE(campbell.stability_limit);
}

// Protects: modes far above the others, whose real parts are round-off, are not taken for unstable.
TEST(Rotor, nothing_grows_without_damping) {
  EXPECT_FALSE(campbell_of(input_model("input/rotors/overhung.yaml"), speeds(0, 6000 * rpm, 13), 8).stability_limit);
}

// Protects: bending and tilting coupled (Stodola's rotor), and critical speeds to more digits than the grid of speeds
// has.
TEST(Rotor, overhung_disk) {
  const double L = 0.4, EI = 6e3, GA = 30e6, m = 12.0, Id = 0.09, Ip = 0.17;
  Eigen::Matrix2d flexibility;
  flexibility << L * L * L / (3.0 * EI) + L / GA, L * L / (2.0 * EI), L * L / (2.0 * EI), L / EI;
  const Eigen::Matrix2d K = flexibility.inverse();
  const auto determinant = [&](double w, double W) {
    return (K(0, 0) - w * w * m) * (K(1, 1) - w * w * Id + w * W * Ip) - K(0, 1) * K(0, 1);
  };
  const Campbell campbell = campbell_of(input_model("input/rotors/overhung.yaml"), speeds(0, 12000 * rpm, 13), 5);
  const double size = K(0, 0) * K(1, 1);
  for (std::size_t k = 1; k < campbell.speeds.size(); ++k)
    for (const CampbellLine& line : campbell.lines) {
      ASSERT_TRUE(line.at[k]);
      if (line.at[k]->whirl == Whirl::none) continue;  // twist and stretch
      const double w = line.at[k]->frequency() * (line.at[k]->whirl == Whirl::forward ? 1.0 : -1.0),
                   W = campbell.speeds[k];
      const double slope = (determinant(1.001 * w, W) - determinant(0.999 * w, W)) / 0.002;
      EXPECT_LT(std::abs(determinant(w, W) / slope), of_the_shaft) << w << " at " << W << " of " << size;
    }
  std::vector<double> forward, backward;
  for (const CriticalSpeed& critical : campbell.critical)
    if (critical.whirl != Whirl::none)
      (critical.whirl == Whirl::forward ? forward : backward).push_back(critical.speed);
  ASSERT_EQ(forward.size(), 1u);  // a thin disk has no second one
  ASSERT_EQ(backward.size(), 2u);
  EXPECT_NEAR(forward[0], 160.17979297, of_the_shaft * 160);
  EXPECT_NEAR(backward[0], 132.61672523, of_the_shaft * 132);
  EXPECT_NEAR(backward[1], 550.44416605, of_the_shaft * 550);
}

// Protects: damping in the shaft turns with it and drives forward whirl, damping against ground does not:
// stable if and only if W < w (1 + c_external/c_internal).
TEST(Rotor, damping_in_the_shaft_limits_the_speed) {
  const Jeffcott closed;
  const double beta = 2e-4, limit = closed.critical() * (1.0 + closed.c / (beta * closed.k));
  // Eight are more than vibrate: the others are damped too much, and are large numbers without meaning to the solver.
  for (const int n_modes : {5, 8}) {
    const Campbell campbell = campbell_of(input_model("input/rotors/jeffcott.yaml", {{"parameters.beta", "200 us"}}),
                                          speeds(0, 1.2 * limit, 13), n_modes);
    ASSERT_TRUE(campbell.stability_limit);
    EXPECT_NEAR(campbell.stability_limit->speed, limit, of_the_shaft * limit);
    EXPECT_EQ(campbell.stability_limit->whirl, Whirl::forward);
    EXPECT_NEAR(campbell.stability_limit->frequency, closed.critical(), of_the_shaft * closed.critical());
    for (const CampbellLine& line : campbell.lines) EXPECT_LT(line.at[0]->frequency() / (2.0 * pi), 1000.0) << n_modes;
  }
}

// Protects: a small model most of whose motions nothing hinders.
TEST(Rotor, free_bodies_beside_the_rotor) {
  const std::string text =
      "freeplay: 1\n"
      "bodies:\n"
      "  disk: {rigid: {mass: 2 kg, inertia: [0.01, 0.01, 0.02], at: [0, 0, 0]}}\n"
      "  b0: {rigid: {mass: 0.5, inertia: [0.01, 0.01, 0.01], at: [1, 0, 0], free: true}}\n"
      "  b1: {rigid: {mass: 10, inertia: [0.01, 0.02, 0.02], at: [2, 0, 0], free: true}}\n"
      "  b2: {rigid: {mass: 1, inertia: [0.01, 0.01, 0.01], at: [3, 0, 0], free: true}}\n"
      "  b3: {rigid: {mass: 0.5, inertia: [0.01, 0.02, 0.02], at: [4, 0, 0], free: true}}\n"
      "joints: {R: {cylindrical: {between: [ground, disk], at: [0, 0, 0], axis: [0, 0, 1]}}}\n"
      "springs: {s: {translational: {between: [b2, b3], stiffness: 1 kN/m}}}\n"
      "analysis: {static: {}}\n";
  for (const int n_modes : {1, 8}) {
    const Campbell campbell = campbell_of(read_model_text(text, "test.yaml"), speeds(0, 50, 3), n_modes);
    ASSERT_EQ(campbell.lines.size(), 1u);
    // 1 kg and 0.5 kg on a spring: sqrt(k (1/1 + 1/0.5)).
    for (const auto& mode : campbell.lines[0].at) EXPECT_NEAR(mode->frequency(), std::sqrt(3000.0), exact * 55);
  }
}

// Protects: unbalance response through resonance, amplitude and phase, from the centre of mass in the model and from
// the option; the force on the bearings.
TEST(Rotor, unbalance_response) {
  const Jeffcott closed;
  const ModelSpec model = input_model("input/rotors/jeffcott.yaml");
  RotorRequest request;
  request.what = RotorRequest::What::unbalance;
  request.speeds = speeds(0, 600, 61);
  const RotorResponse own = response_of(model, request);
  request.unbalances = {{"disk", 4e-3, 0.5 * pi}};
  const RotorResponse other = response_of(model, request);
  constexpr double allowed = 1e-3;
  for (std::size_t k = 1; k < request.speeds.size(); ++k) {
    const double w = request.speeds[k];
    const Complex expected = closed.response(w);
    const ResponsePoint& disk = quantity(own, "disk").at[k];
    EXPECT_NEAR(std::abs(disk.amplitude.y() - expected), 0.0, allowed * std::abs(expected)) << w;
    EXPECT_NEAR(std::abs(disk.amplitude.z() + Complex(0.0, 1.0) * expected), 0.0, allowed * std::abs(expected)) << w;
    EXPECT_NEAR(disk.largest, std::abs(expected), allowed * std::abs(expected)) << w;
    // 90 degrees ahead: along z
    EXPECT_NEAR(std::abs(quantity(other, "disk").at[k].amplitude.z() - expected), 0.0, allowed * std::abs(expected))
        << w;
    const double carried = quantity(own, "R").at[k].largest + quantity(own, "T").at[k].largest;
    EXPECT_NEAR(carried, closed.k * std::abs(expected), allowed * carried) << w;
    EXPECT_NEAR(quantity(own, "air").at[k].largest, closed.c * w * std::abs(expected), allowed * carried) << w;
  }
}

// Protects: response to a load over its frequency, at rest and at speed. The load is across the axis on the disk: its
// forward and backward parts meet the same bending mode.
TEST(Rotor, harmonic_response) {
  const Jeffcott closed;
  const ModelSpec model =
      input_model("input/rotors/jeffcott.yaml", {{"loads", "{F: {force: {on: disk, value: [0, 0, 100 N]}}}"}});
  for (const double speed : {0.0, 250.0}) {
    RotorRequest request;
    request.what = RotorRequest::What::harmonic;
    request.load = "F";
    request.speeds = {speed};
    request.frequencies = speeds(0, 600, 25);
    const RotorResponse response = response_of(model, request);
    for (std::size_t k = 0; k < request.frequencies.size(); ++k) {
      const double w = request.frequencies[k];
      const Complex expected = 100.0 / (closed.k - closed.m * w * w + Complex(0.0, closed.c * w));
      EXPECT_NEAR(std::abs(quantity(response, "disk").at[k].amplitude.z() - expected), 0.0, 1e-3 * std::abs(expected))
          << w;
      EXPECT_LT(std::abs(quantity(response, "disk").at[k].amplitude.y()), 1e-6 * std::abs(expected)) << w;
    }
  }
}

// Protects: cross-coupling of bearings over speed. With q = c W/2 a rigid rotor whirls at half the speed from twice its
// natural frequency on.
TEST(Rotor, oil_whirl) {
  const Campbell campbell = campbell_of(input_model("input/rotors/oil_film.yaml"), speeds(0, 600, 13), 4);
  EXPECT_EQ(campbell.rotor.joint, "left");
  ASSERT_TRUE(campbell.stability_limit);
  EXPECT_NEAR(campbell.stability_limit->speed, 400.0, 400.0 * 1e-6);
  EXPECT_NEAR(campbell.stability_limit->frequency, 200.0, 200.0 * 1e-6);
  EXPECT_EQ(campbell.stability_limit->whirl, Whirl::forward);
}

// Protects: the amplitude of a run in time is that of the response, and both are that of the closed form: a rigid rotor
// in oil films at one speed, after its start has died away.
TEST(Rotor, run_in_time_agrees_with_response) {
  const std::vector<Override> unbalanced{{"parameters.e", "0.1 mm"}, {"parameters.speed", "2000 rpm"}};
  const ModelSpec model = input_model("input/rotors/oil_film.yaml", unbalanced);
  const double m = 50.0, k = 1e6, c = 2e3, W = 2000 * rpm;
  const double expected = m * 1e-4 * W * W / std::abs(Complex(2.0 * k - m * W * W, c * W));
  RotorRequest request;
  request.what = RotorRequest::What::unbalance;
  request.speeds = {W};
  EXPECT_NEAR(quantity(response_of(model, request), "rotor").at[0].largest, expected, 1e-3 * expected);
  AnalysisRun run(model);
  run.run();
  constexpr double allowed = 1e-2;
  const Vec3 at = run.position("rotor", run.last());
  EXPECT_NEAR(std::hypot(at.y(), at.z()), expected, allowed * expected);
}

// Protects: the ledger closes while cross-coupling feeds a whirl.
TEST(Rotor, ledger_of_an_unstable_film) {
  AnalysisRun run(
      input_model("input/rotors/oil_film.yaml", {{"parameters.speed", "4500 rpm"}, {"analysis.dynamic.end", "0.1 s"}}));
  run.run();
  EXPECT_GT(run.last().ledger.load_work, 0.0);
  EXPECT_GT(run.last().ledger.damping_loss, 0.0);
  EXPECT_LT(run.last().ledger.relative_residual(), 1e-9);
}

// Protects: an uneven shaft on even bearings, in axes that turn with it. Between its two critical speeds it is
// unstable. Expected: shooting for Timoshenko's equations of a shaft that whirls synchronously, clamped and pinned,
// with a disk.
TEST(Rotor, uneven_shaft) {
  const Campbell campbell = campbell_of(input_model("input/rotor_critical_speed.yaml"), speeds(0, 60, 13), 4);
  EXPECT_EQ(campbell.rotor.axes, Rotor::Axes::rotating);
  EXPECT_EQ(campbell.rotor.uneven, "shaft");
  constexpr double of_the_mesh = 1e-5;
  ASSERT_EQ(campbell.critical.size(), 3u);
  std::vector<double> forward;
  for (const CriticalSpeed& critical : campbell.critical)
    if (critical.whirl == Whirl::forward) forward.push_back(critical.speed);
  ASSERT_EQ(forward.size(), 2u);
  EXPECT_NEAR(forward[0], 44.0741327, of_the_mesh * 44);
  EXPECT_NEAR(forward[1], 44.4586911, of_the_mesh * 44);
  ASSERT_TRUE(campbell.stability_limit);
  EXPECT_NEAR(campbell.stability_limit->speed, 44.0741327, of_the_mesh * 44);
}

// Protects: both kinds of axes give the same for a rotor that both are right for. A shaft that is uneven by a hair is
// computed in rotating axes.
TEST(Rotor, fixed_and_rotating_axes_agree) {
  const std::string hair = "[20 kN*m^2, 20.000002 kN*m^2]";
  const std::vector<double> at = speeds(20, 120, 3);  // below all critical speeds, which take long to find
  const Campbell fixed = campbell_of(input_model("input/rotors/jeffcott.yaml", {{"parameters.beta", "50 us"}}), at, 5);
  const Campbell rotating =
      campbell_of(input_model("input/rotors/jeffcott.yaml",
                              {{"parameters.beta", "50 us"}, {"sections.shaft.stiffness.bending", hair}}),
                  at, 5);
  EXPECT_EQ(fixed.rotor.axes, Rotor::Axes::fixed);
  EXPECT_EQ(rotating.rotor.axes, Rotor::Axes::rotating);
  for (std::size_t k = 0; k < at.size(); ++k)
    for (const Whirl whirl : {Whirl::forward, Whirl::backward}) {
      const std::vector<double> a = frequencies(fixed, whirl, k), b = frequencies(rotating, whirl, k);
      ASSERT_EQ(a.size(), b.size()) << at[k];
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5 * a[i]) << at[k];
    }
}

// Protects: a housing that moves, uneven bearings between it and the rotor. Massless rotor parts apart, a rigid rotor
// on kx, ky in a housing that nothing holds vibrates with the reduced mass.
TEST(Rotor, housing_vibrates_too) {
  const Campbell campbell = campbell_of(read_model_text(R"yaml(freeplay: 1
bodies:
  rotor: {rigid: {mass: 2 kg, inertia: [0.02, 0.02, 0.03], at: [0, 0, 0]}}
  housing: {rigid: {mass: 6 kg, inertia: 0.1, at: [0, 0, 0]}}
springs:
  film: {bearing-coefficients: {between: [housing, rotor], at: [0, 0, 0], axis: [0, 0, 1], stiffness: [[600 N/m, 0], [0, 1350 N/m]]}}
joints:
  flat: {planar: {between: [ground, housing], at: [0, 0, 0], axis: [0, 0, 1]}}
  slide: {planar: {between: [housing, rotor], at: [0, 0, 0], axis: [0, 0, 1]}}
analysis: {static: {}}
)yaml",
                                                        "test.yaml"),
                                        {0.0, 100.0}, 2);
  ASSERT_EQ(campbell.lines.size(), 2u);
  EXPECT_NEAR(campbell.lines[0].at[1]->frequency(), 20.0, exact * 20.0);
  EXPECT_NEAR(campbell.lines[1].at[1]->frequency(), 30.0, exact * 30.0);
  EXPECT_EQ(campbell.lines[0].at[1]->whirl, Whirl::planar);
}

void expect_refused(const std::function<void()>& call, const std::string& message) {
  try {
    call();
    ADD_FAILURE() << "no error, but expected: " << message;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

// Protects: what has no answer is said, with names.
TEST(Rotor, refuses_what_has_no_frequencies) {
  const std::vector<double> at{100.0};
  const ModelSpec uneven =
      input_model("input/rotor_critical_speed.yaml", {{"springs",
                                                       "{b: {bearing-coefficients: {between: [ground, disk], at: [3, "
                                                       "0, 0], axis: [1, 0, 0], stiffness: [[1e3, 0], [0, 2e3]]}}}"}});
  expect_refused([&] { campbell_of(uneven, at); },
                 "neither the rotor ('shaft') nor what stands still ('b') is the same in all directions");
  const ModelSpec jeffcott = input_model("input/rotors/jeffcott.yaml");
  expect_refused([&] { campbell_of(jeffcott, at, 4, "Q"); }, "there is no joint or bearing 'Q'");
  expect_refused([&] { campbell_of(jeffcott, at, 4, "hub"); }, "'hub' is fixed");
  const ModelSpec held =
      input_model("input/rotors/jeffcott.yaml", {{"joints.T", "{fixed: {between: [ground, shaft.end]}}"}});
  expect_refused([&] { campbell_of(held, at); }, "joints.T: does not let the rotor turn about the axis of 'R'");
  expect_refused([&] { campbell_of(input_model("input/first_model.yaml"), at, 4, "nothing"); }, "--joint");
  RotorRequest request;
  request.what = RotorRequest::What::unbalance;
  request.speeds = at;
  expect_refused([&] { response_of(input_model("input/rotors/overhung.yaml"), request); },
                 "the rotor has no unbalance");
  request.unbalances = {{"dsk", 1e-3, 0.0}};
  expect_refused([&] { response_of(input_model("input/rotors/overhung.yaml"), request); }, "there is no place 'dsk'");
}

}  // namespace
}  // namespace freeplay
