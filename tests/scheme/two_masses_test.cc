#include <gtest/gtest.h>

#include "freeplay/scheme/stick_control.h"
#include "scheme/simulation_testing.h"

// Two masses on a base that also rub on each other: three friction contacts, two freedoms (D. Zardecki 2006). At rest
// the friction forces are not unique, but the accelerations are: those of Gauss's principle of least constraint.

namespace freeplay {
namespace {

constexpr double M1 = 2.0, M2 = 3.0;               // masses [kg]
constexpr double T10 = 5.0, T20 = 7.0, T12 = 4.0;  // limits of friction: first and base, second and base, both [N]

const std::string two_masses =
    "freeplay: 1\n"
    "frictions: {dry: {coulomb: {static: 1, kinetic: 1}}}\n"
    "bodies:\n"
    "  first: {rigid: {mass: 2 kg, inertia: 1 kg*m^2, at: [0, 0, 0]}}\n"
    "  second: {rigid: {mass: 3 kg, inertia: 1 kg*m^2, at: [0, 1, 0]}}\n"
    "joints:\n"
    "  base1: {prismatic: {between: [ground, first], at: [0, 0, 0], axis: [1, 0, 0], friction: {law: dry, preload: 5 "
    "N}}}\n"
    "  base2: {prismatic: {between: [ground, second], at: [0, 1, 0], axis: [1, 0, 0], friction: {law: dry, preload: 7 "
    "N}}}\n"
    "  both: {prismatic: {between: [second, first], at: [0, 0, 0], axis: [1, 0, 0], friction: {law: dry, preload: 4 "
    "N}}}\n"
    "loads:\n"
    "  F1: {force: {on: first, value: ['20 N * sin(17.3 * t/1 s * t/1 s + 0.3)', 0 N, 0 N]}}\n"
    "  F2: {force: {on: second, value: ['20 N * sin(11.9 * t/1 s * t/1 s + 1.1)', 0 N, 0 N]}}\n"
    "analysis: {dynamic: {end: 1 s}}\n";

double load1(double t) { return 20.0 * std::sin(17.3 * t * t + 0.3); }
double load2(double t) { return 20.0 * std::sin(11.9 * t * t + 1.1); }

/// What is left of a force beyond a limit.
double luz(double x, double limit) { return x + 0.5 * (std::abs(x - limit) - std::abs(x + limit)); }
double sign(double x) { return x > 0.0 ? 1.0 : -1.0; }

struct Accelerations {
  double first = 0.0, second = 0.0;
};

/// The exact minimiser of M1 a1^2 + M2 a2^2 at rest: friction with the base is the best answer to a given force w
/// between the masses, and what is left is piecewise quadratic in w.
Accelerations least_constraint(double F1, double F2) {
  const auto left = [&](double w) { return Accelerations{luz(F1 - w, T10) / M1, luz(F2 + w, T20) / M2}; };
  const auto cost = [&](double w) { return M1 * left(w).first * left(w).first + M2 * left(w).second * left(w).second; };
  std::vector<double> candidates{-T12, T12, 0.0};
  for (const double s1 : {-1.0, 1.0}) {
    candidates.push_back(F1 - s1 * T10);
    candidates.push_back(s1 * T20 - F2);
    // Both slip: (F1 - w - s1 T10)/M1 = (F2 + w - s2 T20)/M2.
    for (const double s2 : {-1.0, 1.0})
      candidates.push_back(((F1 - s1 * T10) / M1 - (F2 - s2 * T20) / M2) / (1.0 / M1 + 1.0 / M2));
  }
  double best = 0.0;
  for (const double w : candidates) {
    const double clamped = std::clamp(w, -T12, T12);
    if (cost(clamped) < cost(best)) best = clamped;
  }
  return left(best);
}

class TwoMasses : public testing::Test {
 protected:
  TwoMasses()
      : assembled_(assemble(read_model_text(two_masses, "test.yaml"))), instant_(assembled_.model, test_solvers()) {}

  /// Accelerations that the program finds for these velocities and the loads at time t.
  Accelerations at(double t, double v1, double v2) {
    State state = assembled_.state;
    state.time = t;
    state.twist[0][0] = v1;
    state.twist[1][0] = v2;
    StickControl control(assembled_.model, {});
    control.start(state);
    std::vector<Vec6> rates(2);
    EXPECT_TRUE(control.settle(state, instant_, rates)) << "t = " << t;
    return {rates[0][0], rates[1][0]};
  }

  void expect_same(const Accelerations& found, const Accelerations& expected, double t) {
    EXPECT_NEAR(found.first, expected.first, 1e-10) << "t = " << t;
    EXPECT_NEAR(found.second, expected.second, 1e-10) << "t = " << t;
  }

  Assembled assembled_;
  InstantSystem instant_;
};

// Protects: the search for who sticks and who slips finds the only accelerations that there are, for any loads.
TEST_F(TwoMasses, at_rest_have_the_accelerations_of_least_constraint) {
  for (int k = 0; k < 10000; ++k) {
    const double t = 0.37 * k;
    expect_same(at(t, 0.0, 0.0), least_constraint(load1(t), load2(t)), t);
    if (HasFailure()) return;
  }
}

// Protects: kinetic friction of three contacts (Zardecki 2007 eqs 4.1, 4.2).
TEST_F(TwoMasses, slip_everywhere) {
  for (const auto& [v1, v2] : {std::pair{1.0, 2.0}, {2.0, 1.0}, {1.0, -1.0}, {-1.0, -2.0}})
    for (const double t : {0.1, 0.5, 1.7}) {
      const double w = T12 * sign(v1 - v2);
      expect_same(at(t, v1, v2), {(load1(t) - w - T10 * sign(v1)) / M1, (load2(t) + w - T20 * sign(v2)) / M2}, t);
    }
}

// Protects: one contact at rest among others that slip (Zardecki 2007 eqs 4.3 to 4.8; the second F1 within luz of (4.3)
// and (4.4) must be F2, as its derivation has it).
TEST_F(TwoMasses, one_contact_at_rest) {
  for (int k = 0; k < 500; ++k) {
    const double t = 0.41 * k;
    const double F1 = load1(t), F2 = load2(t);
    for (const double v : {1.0, -1.0}) {
      const double R1 = F1 - T10 * sign(v), R2 = F2 - T20 * sign(v);
      const double between = luz((M2 * R1 - M1 * R2) / (M1 + M2), T12);
      expect_same(at(t, v, v), {(R1 + R2) / (M1 + M2) + between / M1, (R1 + R2) / (M1 + M2) - between / M2}, t);
      expect_same(at(t, 0.0, v), {luz(F1 + T12 * sign(v), T10) / M1, (F2 - (T12 + T20) * sign(v)) / M2}, t);
      expect_same(at(t, v, 0.0), {(F1 - (T12 + T10) * sign(v)) / M1, luz(F2 + T12 * sign(v), T20) / M2}, t);
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace freeplay
