#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/assembly/assembly.h"
#include "freeplay/scheme/step_equations.h"

namespace freeplay {

/// Far from the reference, in fast motion.
struct Disturbed {
  explicit Disturbed(const ModelSpec& spec) : assembled(assemble(spec)), state(assembled.state) {
    for (std::size_t n = 0; n < state.pose.size(); ++n) {
      const double k = static_cast<double>(n);
      Vec6 move;
      move << 0.1 * std::sin(k), 0.2 * std::cos(2.0 * k), 0.1 * k, 0.3 * std::sin(3.0 * k), 0.2 * k, -0.2 * std::cos(k);
      state.pose[n] = moved(state.pose[n], move);
      state.twist[n] = move.reverse();
    }
    Motion now;
    set_instant(state, now);
    for (std::size_t e = 0; e < assembled.model.elements.size(); ++e)
      assembled.model.elements[e]->initialise(now, internal_of(assembled.model, state, e));
  }
  Assembled assembled;
  State state;
};

/// Of the equations of a step, for several alphas.
inline void expect_jacobian_matches_finite_differences(const ModelSpec& spec) {
  const Disturbed model(spec);
  for (const double alpha : {1.0, 0.3, 0.0}) {
    StepEquations equations(model.assembled.model, alpha);
    equations.begin(model.state, 0.1);
    const std::size_t n = equations.size();
    std::vector<double> u(n), plus(n), minus(n);
    for (std::size_t k = 0; k < n; ++k) u[k] = 0.2 * std::sin(1.7 * static_cast<double>(k));
    BlockMatrix matrix = equations.make_matrix();
    equations.jacobian(u, matrix);
    // The stiffness of 1e3 times dt^2/sqrt(inertia) makes entries of the size of a hundred.
    constexpr double tolerance = 1e-5;
    constexpr double h = 1e-6;
    std::vector<double> direction(n, 0.0), product(n);
    for (std::size_t column = 0; column < n; ++column) {
      std::vector<double> changed = u;
      changed[column] = u[column] + h;
      equations.residual(changed, plus);
      changed[column] = u[column] - h;
      equations.residual(changed, minus);
      direction.assign(n, 0.0);
      direction[column] = 1.0;
      matrix.multiply(direction, product);
      for (std::size_t row = 0; row < n; ++row)
        ASSERT_NEAR(product[row], (plus[row] - minus[row]) / (2.0 * h), tolerance)
            << "row " << row << ", column " << column << ", alpha " << alpha;
    }
  }
}

}  // namespace freeplay
