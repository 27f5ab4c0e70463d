#include <gtest/gtest.h>

#include <cmath>

#include "analysis/analysis_testing.h"

namespace freeplay {
namespace {

/// A clamped beam of 1 m along x; its section axes 1, 2, 3 are y, z, x of ground.
std::string cantilever(const std::string& beam, const std::string& rest) {
  return "freeplay: 1\n"
         "sections:\n"
         "  s: {stiffness: {axial: 1e3, shear: [5e2, 4e2], bending: [1, 2], torsion: 0.8}, mass: 1, "
         "rotary: [0.01, 0.01, 0.02]}\n"
         "bodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], fix: {start: [x, y, z, rx, ry, rz]}, " +
         beam + "}}}\n" + rest;
}

/// The last row by name of the column.
class LastRow {
 public:
  explicit LastRow(const AnalysisRun& run) : columns_(run.history_columns()) {
    const auto values = columns_.values(run.last().snapshot());
    values_.assign(values.begin(), values.end());
  }
  double operator[](const std::string& name) const {
    for (std::size_t k = 0; k < values_.size(); ++k)
      if (columns_.columns()[k].name == name) return values_[k];
    throw std::logic_error("no column " + name);
  }
  Vec3 vector(const std::string& name) const {
    return {(*this)[name + ".x"], (*this)[name + ".y"], (*this)[name + ".z"]};
  }

