#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "deck/beam_testing.h"
#include "freeplay/deck/tapered_section.h"

namespace freeplay {
namespace {

using std::numbers::pi;
using test::errors;
using test::expect_reads_back;
using test::rod;

const std::string tube =
    "{stiffness: {axial: 3, shear: 2, bending: [4, 5], torsion: 6}, mass: 7, rotary: [8, 9, 17], centre: [1 mm, 0]}";

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

// Four numbers fill the diagonal in the order shear 1, shear 2, axial, bending 1, bending 2, torsion.
TEST(SectionInput, numbers) {
  const SectionSpec section = read_section(tube);
  EXPECT_EQ(section.name, "s");
  EXPECT_EQ(section.where.line, 5);
  EXPECT_EQ(section.stiffness, Mat6(Vec6{{2, 2, 3, 4, 5, 6}}.asDiagonal()));
  EXPECT_EQ(section.mass, 7);
  EXPECT_EQ(section.centre, (std::array<double, 2>{1e-3, 0}));
  EXPECT_EQ(section.rotary, (std::array<double, 3>{8, 9, 17}));
  EXPECT_EQ(section.outline, nullptr);
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
  ASSERT_NE(section.outline, nullptr);
  EXPECT_TRUE(section.outline->drawn().has_corners);
  EXPECT_EQ(section.outline->drawn().outer, Vec3(0.5, 1.0, 0.0));
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

// Protects: Poisson's ratio, which users know, instead of G.
TEST(SectionInput, material_with_poisson) {
  const std::string tube = "tube: {outer: 10 mm, wall: 1 mm}}";
  const SectionSpec by_ratio = read_section("{material: {E: 200 GPa, poisson: 0.25, density: 8000}, " + tube);
  const SectionSpec by_modulus = read_section("{material: {E: 200 GPa, G: 80 GPa, density: 8000}, " + tube);
  EXPECT_EQ(by_ratio.stiffness, by_modulus.stiffness);
  EXPECT_EQ(errors_of_section("{material: {E: 200 GPa, density: 8000}, " + tube),
            "m:5:7: error: sections.s.material: needs 'G' or 'poisson'\n");
  EXPECT_EQ(errors_of_section("{material: {E: 200 GPa, G: 80 GPa, poisson: 0.25, density: 8000}, " + tube),
            "m:5:7: error: sections.s.material: can have only one of 'G' and 'poisson'\n");
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

// A wall says the same as an inner radius.
TEST(SectionInput, tube_with_a_wall) {
  const std::string material = "{material: {E: 2.5, G: 1, density: 1}, tube: ";
  const SectionSpec by_wall = read_section(material + "{outer: 2, wall: 0.5}}");
  EXPECT_EQ(by_wall.stiffness, read_section(material + "{outer: 2, inner: 1.5}}").stiffness);
  expect_reads_back(read_model_text(model_of_section(material + "{outer: 2, wall: 0.5}}"), "m"));
  EXPECT_EQ(errors_of_section(material + "{outer: 2}}"), "m:5:45: error: sections.s.tube: needs 'inner' or 'wall'\n");
  EXPECT_EQ(errors_of_section(material + "{outer: 2, inner: 1, wall: 1}}"),
            "m:5:45: error: sections.s.tube: can have only one of 'inner' and 'wall'\n");
  EXPECT_EQ(errors_of_section(material + "{outer: 2, wall: 2}}"),
            "m:5:62: error: sections.s.tube.wall: must be less than 'outer'\n");
}

// A box has the second moments of a rectangle minus its hole; torsion by Bredt, shear by Cowper for thin walls.
TEST(SectionInput, box_of_a_material) {
  const std::string material = "{material: {E: 2.5, G: 1, density: 3}, box: ";
  const SectionSpec section = read_section(material + "{width: 2, height: 1, wall: 0.1}}");
  const double A = 2 * 1 - 1.8 * 0.8;
  expect_near(section.stiffness(2, 2), 2.5 * A);
  expect_near(section.stiffness(3, 3), 2.5 * (2 * 1 - 1.8 * 0.8 * 0.8 * 0.8) / 12);
  expect_near(section.stiffness(4, 4), 2.5 * (8 * 1 - 1.8 * 1.8 * 1.8 * 0.8) / 12);
  expect_near(section.stiffness(5, 5), 4 * std::pow(1.9 * 0.9, 2) * 0.1 / (2 * (1.9 + 0.9)));
  expect_near(section.mass, 3 * A);
  // Cowper (1966) for a thin-walled square tube: 20 (1 + nu)/(48 + 39 nu), with nu = 1/4.
  const SectionSpec square = read_section(material + "{width: 1, height: 1, wall: 0.01}}");
  expect_near(square.shear_correction[0], 20 * 1.25 / (48 + 39 * 0.25));
  expect_near(square.shear_correction[1], square.shear_correction[0]);
  // Two webs alone are rectangles.
  constexpr double narrow = 1e-6;
  EXPECT_NEAR(read_section(material + "{width: 1e-6, height: 1, wall: 1e-9}}").shear_correction[1],
              10 * 1.25 / (12 + 11 * 0.25), 2 * narrow);
  expect_reads_back(read_model_text(model_of_section(material + "{width: 2, height: 1, wall: 0.1}}"), "m"));
  EXPECT_EQ(errors_of_section(material + "{width: 2, height: 1, wall: 0.5}}"),
            "m:5:72: error: sections.s.box.wall: must be less than half of 'width' and of 'height'\n");
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
  // The series for the square of half side 1, summed by mpmath with 40 digits.
  expect_near(read("{width: 2, height: 2}").stiffness(5, 5), 2.2492322392824594);
  // A thin strip: a b^3/3 (1 - 0.63 b/a).
  constexpr double thin = 1e-5;
  EXPECT_NEAR(read("{width: 1, height: 1e-5}").stiffness(5, 5) / (std::pow(thin, 3) / 3), 1 - 0.63 * thin, thin * 1e-2);
}

// What the user says about the shear correction counts.
TEST(SectionInput, shear_correction) {
  const std::string start =
      "{material: {E: 2.5, G: 1, density: 3}, rectangle: {width: 1, height: 1}, shear-correction: ";
  EXPECT_EQ(read_section(start + "0.5}").stiffness(0, 0), 0.5);
  EXPECT_EQ(read_section(start + "[0.5, 0.75]}").stiffness(1, 1), 0.75);
  EXPECT_EQ(read_section("{material: {E: 20, G: 1, density: 3}, circle: {radius: 1}, shear-correction: 1}").mass,
            3 * pi);
}

// What a section lacks, has twice or cannot have.
TEST(SectionInput, errors) {
  EXPECT_EQ(errors_of_section("{}"),
            "m:5:3: error: sections.s: needs 'stiffness', 'mass' and 'rotary', or 'material' with 'box', 'circle', "
            "'rectangle' or 'tube'\n");
  EXPECT_EQ(errors_of_section("{stiffness: {}}"),
            "m:5:3: error: sections.s: the key 'mass' is missing\n"
            "m:5:3: error: sections.s: the key 'rotary' is missing: a slice of the beam also has inertia against "
            "rotation; give [about 1, about 2, about 3] in kg*m, for one material its density times the second moments "
            "of area, where the third (polar) is the sum of the other two\n"
            "m:5:7: error: sections.s.stiffness: needs 'axial', 'shear', 'bending' and 'torsion', or 'matrix'\n");
  EXPECT_EQ(errors_of_section(
                "{mass: 0, stiffness: {axial: 1 m, shear: [1, 2, 3], bending: -1, tosion: 1}, rotary: [1, 1, 0]}"),
            "m:5:13: error: sections.s.mass: 0 must be > 0\n"
            "m:5:16: error: sections.s.stiffness: the key 'torsion' is missing\n"
            "m:5:35: error: sections.s.stiffness.axial: 1 m is a length [m], but a force [N] is needed\n"
            "m:5:47: error: sections.s.stiffness.shear: must be a list of 2 values, not of 3\n"
            "m:5:67: error: sections.s.stiffness.bending: -1 must be > 0\n"
            "m:5:71: error: sections.s.stiffness.tosion: unknown key, did you mean 'torsion'? (possible here: axial, "
            "shear, bending, torsion, matrix)\n"
            "m:5:91: error: sections.s.rotary: must not be 0: a slice of the beam also has inertia against rotation; "
            "give [about 1, about 2, about 3] in kg*m, for one material its density times the second moments of area, "
            "where the third (polar) is the sum of the other two\n");
  EXPECT_EQ(errors_of_section("{mass: 1, rotary: [1, 1, 2], shear-correction: 1, stiffness: {axial: 1, matrix: 1}}"),
            "m:5:35: error: sections.s.shear-correction: is only for a section with 'material'; the stiffness 'shear' "
            "already includes it\n"
            "m:5:78: error: sections.s.stiffness: 'matrix' excludes 'axial', 'shear', 'bending' and 'torsion'\n"
            "m:5:86: error: sections.s.stiffness.matrix: must be a list of 6 values, not '1'\n");
  EXPECT_EQ(errors_of_section("{mass: 1, rotary: [1, 1, 2], stiffness: {matrix: [1, 2]}}"),
            "m:5:55: error: sections.s.stiffness.matrix: must be a list of 6 values, not of 2\n");
  EXPECT_EQ(errors_of_section("{material: {E: 1, G: 1}, mass: 1}"),
            "m:5:7: error: sections.s.material: the key 'density' is missing\n"
            "m:5:7: error: sections.s: 'material' needs 'box', 'circle', 'rectangle' or 'tube' beside it\n"
            "m:5:31: error: sections.s.mass: follows from 'material'; remove one of the two\n");
  EXPECT_EQ(errors_of_section("{material: {E: 4, G: 1, density: 1}, circle: {radius: 1}}"),
            "m:5:7: error: sections.s: E/(2*G) - 1 = 1 is more than 0.5, which no isotropic material has as its "
            "Poisson ratio; correct E or G, or give 'shear-correction'\n");
  EXPECT_EQ(
      errors_of_section("{material: {E: 2.5, G: 1, density: 1}, circle: {radius: 1}, tube: {outer: 1, inner: 1}}"),
      "m:5:3: error: sections.s: can have only one of 'circle' and 'tube'\n"
      "m:5:83: error: sections.s.tube.inner: must be less than 'outer'\n");
  EXPECT_EQ(errors_of_section("{material: {E: 2.5, G: 1, density: 1}, circle: {radius: 1e-200}}"),
            "m:5:3: error: sections.s: gives a stiffness or mass that is 0 or not finite; look at the units of "
            "material and outline\n");
  EXPECT_EQ(errors_of_section("{mass: 1, stiffness: {axial: 1, shear: 1, bending: 1, torsion: 1}}"),
            "m:5:3: error: sections.s: the key 'rotary' is missing: a slice of the beam also has inertia against "
            "rotation; give [about 1, about 2, about 3] in kg*m, for one material its density times the second moments "
            "of area, where the third (polar) is the sum of the other two\n");
}

std::string errors_of_matrix(const std::string& rows) {
  return errors_of_section("{mass: 1, rotary: [1, 1, 2], stiffness: {matrix: [" + rows + "]}}");
}

// A stiffness matrix is that of an elastic material.
TEST(SectionInput, errors_of_matrix) {
  const std::string last_three = "[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]";
  EXPECT_EQ(errors_of_matrix("[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], " + last_three),
            "m:5:55: error: sections.s.stiffness.matrix: is not positive definite: row 3, column 3 is 0 N, but must be "
            "> 0\n");
  EXPECT_EQ(errors_of_matrix("[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 2, 0], [0, 0, 1, 0, 0, 0], " + last_three),
            "m:5:55: error: sections.s.stiffness.matrix: is not symmetric: row 2, column 5 is 2 N*m, but row 5, column "
            "2 is 0 N*m\n");
  EXPECT_EQ(errors_of_matrix("[1, 1.5, 0, 0, 0, 0], [1.5, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], " + last_three),
            "m:5:55: error: sections.s.stiffness.matrix: is not positive definite: some deformation would need no "
            "energy or set it free (with its diagonal scaled to 1, the smallest eigenvalue is -0.5)\n");
  EXPECT_EQ(
      errors_of_matrix("[1, 0, 0, 1 N, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 0], " + last_three),
      "m:5:66: error: sections.s.stiffness.matrix.0.3: 1 N is a force [N], but a moment or energy [N*m] is needed\n"
      "m:5:78: error: sections.s.stiffness.matrix.1: must be a list of 6 values, not of 5\n");
  // Symmetric up to the digits that are usually typed.
  EXPECT_EQ(errors_of_matrix("[1, 0.1, 0, 0, 0, 0], [0.1000000001, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], " + last_three),
            "");
}

// A misspelt section is one mistake; a section of a beam that cannot be read is not unused.
TEST(SectionInput, must_exist_and_be_used) {
  const std::string start = "freeplay: 1\nanalysis: {static: {}}\nsections: {tube: " + rod + ", bar: " + rod + "}\n";
  const std::string beam = "from: [0, 0, 0], to: [1, 0, 0]}}}\n";
  EXPECT_EQ(
      errors(start + "bodies: {b: {beam: {section: tbue, " + beam),
      "m:4:30: error: bodies.b.beam.section: there is no section 'tbue', did you mean 'tube'? (sections: tube, bar)\n");
  EXPECT_EQ(errors(start + "bodies: {b: {beam: {section: bar, " + beam),
            "m:3:12: error: sections.tube: is never used; give it to a beam ('section: tube'), or remove it\n");
  EXPECT_EQ(errors(start + "bodies: {b: {beam: {section: [bar], " + beam),
            "m:4:30: error: bodies.b.beam.section: needs at least 2 values, has 1\n");
  EXPECT_EQ(errors(start + "bodies: {b: {bem: {section: bar, " + beam),
            "m:3:12: error: sections.tube: is never used; give it to a beam ('section: tube'), or remove it\n"
            "m:4:14: error: bodies.b.bem: unknown key, did you mean 'beam'? (possible here: rigid, point, beam)\n");
}

// On the way from one outline to another of the same shape, stiffness and mass are those of the outline in between: of
// a circle EI = E pi r^4/4. Sections of other shapes, and those given by numbers, have no outline in between.
TEST(SectionInput, tapered) {
  const auto circle = [](const std::string& radius, const std::string& E) {
    return read_section("{circle: {radius: " + radius + "}, material: {E: " + E + ", poisson: 0.3, density: 1000}}");
  };
  const auto middle = tapered_section(circle("3 mm", "2 GPa"), circle("1 mm", "4 GPa"), 0.25);
  ASSERT_TRUE(middle);
  const double r = 2.5e-3, pi = std::numbers::pi;
  constexpr double relative = 1e-13;
  EXPECT_NEAR(middle->stiffness(3, 3) / (2.5e9 * pi * std::pow(r, 4) / 4.0), 1.0, relative);
  EXPECT_NEAR(middle->mass / (1000.0 * pi * r * r), 1.0, relative);
  const SectionSpec square =
      read_section("{rectangle: {width: 1 mm, height: 1 mm}, material: {E: 2 GPa, poisson: 0.3, density: 1000}}");
  EXPECT_FALSE(tapered_section(square, circle("1 mm", "2 GPa"), 0.5));
  SectionSpec numbers = square;
  numbers.material.reset();
  EXPECT_FALSE(tapered_section(square, numbers, 0.5));
}

}  // namespace
}  // namespace freeplay
