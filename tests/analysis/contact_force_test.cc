// Forces of contacts in rows, against Newton's law.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/analysis_testing.h"
#include "laws/law_examples.h"

namespace freeplay {
namespace {

using Row = RecordingObserver::Row;

/// Linear momentum of all nodes, in the axes of ground.
Vec3 momentum(const Model& model, const State& state) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    sum += state.pose[n].R * Vec6(model.nodes[n].mass * state.twist[n]).head<3>();
  return sum;
}

double mass_of(const Model& model) {
  double sum = 0.0;
  for (const Node& node : model.nodes) sum += node.mass(0, 0);
  return sum;
}

/// The history of a run, by names of columns.
class Table {
 public:
  explicit Table(const AnalysisRun& run) {
    HistoryColumns columns = run.history_columns();
    for (const auto& column : columns.columns()) names_.push_back(column.name);
    for (const Row& row : run.observer.rows) {
      const auto values = columns.values(row.snapshot());
      rows_.emplace_back(values.begin(), values.end());
    }
  }
  double operator()(std::size_t row, const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) throw std::logic_error("no column " + name);
    return rows_[row][found - names_.begin()];
  }
  Vec3 vector(std::size_t row, const std::string& name) const {
    return {(*this)(row, name + ".x"), (*this)(row, name + ".y"), (*this)(row, name + ".z")};
  }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> rows_;
};

/// Something of about 1 kg that falls on a floor, slides on it and bounces, with laws of size 1.
std::string falling(const LawExample& contact, const std::string& body, const std::string& joints) {
  return "freeplay: 1\ngravity: [0, 0, -1]\n" + body + "contacts: {c: {" + contact.type + ": {" + contact.keys +
         "}}}\nfrictions: {f: {lugre: {static: 0.6, kinetic: 0.4, sigma0: 20, sigma1: 0.3, stribeck-velocity: "
         "0.1}}}\n" +
         "joints: {" + joints + "}\nanalysis: {dynamic: {end: 4, tolerance: 1e-3}}\noutput: {every: 0.25}\n";
}

std::string floor_under(const std::string& name, const std::string& place) {
  return name + ": {ball-on-plane: {between: [ground, " + place +
         "], normal: [0, 0, 1], radius: 0.5, contact: c, friction: f, penetration: 0.1}}";
}

constexpr auto ball = "bodies: {b: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0.6], velocity: [0.7, 0.2, -0.1]}}}\n";
constexpr auto rod =
    "bodies: {b: {beam: {section: s, from: [0, 0, 0.55], to: [1, 0, 0.65], first-axis: [0, 1, 0], elements: 2}}}\n"
    "sections: {s: {circle: {radius: 0.05}, material: {E: 1e5, poisson: 0.3, density: 120}}}\n";

class ContactMomentum : public testing::TestWithParam<LawExample> {
 protected:
  /// Between any two rows: change of momentum = weight times time + change of the impulses of the contacts.
  void expect_newton(const std::string& text, const std::vector<std::string>& contacts) {
    AnalysisRun run(text);
    run.run();
    const Table table(run);
    constexpr double balanced = 1e-9;  // what Newton's method leaves over thousands of steps
    const double mass = mass_of(run.model());
    const auto& rows = run.observer.rows;
    const auto received = [&](std::size_t row) {
      Vec3 sum = Vec3::Zero();
      for (const std::string& contact : contacts) sum += table.vector(row, contact + ".impulse");
      return sum;
    };
    for (std::size_t k = 1; k < rows.size(); ++k) {
      const Vec3 change = momentum(run.model(), rows[k].state) - momentum(run.model(), rows[0].state);
      const Vec3 weight(0.0, 0.0, -mass * (rows[k].state.time - rows[0].state.time));
      EXPECT_LT((change - weight - received(k)).norm(), balanced) << "at " << rows[k].state.time;
    }
    double normal = 0.0;
    for (const std::string& contact : contacts) normal += table(rows.size() - 1, contact + ".normal_impulse");
    EXPECT_NEAR(normal, received(rows.size() - 1).z(), balanced) << "the normal of the floor is z";
    EXPECT_GT(normal, 1.0) << "no contact";
    EXPECT_LT(received(rows.size() - 1).head<2>().norm(), normal) << "no more than friction";
  }
};

// Protects: the mean force over any interval, for each contact law: impulses are what Newton's law says.
TEST_P(ContactMomentum, impulses_of_a_rigid_body) {
  expect_newton(falling(GetParam(), ball, floor_under("j", "b")), {"j"});
}
TEST_P(ContactMomentum, impulses_of_a_flexible_body) {
  expect_newton(falling(GetParam(), rod, floor_under("j", "b.start") + ", " + floor_under("k", "b.end")), {"j", "k"});
}

