#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/base/diagnostics.h"
#include "freeplay/math/rotation.h"
#include "freeplay/model/model_file.h"

namespace freeplay {
namespace {

using std::numbers::pi;

const std::string rod = "{material: {E: 200 GPa, G: 80 GPa, density: 8000 kg/m^3}, circle: {radius: 1 cm}}";
const std::string tube =
    "{stiffness: {axial: 3, shear: 2, bending: [4, 5], torsion: 6}, mass: 7, rotary: [8, 9, 17], centre: [1 mm, 0]}";

std::string errors(const std::string& text) {
  try {
    read_model_text(text, "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A model of one beam along x with the given section.
std::string model_of_section(const std::string& section) {
  return "freeplay: 1\nanalysis: {static: {}}\nbodies: {b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0]}}}\n"
         "sections:\n  s: " +
         section + "\n";
}

SectionSpec read_section(const std::string& section) {
  return read_model_text(model_of_section(section), "m").sections.at(0);
}

std::string errors_of_section(const std::string& section) { return errors(model_of_section(section)); }

std::string model_of_beam(const std::string& keys) {
  return "freeplay: 1\nanalysis: {static: {}}\nsections: {s: " + rod + "}\nbodies:\n  b: {beam: {section: s, " + keys +
         "}}\n";
}

std::string errors_of_beam(const std::string& keys) { return errors(model_of_beam(keys)); }

/// A beam `b`, a rigid body `r` with a point p, and more lines from line 7 on.
std::string model_with(const std::string& lines) {
  return model_of_beam("from: [0, 0, 0], to: [2, 0, 0]") + "  r: {rigid: {mass: 1, points: {p: [1, 0, 0]}}}\n" + lines +
         "\n";
}

std::string errors_with(const std::string& lines) { return errors(model_with(lines)); }

/// resolved.yaml gives the same resolved.yaml again.
void expect_reads_back(const ModelSpec& model) {
  EXPECT_EQ(read_model_text(model.resolved, "resolved").resolved, model.resolved);
}

// Four numbers fill the diagonal in the order shear 1, shear 2, axial, bending 1, bending 2, torsion.
TEST(SectionInput, numbers) {
  const SectionSpec section = read_section(tube);
  EXPECT_EQ(section.name, "s");
  EXPECT_EQ(section.where.line, 5);
  EXPECT_EQ(section.stiffness, Mat6(Vec6{{2, 2, 3, 4, 5, 6}}.asDiagonal()));
  EXPECT_EQ(section.mass, 7);
  EXPECT_EQ(section.centre, (std::array<double, 2>{1e-3, 0}));
  EXPECT_EQ(section.rotary, (std::array<double, 3>{8, 9, 17}));
  EXPECT_EQ(section.outline.kind, OutlineSpec::Kind::none);
  EXPECT_FALSE(section.material.has_value());
  const ModelSpec model = read_model_text(model_of_section(tube), "m");
  expect_reads_back(model);
  EXPECT_NE(model.resolved.find("      shear: [2 N, 2 N]\n      bending: [4 N*m^2, 5 N*m^2]\n"), std::string::npos)
      << model.resolved;
}

// A matrix keeps its coupling terms and their units.
TEST(SectionInput, matrix) {
  const std::string text =
      "{mass: 1, rotary: [1, 1, 2], rectangle: {width: 1, height: 2}, stiffness: {matrix: [[1 kN, 0, 0, 0, 0, 5 N*m], "
      "[0, 2, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0], [0, 0, 0, 4, 0, 0], [0, 0, 0, 0, 5, 0], [5, 0, 0, 0, 0, 600 N*cm^2]]}}";
  const SectionSpec section = read_section(text);
  EXPECT_EQ(section.stiffness(0, 0), 1000);
  EXPECT_EQ(section.stiffness(0, 5), 5);
  EXPECT_EQ(section.stiffness(5, 0), 5);
  EXPECT_DOUBLE_EQ(section.stiffness(5, 5), 0.06);
  EXPECT_EQ(section.outline.kind, OutlineSpec::Kind::rectangle);
  EXPECT_EQ(section.outline.height, 2);
  const ModelSpec model = read_model_text(model_of_section(text), "m");
  expect_reads_back(model);
  EXPECT_EQ(read_model_text(model.resolved, "r").sections[0].stiffness, section.stiffness);
}

constexpr double round_off = 1e-14;  // a few operations, relative

void expect_near(double value, double expected) { EXPECT_NEAR(value, expected, round_off * std::abs(expected)); }

// A circle of steel: nu = 0.25.
TEST(SectionInput, circle_of_a_material) {
  const SectionSpec section = read_section(rod);
  const double R = 0.01, A = pi * R * R, I = pi / 4 * std::pow(R, 4);
  const double k = 6 * 1.25 / 8.5;
  const Vec6 expected{{k * 80e9 * A, k * 80e9 * A, 200e9 * A, 200e9 * I, 200e9 * I, 80e9 * 2 * I}};
  for (int i = 0; i < 6; ++i) expect_near(section.stiffness(i, i), expected[i]);
  EXPECT_EQ((section.stiffness - Mat6(section.stiffness.diagonal().asDiagonal())).norm(), 0);
  expect_near(section.mass, 8000 * A);
  expect_near(section.rotary[0], 8000 * I);
  expect_near(section.rotary[1], 8000 * I);
  expect_near(section.rotary[2], 2 * 8000 * I);
  const ModelSpec model = read_model_text(model_of_section(rod), "m");
  expect_reads_back(model);
  EXPECT_EQ(read_model_text(model.resolved, "r").sections[0].stiffness, section.stiffness);
}

// A tube of the inner radius 0 would be the circle; a thin one has Cowper's 2 (1 + nu)/(4 + 3 nu).
TEST(SectionInput, tube_of_a_material) {
  const std::string material = "{material: {E: 2.5, G: 1, density: 1}, tube: ";
  const SectionSpec thick = read_section(material + "{outer: 2, inner: 1}}");
  expect_near(thick.stiffness(2, 2), 2.5 * pi * 3);
  expect_near(thick.stiffness(3, 3), 2.5 * pi / 4 * 15);
  expect_near(thick.stiffness(5, 5), pi / 2 * 15);
  // Cowper (1966) with m = 1/2, nu = 1/4.
  expect_near(thick.shear_correction[0], 6 * 1.25 * 1.5625 / (8.5 * 1.5625 + 23 * 0.25));
  constexpr double thickness = 1e-6;
  const SectionSpec thin = read_section(material + "{outer: 1, inner: 1 - 1e-6}}");
  EXPECT_NEAR(thin.shear_correction[0], 2 * 1.25 / 4.75, thickness);
  EXPECT_NEAR(thin.mass, 2 * pi * thickness, 4 * thickness * thickness);
  const SectionSpec full = read_section(material + "{outer: 1, inner: 1e-9}}");
  expect_near(full.shear_correction[1], 6 * 1.25 / 8.5);
}

// The first axis is along the width, so that the bending stiffness about it has the cube of the height.
TEST(SectionInput, rectangle_of_a_material) {
  const auto read = [](const std::string& size) {
    return read_section("{material: {E: 2.5, G: 1, density: 3}, rectangle: " + size + "}");
  };
  const SectionSpec section = read("{width: 2, height: 1}");
  expect_near(section.stiffness(3, 3), 2.5 * 2 * 1 / 12);
  expect_near(section.stiffness(4, 4), 2.5 * 8 * 1 / 12);
  expect_near(section.stiffness(0, 0), 10 * 1.25 / 14.75 * 2);
  expect_near(section.rotary[2], 3 * 10. / 12);
  // Timoshenko and Goodier, table of k1: with the short side b, J = k1 a b^3. Four digits.
  constexpr double printed = 6e-5;
  EXPECT_NEAR(section.stiffness(5, 5), 0.2287 * 2, 2 * printed);
  EXPECT_NEAR(read("{width: 1, height: 2}").stiffness(5, 5), 0.2287 * 2, 2 * printed);
  EXPECT_NEAR(read("{width: 1, height: 1}").stiffness(5, 5), 0.1406, printed);
  EXPECT_NEAR(read("{width: 10, height: 1}").stiffness(5, 5), 3.123, 10 * printed);
  // The square has a closed value of its series: 2.249... (half side)^4.
  expect_near(read("{width: 2, height: 2}").stiffness(5, 5), 2.2492322392066934);
  // A thin strip: a b^3/3 (1 - 0.63 b/a).
  constexpr double thin = 1e-5;
  EXPECT_NEAR(read("{width: 1, height: 1e-5}").stiffness(5, 5) / (std::pow(thin, 3) / 3), 1 - 0.63 * thin, thin * 1e-2);
}

// What the user says about the shear correction counts.
TEST(SectionInput, shear_correction) {
  const std::string start = "{material: {E: 2.5, G: 1, density: 3}, rectangle: {width: 1, height: 1}, shear-correction: ";
  EXPECT_EQ(read_section(start + "0.5}").stiffness(0, 0), 0.5);
  EXPECT_EQ(read_section(start + "[0.5, 0.75]}").stiffness(1, 1), 0.75);
  EXPECT_EQ(read_section("{material: {E: 20, G: 1, density: 3}, circle: {radius: 1}, shear-correction: 1}").mass, 3 * pi);
}

TEST(SectionInput, errors) {
  EXPECT_EQ(errors_of_section("{}"),
            "m:5:3: error: sections.s: needs 'stiffness', 'mass' and 'rotary', or 'material' with 'circle', 'tube' or "
            "'rectangle'\n");
  EXPECT_EQ(errors_of_section("{stiffness: {}}"), "");
  EXPECT_EQ(errors_of_section("{mass: 0, stiffness: {axial: 1 m, shear: [1, 2, 3], bending: -1, tosion: 1}, rotary: [1, 1, 0]}"), "");
  EXPECT_EQ(errors_of_section("{mass: 1, rotary: [1, 1, 2], shear-correction: 1, stiffness: {axial: 1, matrix: 1}}"), "");
  EXPECT_EQ(errors_of_section("{mass: 1, rotary: [1, 1, 2], stiffness: {matrix: [1, 2]}}"), "");
  EXPECT_EQ(errors_of_section("{material: {E: 1, G: 1}, mass: 1}"), "");
  EXPECT_EQ(errors_of_section("{material: {E: 4, G: 1, density: 1}, circle: {radius: 1}}"), "");
  EXPECT_EQ(errors_of_section("{material: {E: 2.5, G: 1, density: 1}, circle: {radius: 1}, tube: {outer: 1, inner: 1}}"), "");
  EXPECT_EQ(errors_of_section("{material: {E: 2.5, G: 1, density: 1}, circle: {radius: 1e-200}}"), "");
  EXPECT_EQ(errors_of_section("{mass: 1, stiffness: {axial: 1, shear: 1, bending: 1, torsion: 1}}"), "");
}

std::string errors_of_matrix(const std::string& rows) {
  return errors_of_section("{mass: 1, rotary: [1, 1, 2], stiffness: {matrix: [" + rows + "]}}");
}

TEST(SectionInput, errors_of_matrix) {
  const std::string last_three = "[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]";
  EXPECT_EQ(errors_of_matrix("[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], " + last_three), "");
  EXPECT_EQ(errors_of_matrix("[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 2, 0], [0, 0, 1, 0, 0, 0], " + last_three), "");
  EXPECT_EQ(errors_of_matrix("[1, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], " + last_three), "");
  EXPECT_EQ(errors_of_matrix("[1, 0, 0, 1 N, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0], " + last_three), "");
  // Symmetric up to the digits that are usually typed.
  EXPECT_EQ(errors_of_matrix("[1, 0.1, 0, 0, 0, 0], [0.1000000001, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], " + last_three), "");
}

TEST(SectionInput, must_exist_and_be_used) {
  const std::string start = "freeplay: 1\nanalysis: {static: {}}\nsections: {tube: " + rod + ", bar: " + rod + "}\n";
  const std::string beam = "from: [0, 0, 0], to: [1, 0, 0]}}}\n";
  EXPECT_EQ(errors(start + "bodies: {b: {beam: {section: tbue, " + beam), "");
  EXPECT_EQ(errors(start + "bodies: {b: {beam: {section: bar, " + beam), "");
  EXPECT_EQ(errors(start + "bodies: {b: {beam: {section: [bar], " + beam), "");
  EXPECT_EQ(errors(start + "bodies: {b: {bem: {section: bar, " + beam), "");
}

// The values arrive, and the defaults are those of the reference.
TEST(BeamInput, values) {
  const ModelSpec model = read_model_text(
      model_of_beam("from: [0, 1, 0], to: [6 m, 1, 0], first-axis: [0, 3, 4], elements: 8, degree: 2, damping: 1 ms, "
                    "places: [0.25, 1/2], fix: {start: [x, y, z], end: [rx, ry, rz]}, velocity: [1, 2, 3], "
                    "angular-velocity: [60 rpm, 0, 0], free: true"),
      "m");
  ASSERT_EQ(model.beams.size(), 1u);
  EXPECT_TRUE(model.bodies.empty());
  const BeamSpec& beam = model.beams[0];
  EXPECT_EQ(beam.name, "b");
  EXPECT_EQ(beam.where.line, 5);
  EXPECT_EQ(beam.section, "s");
  EXPECT_EQ(beam.to, Vec3(6, 1, 0));
  EXPECT_TRUE(beam.first_axis->isApprox(Vec3(0, 0.6, 0.8)));
  EXPECT_EQ(beam.elements, 8);
  EXPECT_EQ(beam.degree, 2);
  EXPECT_EQ(beam.damping, 1e-3);
  EXPECT_EQ(beam.places, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(beam.fix_start, (std::vector<Dof>{Dof::x, Dof::y, Dof::z}));
  EXPECT_EQ(beam.fix_end, (std::vector<Dof>{Dof::rx, Dof::ry, Dof::rz}));
  EXPECT_EQ(*beam.velocity, Vec3(1, 2, 3));
  EXPECT_DOUBLE_EQ((*beam.angular_velocity)[0], 2 * pi);
  EXPECT_TRUE(beam.free);
  expect_reads_back(model);
  const BeamSpec plain = read_model_text(model_of_beam("from: [0, 0, 0], to: [1, 0, 0]"), "m").beams[0];
  EXPECT_EQ(plain.elements, 4);
  EXPECT_EQ(plain.degree, 3);
  EXPECT_EQ(plain.damping, 0);
  EXPECT_FALSE(plain.free);
}

// Without first-axis the section has the axes of basis_with_third_axis(), exactly, and resolved.yaml says which.
TEST(BeamInput, default_first_axis) {
  for (const Vec3& to : {Vec3(6, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, 2), Vec3(1, 1, 1), Vec3(0.1, -0.3, 0.2)}) {
    const std::string text = number_text(to[0]) + ", " + number_text(to[1]) + ", " + number_text(to[2]);
    const ModelSpec model = read_model_text(model_of_beam("from: [0, 0, 0], to: [" + text + "]"), "m");
    const Vec3 third = to.normalized();
    const Vec3 given = *model.beams[0].first_axis;
    const Vec3 first = (given - given.dot(third) * third).normalized();
    EXPECT_EQ(first, basis_with_third_axis(to).col(0)) << text;
    expect_reads_back(model);
  }
  const ModelSpec model = read_model_text(model_of_beam("from: [0, 0, 0], to: [6, 0, 0]"), "m");
  EXPECT_NE(model.resolved.find("first-axis: [0, 1, 0]\n"), std::string::npos) << model.resolved;
}

TEST(BeamInput, errors) {
  EXPECT_EQ(errors_of_beam("from: [1, 0, 0]"), "");
  EXPECT_EQ(errors_of_beam("from: [1, 0, 0], to: [1, 0, 0], first-axis: [1, 0, 0]"), "");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], first-axis: [-1, -1, 0]"), "");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], first-axis: [0, 0, 0], elements: 0, degree: 9, damping: -1"), "");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], elements: 100001, degree: 2.5, places: [0, 0.5, 1 m]"), "");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], places: [0.5, 0.25, 1/2]"), "");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], fix: {start: [x], end: [x, x]}"), "");
}

