#include "freeplay/scheme/step_portions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/beam_jacobian_testing.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/scheme/step_nodes.h"
#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

// Two beams with a joint between them, a spring from the start of one to the end of the other, a rigid body on its own.
const char* const frame =
    "freeplay: 1\n"
    "sections: {s: {rectangle: {width: 10 mm, height: 10 mm}, material: {E: 210 GPa, G: 81 GPa, density: 7850 "
    "kg/m^3}}}\n"
    "bodies:\n"
    "  b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 20, degree: 3}}\n"
    "  c: {beam: {section: s, from: [1, 0, 0], to: [1, 1, 0], elements: 15, degree: 2}}\n"
    "  free: {rigid: {mass: 1 kg, inertia: [1, 1, 1], free: true}}\n"
    "joints: {pin: {spherical: {between: [b.end, c.start]}}}\n"
    "springs:\n"
    "  k: {translational: {between: [b.start, c.end], stiffness: 1 kN/m, free-length: 1 m}}\n"
    "  g: {translational: {between: [ground, c.end], stiffness: 1 kN/m, free-length: 1 m}}\n"
    "analysis: {dynamic: {end: 1 s}}\n";

// Protects: every node is moved once, before any element asks where it is, and balanced once, after the last force on
// it is known; those of joints in the last portion. Otherwise a residual would lack forces, or use those of old
// motions.
TEST(StepPortions, nodes_move_before_and_are_balanced_after_their_elements) {
  const Assembled assembled = assemble(read_model_text(frame, "test.yaml"));
  const Model& model = assembled.model;
  for (const std::size_t n_elements : {1, 3, 1000}) {
    const auto portions = step_portions(model, Ownership(model, Team::alone()), n_elements);
    EXPECT_EQ(portions.size(), (model.elements.size() + n_elements - 1) / n_elements);
    std::vector<int> moved(StepNodes::n_groups(model)), balanced(moved.size());
    std::vector<int> evaluated(model.elements.size());
    for (const StepPortion& portion : portions) {
      for (const int group : portion.groups_to_move) ++moved[group];
      for (const int element : portion.elements) {
        ++evaluated[element];
        for (const int node : model.elements[element]->nodes()) {
          if (node == ground) continue;
          EXPECT_EQ(moved[StepNodes::group_of(node)], 1);
          EXPECT_EQ(balanced[StepNodes::group_of(node)], 0);
        }
      }
      if (&portion == &portions.back()) {
        for (const int node : {model.joints[0].a.node, model.joints[0].b.node})
          EXPECT_EQ(balanced[StepNodes::group_of(node)], 0);
      }
      for (const int group : portion.groups_to_balance) ++balanced[group];
    }
    for (const auto& counts : {moved, balanced, evaluated})
      EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](int count) { return count == 1; }));
    // Along a beam nodes are balanced soon, and not all of them at the end.
    if (n_elements == 3) {
      EXPECT_LT(portions.back().groups_to_balance.size(), balanced.size() / 4);
    }
  }
}

/// The same with forces and moments of elastic bodies of the size of one, in fast motion.
const char* const soft_frame =
    "freeplay: 1\n"
    "sections: {s: {rectangle: {width: 1, height: 1}, material: {E: 1e3, G: 5e2, density: 1}}}\n"
    "bodies:\n"
    "  b: {beam: {section: s, from: [0, 0, 0], to: [10, 0, 0], elements: 21, degree: 2, damping: 0.03, fix: {end: "
    "[x, y, z]}}}\n"
    "  c: {beam: {section: s, from: [10, 0, 0], to: [10, 8, 0], elements: 18, degree: 1}}\n"
    "  free: {rigid: {mass: 1, inertia: [1, 1, 1], free: true}}\n"
    "joints: {pin: {spherical: {between: [b.end, c.start]}}}\n"
    "springs:\n"
    "  k: {translational: {between: [b.start, c.end], stiffness: 1 kN/m, free-length: 1 m}}\n"
    "  g: {translational: {between: [ground, c.end], stiffness: 1 kN/m, free-length: 1 m}}\n"
    "loads: {w: {line-load: {on: b, force: [1, 2, 3], moment: [1, 0, 2], following: true}}}\n"
    "analysis: {dynamic: {end: 1 s}}\n";

// Protects: in a model of several portions nothing is left over from the evaluation before, neither in residuals nor in
// a matrix that is used again, and the derivatives are those of the residual.
TEST(StepPortions, evaluations_do_not_depend_on_those_before) {
  const Disturbed model(read_model_text(soft_frame, "test.yaml"));
  StepEquations equations(model.assembled.model, 0.3);
  equations.begin(model.state, 0.1);
  const std::size_t n = equations.size();
  std::vector<double> u(n), v(n), first(n), other(n), again(n, 7.0);
  for (std::size_t k = 0; k < n; ++k) {
    u[k] = 0.02 * std::sin(1.7 * static_cast<double>(k));
    v[k] = 0.1 * std::cos(static_cast<double>(k));
  }
  equations.residual(u, first);
  const double jump = equations.jump_square(), rotation = equations.largest_rotation(),
               size = equations.relative_size();
  BlockMatrix used = equations.make_matrix(), fresh = equations.make_matrix();
  std::fill(used.value().begin(), used.value().end(), 1e9);
  equations.residual(v, other);
  equations.jacobian(v, used);
  equations.residual(u, again);
  EXPECT_EQ(first, again);
  EXPECT_EQ(equations.jump_square(), jump);
  EXPECT_EQ(equations.largest_rotation(), rotation);
  EXPECT_EQ(equations.relative_size(), size);
  equations.jacobian(v, fresh);
  EXPECT_EQ(used.value(), fresh.value());

  constexpr double h = 1e-6, tolerance = 1e-5;  // of finite differences of terms of the size of a hundred
  std::vector<double> direction(n), changed(n), plus(n), minus(n), product(n);
  for (int sample = 0; sample < 3; ++sample) {
    for (std::size_t k = 0; k < n; ++k) direction[k] = std::sin(3.1 * static_cast<double>(k) + sample);
    for (std::size_t k = 0; k < n; ++k) changed[k] = v[k] + h * direction[k];
    equations.residual(changed, plus);
    for (std::size_t k = 0; k < n; ++k) changed[k] = v[k] - h * direction[k];
    equations.residual(changed, minus);
    fresh.multiply(direction, product);
    for (std::size_t k = 0; k < n; ++k) ASSERT_NEAR(product[k], (plus[k] - minus[k]) / (2.0 * h), tolerance) << k;
  }
}

// Protects: a model without elements, and one without anything.
TEST(StepPortions, there_is_always_one) {
  Model model;
  EXPECT_EQ(step_portions(model, Ownership(model, Team::alone()), 8).size(), 1u);
  model.nodes.resize(5);
  const auto portions = step_portions(model, Ownership(model, Team::alone()), 8);
  ASSERT_EQ(portions.size(), 1u);
  EXPECT_EQ(portions[0].groups_to_move, (std::vector<int>{0, 1}));
  EXPECT_EQ(portions[0].groups_to_balance, (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace freeplay