// Protects: forces in rows belong to the instant of the row. In steps of a third of the period of the contact, at the
// end of which velocities are no measure of a force, they still fit Newton's law: with those of the row before they
// make the mean force of the step, or they are that mean. The acceleration written beside it is that of the same force.
TEST_P(ContactMomentum, rows_of_long_steps) {
  std::string text = falling(GetParam(), ball, floor_under("j", "b"));
  const double dt = 0.2;
  text.replace(text.find("tolerance: 1e-3"), 15, "step: 0.2");
  text.replace(text.find("every: 0.25"), 11, "every: 0.2");
  text.replace(text.find("penetration: 0.1"), 16, "penetration: 10");
  text.replace(text.find(", friction: f"), 13, "");
  text.replace(text.find("frictions:"), text.find("joints:") - text.find("frictions:"), "");
  AnalysisRun run(text);
  run.run();
  ASSERT_EQ(run.observer.rows.size(), run.observer.steps.size() + 1) << "a row per step";
  const Table table(run);
  constexpr double round_off = 1e-10, fits = 0.2;
  int n_closed = 0;
  for (std::size_t k = 1; k < run.observer.rows.size(); ++k) {
    EXPECT_NEAR(table(k, "b.acceleration.z"), table(k, "j.force.z") - 1.0, round_off);
    EXPECT_NEAR(table(k, "j.force.z"), table(k, "j.normal_force"), round_off);
    EXPECT_GE(table(k, "j.normal_force_max"), table(k, "j.normal_force"));
    if (table(k, "j.gap") >= 0.0 || table(k - 1, "j.gap") >= 0.0) continue;
    ++n_closed;
    const double mean = (table(k, "b.velocity.z") - table(k - 1, "b.velocity.z")) / dt + 1.0;
    const double start = table(k - 1, "j.normal_force"), end = table(k, "j.normal_force");
    if (std::abs(end - mean) > round_off)
      EXPECT_NEAR(0.5 * (start + end), mean, fits * std::max({start, end, mean}) + round_off);
    EXPECT_GE(table(k, "j.normal_force_max"), mean - round_off);
  }
  EXPECT_GT(n_closed, 3);
}

INSTANTIATE_TEST_SUITE_P(Registry, ContactMomentum, testing::ValuesIn(contact_examples()),
                         [](const auto& test) { return test.param.label(); });

constexpr auto rotor = R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
ground: {points: {l: [0, 0, 0], r: [0.8, 0, 0]}}
sections: {s: {circle: {radius: 10 mm}, material: {E: 210 GPa, poisson: 0.3, density: 7850}}}
bodies:
  shaft: {beam: {section: s, from: [0, 0, 0], to: [0.8, 0, 0], first-axis: [0, 1, 0], elements: 2, damping: 20 us}}
  disk: {rigid: {mass: 8, inertia: 0.05, at: [0.4, 0, 0], points: {hub: [0, 0, 0]}}}
contacts: {steel: {flores: {stiffness: 5e7, exponent: 1, restitution: 0.5}}}
joints:
  hub: {fixed: {between: [shaft@0.5, disk.hub]}}
  left: {journal-bearing: {between: [ground.l, shaft.start], axis: [1, 0, 0], bearing-radius: 10.05 mm, journal-radius: 10 mm, length: 20 mm, contact: steel}}
  right: {journal-bearing: {between: [ground.r, shaft.end], axis: [1, 0, 0], bearing-radius: 10.05 mm, journal-radius: 10 mm, length: 20 mm, contact: steel}}
analysis: {dynamic: {end: 50 ms}}
output: {every: 50 us}
)yaml";

// Protects: a flexible shaft that lies in journal bearings with a dissipative law. Forces in rows are stiffness times
// penetration times the dissipative factor (they jumped between 0 and 20 times that), and the mean reaction is weight
// and inertia.
TEST(ContactForces, of_a_beam_in_journal_bearings) {
  AnalysisRun run(std::string{rotor});
  run.run();
  const Table table(run);
  const auto& rows = run.observer.rows;
  constexpr double stiffness = 5e7, hysteresis = 8.0 * 0.5 / (5.0 * 0.5), every = 50e-6;
  const std::vector<std::string> contacts{"left.1", "left.2", "right.1", "right.2"};
  int n_closed = 0, n_right = 0;
  double impulse = 0.0;
  for (const std::string& contact : contacts) {
    std::size_t element = 0;
    while (run.model().elements[element]->name() != contact) ++element;
    impulse += table(rows.size() - 1, contact + ".impulse.z");
    for (std::size_t k = 1; k + 1 < rows.size(); ++k) {
      const double before = table(k - 1, contact + ".gap"), after = table(k + 1, contact + ".gap");
      const double gap = table(k, contact + ".gap");
      if (std::max({before, gap, after}) >= 0.0) continue;
      const double speed = internal_of(run.model(), rows[k].state, element)[0];
      const double factor = 1.0 + hysteresis / speed * (before - after) / (2.0 * every);
      const double law = -stiffness * gap * std::max(0.0, factor);
      ++n_closed;
      if (std::abs(table(k, contact + ".normal_force") - law) <= 0.1 * law) ++n_right;
    }
  }
  EXPECT_GT(n_closed, 1000);
  // Rates are differences of rows here, which do not resolve the first rows of an impact.
  EXPECT_GT(n_right, 0.98 * n_closed) << n_closed;
  const double weight = 9.81 * mass_of(run.model()) * rows.back().state.time;
  EXPECT_NEAR(impulse, weight + momentum(run.model(), rows.back().state).z(), 1e-6 * weight);
}

}  // namespace
}  // namespace freeplay
