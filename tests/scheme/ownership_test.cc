#include "freeplay/scheme/ownership.h"

#include <gtest/gtest.h>

#include "analysis/beam_jacobian_testing.h"
#include "freeplay/scheme/step_equations.h"
#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

/// One of two processes that are not there together: what they would add up is missing. Vertices are shared out by
/// turns, the worst that can happen.
class OneOfTwo : public Team {
 public:
  explicit OneOfTwo(int rank) : rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return 2; }
  std::vector<int> share_out(const Graph& graph) const override {
    std::vector<int> owners;
    for (std::size_t k = 0; k < graph.work.size(); ++k) owners.push_back(static_cast<int>(k % 2));
    return owners;
  }

 private:
  int rank_;
};

// Beams, springs, a joint with friction, a contact, a load on all nodes of a beam, a body that nothing acts on.
const char* const everything =
    "freeplay: 1\n"
    "sections: {s: {rectangle: {width: 1, height: 1}, material: {E: 1e3, G: 5e2, density: 1}}}\n"
    "bodies:\n"
    "  b: {beam: {section: s, from: [0, 0, 0], to: [10, 0, 0], elements: 7, degree: 2, fix: {end: [x, y, z]}}}\n"
    "  c: {beam: {section: s, from: [10, 0, 0], to: [10, 8, 0], elements: 6, degree: 3}}\n"
    "  ball: {rigid: {mass: 1, inertia: [1, 1, 1], at: [3, 0, 3]}}\n"
    "  free: {rigid: {mass: 1, inertia: [1, 1, 1], free: true}}\n"
    "frictions: {f: {regularised-coulomb: {coefficient: 0.2, velocity: 0.1}}}\n"
    "contacts: {k: {linear: {stiffness: 10}}}\n"
    "joints:\n"
    "  pin: {spherical: {between: [b.end, c.start], friction: {law: f, radius: 0.1}}}\n"
    "  floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 4, contact: k}}\n"
    "springs:\n"
    "  k: {translational: {between: [b.start, c.end], stiffness: 1 kN/m, free-length: 1 m}}\n"
    "  g: {translational: {between: [ground, ball], stiffness: 1 kN/m, free-length: 1 m}}\n"
    "loads: {w: {line-load: {on: b, force: [1, 2, 3], moment: [1, 0, 2], following: true}}}\n"
    "analysis: {dynamic: {end: 1 s}}\n";

// Protects: each row of residual and Jacobian belongs to one process, and is there what it is if there is only one.
TEST(Ownership, rows_of_two_processes_are_those_of_one) {
  const Disturbed model(read_model_text(everything, "test.yaml"));
  StepEquations alone(model.assembled.model, 0.3);
  const std::size_t n = alone.size();
  std::vector<double> u(n), r(n);
  for (std::size_t k = 0; k < n; ++k) u[k] = 0.02 * std::sin(1.7 * static_cast<double>(k));
  alone.begin(model.state, 0.1);
  alone.residual(u, r);
  BlockMatrix whole = alone.make_matrix();
  alone.jacobian(u, whole);
  std::vector<int> n_owners(n, 0);
  for (const int rank : {0, 1}) {
    const OneOfTwo team(rank);
    StepEquations equations(model.assembled.model, 0.3, team);
    std::vector<double> part(n);
    equations.begin(model.state, 0.1);
    equations.residual(u, part);
    BlockMatrix rows = equations.make_matrix();
    equations.jacobian(u, rows);
    EXPECT_LT(rows.value().size(), 0.9 * whole.value().size());
    for (int block = 0; block < whole.n_blocks(); ++block) {
      if (!rows.is_mine(block)) continue;
      for (int row = whole.first(block); row < whole.first(block) + whole.block_size(block); ++row) {
        ++n_owners[row];
        EXPECT_EQ(part[row], r[row]) << row;
        const auto begin = whole.row_start()[row], end = whole.row_start()[row + 1];
        ASSERT_EQ(rows.row_start()[row + 1] - rows.row_start()[row], end - begin);
        for (int k = 0; k < end - begin; ++k)
          EXPECT_EQ(rows.value()[rows.row_start()[row] + k], whole.value()[begin + k]) << row;
      }
    }
  }
  EXPECT_EQ(n_owners, std::vector<int>(n, 1));
}

// Protects: what an element does is booked once, and its internal numbers are known to the process that books it; what
// all processes evaluate is no part of that.
TEST(Ownership, elements_are_booked_once) {
  const Disturbed disturbed(read_model_text(everything, "test.yaml"));
  const Model& model = disturbed.assembled.model;
  const OneOfTwo first(0), second(1);
  const Ownership a(model, first), b(model, second);
  std::vector<int> known(model.n_internal, 0);
  for (const auto& part : a.internal_parts())
    for (const auto& [first_number, length] : part)
      for (int k = first_number; k < first_number + length; ++k) ++known[k];
  for (int e = 0; e < static_cast<int>(model.elements.size()); ++e) {
    EXPECT_EQ(a.is_shared_out(e), model.elements[e]->has_jump());
    EXPECT_EQ(a.books(e) + b.books(e), a.is_shared_out(e) ? 1 : 2);
    for (int k = 0; k < model.elements[e]->n_internal(); ++k)
      EXPECT_EQ(known[model.first_internal[e] + k], a.is_shared_out(e) ? 1 : 0);
  }
}

}  // namespace
}  // namespace freeplay
