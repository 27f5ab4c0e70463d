#include "freeplay/scheme/static_equations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

// Everything that statics knows, far from where it was assembled.
const char* const menagerie = R"yaml(freeplay: 1
gravity: [1, -9.81, 2]
ground: {points: {hook: [0.3, 1, 0.2]}}
sections:
  s: {stiffness: {axial: 30, shear: 20, bending: 1, torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}
bodies:
  b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2, degree: 2, damping: 0.1}}
  arm: {rigid: {mass: 2, inertia: 0.1, centre: [0.1, 0.2, 0.3], at: [1, 0, 0], points: {tip: [0, 0.4, 0.1]}}}
  slider: {rigid: {mass: 1, inertia: 0.1, at: [1.5, 0.5, 0.2], points: {pin: [0.1, 0, 0]}}}
joints:
  base: {revolute: {between: [ground, b.start], axis: [0, 0, 1], drive: {angle: 0.7 rad}}}
  grip: {spherical: {between: [b.end, arm], at: [1, 0, 0]}}
  rail: {prismatic: {between: [ground, slider], at: [1.5, 0.5, 0.2], axis: [1, 1, 0], drive: {displacement: 0.3}}}
  rod: {distance: {between: [arm.tip, slider.pin], drive: {displacement: 0.9}}}
springs:
  coil: {translational: {between: [ground.hook, arm.tip], stiffness: 50, damping: 2, free-length: 0.4}}
  twist: {torsional: {between: [b.end, arm], at: [1, 0, 0], axis: [0, 0, 1], stiffness: 3, free-angle: 0.5}}
  mount: {bushing: {between: [arm, slider], at: [1.2, 0.2, 0], stiffness: [10, 20, 30, 3, 4, 5], damping: [1, 1, 1, 1, 1, 1]}}
loads:
  dead: {force: {on: arm.tip, value: [3, -2, 1]}}
  live: {force: {on: arm.tip, value: [1, 2, -3], following: true}}
  screw: {torque: {on: slider, value: [0.5, -0.4, 0.3], following: true}}
analysis: {static: {}}
)yaml";

// Protects: the tangent of statics by all unknowns, the load factor among them, for every element, load and drive.
TEST(StaticEquations, jacobian_matches_finite_differences) {
  const Assembled assembled = assemble(read_model_text(menagerie, "test.yaml"));
  State state = assembled.state;
  for (std::size_t n = 0; n < state.pose.size(); ++n) {
    const double k = static_cast<double>(n);
    Vec6 move;
    move << 0.1 * std::sin(k), 0.2 * std::cos(2.0 * k), 0.1 * k, 0.3 * std::sin(3.0 * k), 0.1 * k, -0.2 * std::cos(k);
    state.pose[n] = moved(state.pose[n], move);
  }
  state.multiplier.assign(assembled.model.n_multipliers, 0.0);
  StaticEquations equations(assembled.model);
  equations.begin(state);
  const std::size_t n = equations.size();
  std::vector<double> u(n), row(n), plus(n), minus(n), product(n);
  for (std::size_t k = 0; k < n; ++k) {
    u[k] = 0.2 * std::sin(1.7 * static_cast<double>(k));
    row[k] = equations.metric()[k] * std::cos(static_cast<double>(k));
  }
  u.back() = 0.6;
  BlockMatrix matrix = equations.make_matrix();
  equations.residual(u, plus);
  equations.jacobian(u, row, matrix);
  constexpr double tolerance = 1e-6;  // of entries of the size of a hundred
  constexpr double h = 1e-6;
  for (std::size_t column = 0; column < n; ++column) {
    std::vector<double> changed = u, direction(n, 0.0);
    changed[column] = u[column] + h;
    equations.residual(changed, plus);
    changed[column] = u[column] - h;
    equations.residual(changed, minus);
    direction[column] = 1.0;
    matrix.multiply(direction, product);
    for (std::size_t r = 0; r + 1 < n; ++r)
      ASSERT_NEAR(product[r], (plus[r] - minus[r]) / (2.0 * h), tolerance) << "row " << r << ", column " << column;
    EXPECT_EQ(product.back(), row[column]);
  }
}

// Protects: Newton's method has its order 2, with a load that follows the body.
TEST(StaticEquations, newton_converges_quadratically) {
  const Assembled assembled = assemble(read_model_text(R"yaml(freeplay: 1
sections:
  s: {stiffness: {axial: 1e3, shear: 5e2, bending: 1, torsion: 0.8}, mass: 1, rotary: [0.01, 0.01, 0.02]}
bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 2, fix: {start: [x, y, z, rx, ry, rz]}}}}
loads: {live: {force: {on: b.end, value: [0.5, 0.3, 0.1], following: true}}}
analysis: {static: {}}
)yaml",
                                                       "test.yaml"));
  State state = assembled.state;
  state.load_factor = 1.0;
  StaticEquations equations(assembled.model);
  equations.begin(state);
  const std::size_t n = equations.size();
  std::vector<double> u(n), r(n), load_row(n, 0.0), correction(n), sizes;
  load_row.back() = 1.0;
  equations.guess(u);
  BlockMatrix matrix = equations.make_matrix();
  const auto solver = test_solvers().direct();
  for (int k = 0; k < 12; ++k) {
    equations.residual(u, r);
    r.back() = 0.0;
    double size = 0.0;
    for (const double part : r) size = std::max(size, std::abs(part));
    sizes.push_back(size);
    equations.jacobian(u, load_row, matrix);
    ASSERT_TRUE(solver->solve(matrix, r, 0.0, correction));
    for (std::size_t i = 0; i < n; ++i) u[i] -= correction[i];
  }
  // Digits double: what is below 1e-3 is round-off three iterations later.
  constexpr double small = 1e-3, round_off = 1e-11;
  std::size_t k = 0;
  while (k + 3 < sizes.size() && sizes[k] > small) ++k;
  ASSERT_LT(k + 3, sizes.size());
  EXPECT_LT(sizes[k + 3], round_off);
}

}  // namespace
}  // namespace freeplay