 private:
  HistoryColumns columns_;
  std::vector<double> values_;
};

// A load so small that the beam stays nearly straight: it turns by 0.005 rad, which is the error of the hand values of
// a straight beam.
constexpr double small_load = 1e-2;
constexpr double straight = 2e-2;  // relative

// Protects: section forces, moments and strains of a cantilever with an end load, their axes and their signs.
TEST(BeamResults, cantilever_with_end_load_has_hand_values) {
  AnalysisRun run(cantilever("places: [0.3, 0.5]",
                             "loads: {F: {force: {on: b.end, value: [2e-2, 1e-2, -1e-2]}}}\nanalysis: {static: {}}\n"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const LastRow row(run);
  constexpr double tolerance = straight * small_load;
  const double F = small_load;
  const std::pair<std::string, double> places[] = {{"b.start", 0.0}, {"b@0.3", 0.3}, {"b@0.5", 0.5}, {"b.end", 1.0}};
  for (const auto& [name, s] : places) {
    // (1 - s) e_x cross (2 F, F, -F) is (0, F, F) (1 - s) in ground.
    const Vec3 force(F, -F, 2.0 * F), moment(F * (1.0 - s), F * (1.0 - s), 0.0);
    EXPECT_LT((row.vector(name + ".section_force") - force).norm(), tolerance) << name;
    EXPECT_LT((row.vector(name + ".section_moment") - moment).norm(), tolerance) << name;
    const Vec3 strain(F / 5e2, -F / 4e2, 2.0 * F / 1e3), curvature(moment.x(), moment.y() / 2.0, 0.0);
    EXPECT_LT((row.vector(name + ".strain") - strain).norm(), tolerance) << name;
    EXPECT_LT((row.vector(name + ".curvature") - curvature).norm(), tolerance) << name;

    // In the bent beam the part beyond a section is in equilibrium exactly.
    constexpr double discretisation = 1e-5;
    Mat3 R;
    R << row.vector(name + ".axis1"), row.vector(name + ".axis2"), row.vector(name + ".axis3");
    const Vec3 load(2.0 * F, F, -F), arm = row.vector("b.end.position") - row.vector(name + ".position");
    EXPECT_LT((R * row.vector(name + ".section_force") - load).norm(), discretisation * F) << name;
    EXPECT_LT((R * row.vector(name + ".section_moment") - arm.cross(load)).norm(), discretisation * F) << name;
  }
}

// Protects: where nothing acts, the elements on both sides of a place agree, also far from the straight beam.
TEST(BeamResults, sections_are_continuous_between_elements) {
  AnalysisRun run(cantilever("places: [0.4], elements: 8",
                             "loads: {F: {force: {on: b.end, value: [0, 2, 1]}}}\nanalysis: {static: {}}\n"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const BeamPlace& place = run.assembled().beams[0].places[1];
  ASSERT_EQ(place.name, "b@0.4");
  ASSERT_EQ(place.sides.size(), 2u);
  const SectionState before = section_at(place.sides[0], run.model(), run.last().state);
  const SectionState after = section_at(place.sides[1], run.model(), run.last().state);
  constexpr double discretisation = 2e-3;  // of cubic elements of 0.1 m in a beam that bends by about a radian
  EXPECT_LT((before.force - after.force).norm(), discretisation * before.force.norm());
  EXPECT_GT(before.force.norm(), 1.0);
}

// Protects: where a load acts, both sides are shown, and their difference is the load.
TEST(BeamResults, a_load_inside_makes_the_section_force_jump) {
  AnalysisRun run(
      cantilever("elements: 2", "loads: {F: {force: {on: b@0.5, value: [0, 1e-2, 0]}}}\nanalysis: {static: {}}\n"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const LastRow row(run);
  constexpr double tolerance = straight * small_load;
  EXPECT_NEAR(row["b@0.5.before.section_force.x"], small_load, tolerance);
  EXPECT_NEAR(row["b@0.5.after.section_force.x"], 0.0, tolerance);
  EXPECT_THROW(row["b@0.5.section_force.x"], std::logic_error);
}

// Protects: pure bending by 2 rad: constant curvature, no other strain, and section axes that turn with the beam.
TEST(BeamResults, pure_bending_has_constant_curvature) {
  AnalysisRun run(cantilever("places: [0.5], degree: 4",
                             "loads: {M: {torque: {on: b.end, value: [0, 0, 4]}}}\nanalysis: {static: {}}\n"));
  ASSERT_EQ(run.run(), RunEnd::finished);
  const LastRow row(run);
  constexpr double discretisation = 2e-4;  // strains converge with a lower order than the nodes
  for (const std::string name : {"b.start", "b@0.5", "b.end"}) {
    EXPECT_LT((row.vector(name + ".curvature") - Vec3(0.0, 2.0, 0.0)).norm(), discretisation) << name;
    EXPECT_LT((row.vector(name + ".section_moment") - Vec3(0.0, 4.0, 0.0)).norm(), 2.0 * discretisation) << name;
    EXPECT_LT(row.vector(name + ".strain").norm(), discretisation) << name;
  }
  constexpr double nodal_error = 1e-7;
  EXPECT_LT((row.vector("b.end.axis3") - Vec3(std::cos(2.0), std::sin(2.0), 0.0)).norm(), nodal_error);
  EXPECT_LT((row.vector("b.end.axis1") - Vec3(-std::sin(2.0), std::cos(2.0), 0.0)).norm(), nodal_error);
  EXPECT_LT((row.vector("b.end.axis2") - Vec3(0.0, 0.0, 1.0)).norm(), nodal_error);
}

// Protects: the section force contains the damping.
TEST(BeamResults, section_force_contains_the_damping) {
  AnalysisRun run(cantilever("elements: 1, degree: 1, damping: 0.01", "analysis: {static: {}}\n"));
  State state = run.assembled().state;
  constexpr double speed = 3.0;
  state.twist[1] << 0.0, 0.0, speed, 0.0, 0.0, 0.0;  // the end moves along the beam
  Motion now;
  set_instant(state, now);
  run.model().elements[0]->initialise(now, internal_of(run.model(), state, 0));
  const SectionState section = section_at(run.assembled().beams[0].places[0], run.model(), state);
  constexpr double round_off = 1e-12;
  EXPECT_NEAR(section.force[2], 0.01 * 1e3 * speed, round_off * 1e3);
  EXPECT_LT(section.strain.norm(), round_off);
}

// Protects: forces of damped beams at steps as long as the damping time, far longer than the periods of their stiff
// modes. With the strain rates of the end of the step the force of the clamp is wrong by five times its size.
TEST(BeamResults, forces_of_a_damped_beam_at_long_steps) {
  const auto clamp_forces = [](const std::string& step) {
    AnalysisRun run(
        "freeplay: 1\n"
        "sections: {tube: {stiffness: {axial: 30 MN, shear: 8 MN, bending: [23 kN*m^2, 23 kN*m^2], torsion: 18 "
        "kN*m^2}, "
        "mass: 1.6 kg/m, rotary: [1e-3 kg*m, 1e-3 kg*m, 2e-3 kg*m]}}\n"
        "bodies: {b: {beam: {section: tube, from: [0, 0, 0], to: [1, 0, 0], elements: 2, damping: 1 ms}}}\n"
        "joints: {O: {fixed: {between: [ground, b.start]}}}\n"
        "loads: {F: {force: {on: b.end, value: [0, '100 N * (1 - cos(2*pi*20*t/1 s))', 0]}}}\n"
        "output: {every: 5 ms}\n"
        "analysis: {dynamic: {end: 50 ms, step: " +
        step + "}}\n");
    run.run();
    std::vector<std::pair<double, double>> forces;
    for (const auto& row : run.observer.rows)
      forces.emplace_back(run.joint_reaction(0, row).force.y(),
                          section_at(run.assembled().beams[0].places[0], run.model(), row.state).force[0]);
    return forces;
  };
  const auto rough = clamp_forces("1 ms"), fine = clamp_forces("50 us");
  constexpr double largest = 215.0;
  constexpr double rate_of_half_a_step_before = 0.08;  // relative; the motion itself is off by 2 %
  ASSERT_EQ(rough.size(), fine.size());
  for (std::size_t k = 0; k < rough.size(); ++k) {
    EXPECT_NEAR(rough[k].first, fine[k].first, rate_of_half_a_step_before * largest) << k;
    EXPECT_NEAR(rough[k].second, fine[k].second, rate_of_half_a_step_before * largest) << k;
  }
}

// Protects: the orientation of a rigid body in the history; its points, which share it, do not repeat it.
TEST(BodyResults, axes_of_a_rigid_body) {
  AnalysisRun run(
      "freeplay: 1\n"
      "bodies:\n"
      "  top: {rigid: {mass: 1, inertia: 1, rotation: {axis: [0, 0, 1], angle: 30 deg}, points: {tip: [1, 0, 0]},\n"
      "    free: true}}\n"
      "analysis: {dynamic: {end: 1 ms, step: 1 ms}}\n");
  ASSERT_EQ(run.run(), RunEnd::finished);
  const LastRow row(run);
  constexpr double round_off = 1e-14;
  const double c = std::sqrt(0.75), s = 0.5;
  EXPECT_LT((row.vector("top.axis1") - Vec3(c, s, 0.0)).norm(), round_off);
  EXPECT_LT((row.vector("top.axis2") - Vec3(-s, c, 0.0)).norm(), round_off);
  EXPECT_LT((row.vector("top.axis3") - Vec3(0.0, 0.0, 1.0)).norm(), round_off);
  EXPECT_THROW(row["top.tip.axis1.x"], std::logic_error);
}

// Protects: only the chosen columns are written, and their values do not slip.
TEST(HistoryColumns, selection_has_the_values_of_its_names) {
  const std::string loads = "loads: {F: {force: {on: b.end, value: [0, 1e-2, 0]}}}\nanalysis: {static: {}}\n";
  AnalysisRun all(cantilever("elements: 2", loads));
  AnalysisRun some(cantilever("elements: 2", loads + "output: {columns: [\"*.end.section_*\", \"energy.elastic\"]}\n"));
  all.run();
  some.run();
  const LastRow row(all);
  HistoryColumns columns = some.history_columns();
  const auto values = columns.values(some.last().snapshot());
  ASSERT_EQ(values.size(), 1u + 6u + 1u);
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_EQ(values[k], row[columns.columns()[k].name]);
}

}  // namespace
}  // namespace freeplay