// Places on a beam are its ends and @s; a place on a beam says where a joint is.
TEST(BeamInput, places) {
  const ModelSpec model = read_model_text(
      model_with("joints: {j: {fixed: {between: [b@0.50, r]}}, k: {spherical: {between: [ground, b.start]}}}\n"
                 "springs: {s: {translational: {between: [b.end, b@1/3], stiffness: 1}}}\n"
                 "loads: {F: {force: {on: b.end, value: [1, 0, 0]}}}"),
      "m");
  const FrameRef& middle = model.joints[0].between[0];
  EXPECT_EQ(middle.body, "b");
  EXPECT_EQ(middle.point, "");
  EXPECT_EQ(middle.s, 0.5);
  EXPECT_EQ(middle.text(), "b@0.5");
  EXPECT_EQ(model.joints[0].between[1].s, std::nullopt);
  const FrameRef& start = model.joints[1].between[1];
  EXPECT_EQ(start.point, "start");
  EXPECT_EQ(start.s, 0.0);
  EXPECT_EQ(start.text(), "b.start");
  EXPECT_EQ(model.springs[0].between[0].s, 1.0);
  EXPECT_EQ(model.springs[0].between[1].s, 1.0 / 3);
  EXPECT_EQ(model.loads[0].on.s, 1.0);
  expect_reads_back(model);
}

