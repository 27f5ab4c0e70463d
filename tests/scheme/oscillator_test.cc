// Property 2 of the scheme: a linear oscillator is amplified by the rational function of TDG(alpha).

#include <gtest/gtest.h>

#include <complex>
#include <cstdio>
#include <numbers>

#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

using Complex = std::complex<double>;

constexpr double mass = 2.0;

/// A mass that can only slide along x, on a bushing of angular frequency omega, at u = 0.3 m.
std::string oscillator(double omega, double velocity_over_omega = 0.7) {
  char text[512];
  std::snprintf(text, sizeof text, R"yaml(freeplay: 1
ground: {points: {origin: [0, 0, 0]}}
bodies:
  mass: {rigid: {mass: 2, at: [0.3, 0, 0], velocity: [%.17g, 0, 0], fix: [y, z, rx, ry, rz], points: {centre: [0, 0, 0]}}}
springs:
  k: {bushing: {between: [ground.origin, mass.centre], stiffness: [%.17g, 0, 0, 0, 0, 0]}}
analysis: {dynamic: {end: 1}}
)yaml",
                velocity_over_omega * omega, mass * omega * omega);
  return text;
}

/// z = u - i v/omega turns as exp(i omega t).
Complex phasor(const State& state, double omega) { return {state.pose[0].x.x(), -state.twist[0][0] / omega}; }

/// With z as above and s = i omega dt, the four equations of a step are
///   z_f - z_i = s/2 (z_f + z_j),      z_j - z_i = -s/6 [(z_f - z_i) - alpha (z_j - z_i)],
/// and eliminating z_j gives z_f = A z_i with a Pade approximant of exp(s): (1,2) for alpha = 1, (2,2) for alpha = 0.
Complex amplification(double alpha, double omega_dt) {
  const Complex s(0.0, omega_dt);
  return (1.0 + s * (0.5 - alpha / 6.0) + s * s * (1.0 - alpha) / 12.0) /
         (1.0 - s * (0.5 + alpha / 6.0) + s * s * (1.0 + alpha) / 12.0);
}

// Protects: the scheme is the one that was published, for all frequencies.
TEST(Oscillator, amplification_is_the_rational_function) {
  constexpr double omega = 50.0;
  constexpr double round_off = 1e-12;
  for (const double alpha : {1.0, 0.6, 0.2, 0.0})
    for (const double omega_dt : {0.01, 0.3, 1.0, 3.0, 10.0, 300.0}) {
      Simulation simulation(oscillator(omega), with_alpha(alpha));
      Complex expected = phasor(simulation.state(), omega);
      simulation.run(omega_dt / omega, 3, [&] {
        expected *= amplification(alpha, omega_dt);
        EXPECT_LT(std::abs(phasor(simulation.state(), omega) - expected), round_off)
            << "alpha " << alpha << ", omega dt " << omega_dt;
      });
    }
}

double error_after_one_second(double alpha, int n_steps) {
  constexpr double omega = 2.0 * std::numbers::pi * 1.3;
  Simulation simulation(oscillator(omega), with_alpha(alpha));
  const Complex exact = phasor(simulation.state(), omega) * std::exp(Complex(0.0, omega));
  simulation.run(1.0 / n_steps, n_steps);
  return std::abs(phasor(simulation.state(), omega) - exact);
}

constexpr double around = 0.05;

// Protects: third order with full numerical damping.
TEST(Oscillator, order_is_three_for_alpha_one) {
  EXPECT_NEAR(order(error_after_one_second(1.0, 100), error_after_one_second(1.0, 200)), 3.0, around);
}

// Protects: fourth order without numerical damping.
TEST(Oscillator, order_is_four_for_alpha_zero) {
  EXPECT_NEAR(order(error_after_one_second(0.0, 50), error_after_one_second(0.0, 100)), 4.0, around);
}

// Protects: alpha = 0 dissipates nothing, even with 1.5 periods per step.
TEST(Oscillator, alpha_zero_conserves_energy) {
  constexpr int n_steps = 1000;
  const double left = n_steps * StepperOptions{}.newton_tolerance;  // by Newton's method in each step
  constexpr double omega = 50.0;
  Simulation simulation(oscillator(omega), with_alpha(0.0));
  const double initial = simulation.ledger().total();
  simulation.run(10.0 / omega, n_steps);
  EXPECT_NEAR(simulation.ledger().total(), initial, left * initial);
  EXPECT_EQ(simulation.ledger().numerical_loss, 0.0);
}

// Protects: what cannot be resolved vanishes at once for alpha = 1, by 2/(omega dt) per step.
TEST(Oscillator, alpha_one_annihilates_high_frequencies) {
  constexpr double omega = 1e6, dt = 1.0;
  Simulation simulation(oscillator(omega));
  const double before = std::abs(phasor(simulation.state(), omega));
  simulation.run(dt, 1);
  const double after = std::abs(phasor(simulation.state(), omega));
  constexpr double six_digits = 1e-6;
  EXPECT_NEAR(after / before, 2.0 / (omega * dt), six_digits * 2.0 / (omega * dt));
  simulation.run(dt, 2);
  constexpr double gone = 1e-15;  // the third power of 2e-6, with a margin
  EXPECT_LT(std::abs(phasor(simulation.state(), omega)), gone * before);
}

// Protects: a stiff spring that is let go with a large step is solved: round-off of its force is not an error.
TEST(Oscillator, stiff_spring_released_from_rest_is_solved) {
  for (const double omega_dt : {1e2, 1e3, 1e4, 1e6}) {
    const double omega = omega_dt, dt = 1.0;
    Simulation simulation(oscillator(omega, 0.0));
    const StepReport report = simulation.stepper().step(dt);
    EXPECT_TRUE(report.accepted()) << "omega dt " << omega_dt << ": " << report.reason;
    EXPECT_LT(report.newton_iterations, 10);
  }
}

// Protects: the ledger's line for what the scheme took: the energy law with nothing but jumps.
TEST(Oscillator, numerical_loss_explains_the_lost_energy) {
  constexpr double omega = 50.0;
  constexpr double round_off = 1e-13;
  for (const double alpha : {1.0, 0.5}) {
    Simulation simulation(oscillator(omega), with_alpha(alpha));
    const double initial = simulation.ledger().total();
    double last = initial;
    simulation.run(1.0 / omega, 20, [&] {
      EXPECT_LE(simulation.ledger().total(), last);
      last = simulation.ledger().total();
      EXPECT_NEAR(last + simulation.ledger().numerical_loss, initial, round_off * initial);
    });
    EXPECT_LT(last, 0.9 * initial);
  }
}

}  // namespace
}  // namespace freeplay
