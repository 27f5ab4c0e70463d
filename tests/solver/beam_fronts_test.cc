#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "freeplay/assembly/assembly.h"
#include "freeplay/scheme/step_equations.h"
#include "scheme/simulation_testing.h"
#include "solver/frontal_factorisation.h"

namespace freeplay {
namespace {

// A steel bar on a hinge, with a spring and a joint in its middle and a partly fixed end.
const char* const bar =
    "freeplay: 1\n"
    "sections: {s: {rectangle: {width: 10 mm, height: 10 mm}, material: {E: 210 GPa, G: 81 GPa, density: 7850 "
    "kg/m^3}}}\n"
    "bodies:\n"
    "  b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 10, degree: 3, fix: {end: [x, y, z]}}}\n"
    "  c: {beam: {section: s, from: [0, 1, 0], to: [1, 1, 0], elements: 4, degree: 3}}\n"
    "joints: {pin: {revolute: {between: [ground, b.start], axis: [0, 0, 1]}}}\n"
    "springs: {k: {translational: {between: [b@0.5, c.start], stiffness: 1 kN/m, free-length: 1 m}}}\n"
    "analysis: {dynamic: {end: 1 s}}\n";

// Protects: pivots are whole nodes, also where a joint or a spring holds one of the two twists of a node only. Alone
// each of them may be a poor pivot: with alpha = 0 and long or short steps the whole matrix would be left to KLU.
TEST(BeamFronts, are_made_of_whole_nodes) {
  const Assembled assembled = assemble(read_model_text(bar, "test.yaml"));
  for (const double alpha : {1.0, 0.0})
    for (const double dt : {1e-5, 1e-3, 1e-2}) {
      StepEquations equations(assembled.model, alpha);
      BlockMatrix matrix = equations.make_matrix();
      std::set<int> starts_of_nodes;
      const Unknowns unknowns(assembled.model, Unknowns::Of::step);
      for (int n = 0; n < unknowns.n_nodes(); ++n) starts_of_nodes.insert(matrix.first(unknowns.node_block(n)));
      std::size_t n_eliminated = 0;
      for (const EliminationStep& step : elimination_order(matrix)) {
        n_eliminated += step.inner.size();
        for (std::size_t k = 0; k < step.inner.size(); k += 12) EXPECT_TRUE(starts_of_nodes.contains(step.inner[k]));
        EXPECT_EQ(step.inner.size() % 12, 0u);
      }
      EXPECT_GE(n_eliminated, 12u * 30u);
      equations.begin(assembled.state, dt);
      const std::vector<double> u(equations.size(), 0.0);
      equations.jacobian(u, matrix);
      FrontalFactorisation factorisation(matrix);
      EXPECT_TRUE(factorisation.factorise(matrix));
      EXPECT_FALSE(factorisation.is_left_as_a_whole()) << "alpha " << alpha << ", dt " << dt;
    }
}

// Protects: what fronts hand over and right-hand sides that they share are in the cache when they are needed: no front
// lies between one and the first that gets something from it, but those that this one gets something from, too.
TEST(BeamFronts, follow_those_that_they_get_something_from) {
  const Assembled assembled = assemble(read_model_text(bar, "test.yaml"));
  const BlockMatrix matrix = StepEquations(assembled.model, 1.0).make_matrix();
  const std::vector<EliminationStep> steps = elimination_order(matrix);
  const std::size_t never = steps.size();
  std::vector<std::size_t> step_of(matrix.size(), never), parent(steps.size(), never);
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const int unknown : steps[s].inner) step_of[unknown] = s;
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const int unknown : steps[s].outer) parent[s] = std::min(parent[s], step_of[unknown]);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    ASSERT_GT(parent[s], s) << "eliminated before what it needs";
    for (std::size_t between = s + 1; between < parent[s]; ++between) EXPECT_LE(parent[between], parent[s]);
  }
}

}  // namespace
}  // namespace freeplay