// A rigid body may have points with the names of the ends of a beam.
TEST(BeamInput, start_of_a_rigid_body) {
  const ModelSpec model = read_model_text(
      "freeplay: 1\nanalysis: {static: {}}\nbodies: {r: {rigid: {mass: 1, points: {start: [1, 0, 0]}}}}\n"
      "joints: {j: {spherical: {between: [ground, r.start]}}}\n",
      "m");
  EXPECT_EQ(model.joints[0].between[1].s, std::nullopt);
}

TEST(BeamInput, errors_of_places) {
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b, r]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b.strat, r]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@1.5, r@0.5]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@0, r@0.5]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@, b@0.5 m]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@x, b.end@1]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@1, b.end]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {revolute: {between: [b@1, r]}}}"), "");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [c@1, ground@1]}}}"), "");
  EXPECT_EQ(errors_with("loads: {F: {force: {on: b, value: [1, 0, 0]}}}"), "");
}

// A beam that nothing holds is most likely a forgotten joint.
TEST(BeamInput, disconnected) {
  EXPECT_EQ(errors_with("joints: {j: {spherical: {between: [ground, r.p]}}}"), "");
  const auto with_free_body = [](const std::string& keys) {
    return errors(model_of_beam("from: [0, 0, 0], to: [2, 0, 0], " + keys) +
                  "  r: {rigid: {mass: 1}}\njoints: {j: {spherical: {between: [ground, r], at: [0, 0, 0]}}}\n");
  };
  EXPECT_EQ(with_free_body("free: true"), "");
  EXPECT_EQ(with_free_body("fix: {end: [x, y, z]}"), "");
}

// A beam is a body: its name is taken.
TEST(BeamInput, shares_the_names_of_bodies) {
  EXPECT_EQ(errors(model_of_beam("from: [0, 0, 0], to: [2, 0, 0]") + "  b: {rigid: {mass: 1}}\n"), "");
}

TEST(BeamInput, schema_and_reference) {
  const auto schema = nlohmann::json::parse(model_json_schema());
  const auto& types = schema["properties"]["bodies"]["additionalProperties"]["properties"];
  EXPECT_TRUE(types.contains("rigid"));
  EXPECT_EQ(types["beam"]["required"], nlohmann::json::array({"section", "from", "to"}));
  const auto& section = schema["properties"]["sections"]["additionalProperties"]["properties"];
  EXPECT_TRUE(section["stiffness"]["properties"].contains("matrix"));
  const std::string reference = model_reference();
  for (const char* table : {"`sections.NAME`", "`sections.NAME.stiffness`", "`sections.NAME.material`",
                            "`sections.NAME.circle`", "`sections.NAME.tube`", "`sections.NAME.rectangle`",
                            "`bodies.NAME.beam`", "`bodies.NAME.beam.fix`"}) {
    EXPECT_NE(reference.find(table), std::string::npos) << table;
  }
}

}  // namespace
}  // namespace freeplay
