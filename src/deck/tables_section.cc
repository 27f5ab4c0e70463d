#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "freeplay/base/names.h"
#include "section_properties.h"
#include "tables.h"

namespace freeplay {

namespace {

using Pair = std::array<double, 2>;

/// One number for both directions, or two.
Format<Pair> one_or_two(const std::string& unit) {
  const Format<double> one = number(unit, above(0));
  const Format<Pair> two = array_of<2>(one);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Pair> {
    if (node.kind != YamlNode::Kind::scalar) return two.read(node, where, reader);
    const auto value = one.read(node, where, reader);
    if (!value) return std::nullopt;
    return Pair{*value, *value};
  };
  const std::string phrase = "number, or list of 2 numbers" + (unit.empty() ? "" : " [" + unit + "]") + ", > 0";
  return {{.kind = Shape::Kind::any_of, .phrase = phrase, .parts = {one.shape(), two.shape()}},
          read,
          [=](const Pair& value) { return two.write(value); }};
}

const char* unit_of_element(int row, int column) {
  return row < 3 && column < 3 ? "N" : row >= 3 && column >= 3 ? "N*m^2" : "N*m";
}

std::string element_text(int row, int column) {
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

/// Elements have different units, so that they are compared after the diagonal is scaled to 1.
void check_stiffness_matrix(const Mat6& matrix, const Location& where, Reader& reader) {
  constexpr double typing_error = 1e-9;
  constexpr double round_off = 1e-12;
  for (int i = 0; i < 6; ++i) {
    if (matrix(i, i) > 0) continue;
    reader.error(where, "is not positive definite: " + element_text(i, i) + " is " + rounded_text(matrix(i, i)) + " " +
                            unit_of_element(i, i) + ", but must be > 0");
    return;
  }
  const Vec6 scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Mat6 scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  for (int i = 0; i < 6; ++i) {
    for (int j = i + 1; j < 6; ++j) {
      if (std::abs(scaled(i, j) - scaled(j, i)) <= typing_error) continue;
      const auto text = [&](int row, int column) {
        return element_text(row, column) + " is " + rounded_text(matrix(row, column)) + " " +
               unit_of_element(row, column);
      };
      reader.error(where, "is not symmetric: " + text(i, j) + ", but " + text(j, i));
      return;
    }
  }
  const double smallest = Eigen::SelfAdjointEigenSolver<Mat6>(scaled, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  if (smallest > round_off) return;
  reader.error(where,
               "is not positive definite: some deformation would need no energy or set it free (with its "
               "diagonal scaled to 1, the smallest eigenvalue is " +
                   rounded_text(smallest) + ")");
}

/// Six rows of six numbers.
Format<Mat6> stiffness_matrix() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<Mat6> {
    if (reader.list(node, 6, 6) == nullptr) return std::nullopt;
    Mat6 matrix = Mat6::Zero();
    for (int i = 0; i < 6; ++i) {
      const Reader::Scope row_scope(reader, std::to_string(i));
      const YamlNode* row = reader.list(node.items[static_cast<std::size_t>(i)], 6, 6);
      for (int j = 0; row != nullptr && j < 6; ++j) {
        const Reader::Scope scope(reader, std::to_string(j));
        const auto value = reader.number(row->items[static_cast<std::size_t>(j)], unit_of_element(i, j), {});
        matrix(i, j) = value.value_or(0.0);
      }
    }
    if (reader.failed(reader.path())) return std::nullopt;
    check_stiffness_matrix(matrix, node.where, reader);
    if (reader.failed(reader.path())) return std::nullopt;
    const Mat6 transposed = matrix.transpose();
    return 0.5 * matrix + 0.5 * transposed;
  };
  const auto write = [](const Mat6& matrix) {
    YamlNode rows = YamlNode::list();
    for (int i = 0; i < 6; ++i) {
      YamlNode row = YamlNode::list();
      for (int j = 0; j < 6; ++j) row.items.push_back(number(unit_of_element(i, j)).write(matrix(i, j)));
      rows.items.push_back(std::move(row));
    }
    return rows;
  };
  const Shape row{.kind = Shape::Kind::list, .parts = {number("").shape()}, .min_items = 6, .max_items = 6};
  const std::string phrase = "6 rows of 6 numbers [N] (upper left 3 x 3), [N*m^2] (lower right), [N*m] (elsewhere)";
  return {{.kind = Shape::Kind::list, .phrase = phrase, .parts = {row}, .min_items = 6, .max_items = 6}, read, write};
}

struct StiffnessInput {
  std::optional<double> axial, torsion;
  std::optional<Pair> shear, bending;
  std::optional<Mat6> matrix;
};

Table<StiffnessInput> stiffness_table() {
  using Input = StiffnessInput;
  Table<Input> table("Stiffness of a section",
                     "Either the four keys `axial`, `shear`, `bending`, `torsion`, or `matrix`.");
  table.optional("axial", &Input::axial, number("N", above(0)), "Against stretching: E*A.");
  table.optional("shear", &Input::shear, one_or_two("N"),
                 "Against shear along the first and the second axis: k*G*A, with the shear correction k in it.");
  table.optional("bending", &Input::bending, one_or_two("N*m^2"),
                 "Against bending about the first and the second axis: E*I.");
  table.optional("torsion", &Input::torsion, number("N*m^2", above(0)), "Against torsion: G*J.");
  table.optional("matrix", &Input::matrix, stiffness_matrix(),
                 "The whole symmetric positive definite matrix, for composite sections and for axes that are not those "
                 "of the section: section forces (shear 1, shear 2, axial force, moment 1, moment 2, torque) from "
                 "strains in the same order.");
  table.check([](const Input&, const Given& given, Reader& reader) {
    std::vector<std::string> missing;
    for (const char* key : {"axial", "shear", "bending", "torsion"}) {
      if (!given.has(key)) missing.push_back(key);
    }
    if (given.has("matrix") && missing.size() < 4) {
      reader.error(given.place("matrix"), "'matrix' excludes 'axial', 'shear', 'bending' and 'torsion'");
    } else if (!given.has("matrix") && missing.size() == 4) {
      reader.error(given.place(), "needs 'axial', 'shear', 'bending' and 'torsion', or 'matrix'");
    } else if (!given.has("matrix")) {
      for (const std::string& key : missing) reader.error(given.place(), "the key '" + key + "' is missing");
    }
  });
  return table;
}

/// Written as four numbers if it is diagonal.
Format<Mat6> stiffness() {
  const Table<StiffnessInput> table = stiffness_table();
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Mat6> {
    StiffnessInput input;
    table.read(node, where, reader, input);
    if (reader.failed(reader.path())) return std::nullopt;
    if (input.matrix) return input.matrix;
    Vec6 diagonal;
    diagonal << (*input.shear)[0], (*input.shear)[1], *input.axial, (*input.bending)[0], (*input.bending)[1],
        *input.torsion;
    return Mat6(diagonal.asDiagonal());
  };
  const auto write = [=](const Mat6& value) {
    StiffnessInput input;
    const Vec6 d = value.diagonal();
    if (value == Mat6(d.asDiagonal())) {
      input.axial = d[2];
      input.shear = {d[0], d[1]};
      input.bending = {d[3], d[4]};
      input.torsion = d[5];
    } else {
      input.matrix = value;
    }
    return table.write(input);
  };
  return {table.shape(), read, write};
}

Format<MaterialSpec> material() {
  struct Input {
    double youngs_modulus = 0.0, density = 0.0;
    std::optional<double> shear_modulus, poisson;
  };
  Table<Input> table("Material", "The material of a section.");
  table.required("E", &Input::youngs_modulus, number("Pa", above(0)), "Young's modulus.");
  table.optional("G", &Input::shear_modulus, number("Pa", above(0)), "Shear modulus.");
  table.optional("poisson", &Input::poisson, number("", between(0, 0.5)),
                 "Poisson's ratio, instead of `G`: G = E/(2*(1 + poisson)).");
  table.required("density", &Input::density, number("kg/m^3", above(0)), "Mass per volume.");
  table.check([](const Input&, const Given& given, Reader& reader) {
    if (given.has("G") == given.has("poisson"))
      reader.error(given.place(), given.has("G") ? "can have only one of 'G' and 'poisson'" : "needs 'G' or 'poisson'");
  });
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<MaterialSpec> {
    Input input;
    table.read(node, where, reader, input);
    if (reader.failed(reader.path())) return std::nullopt;
    const double G = input.shear_modulus ? *input.shear_modulus : input.youngs_modulus / (2.0 * (1.0 + *input.poisson));
    return MaterialSpec{
        .where = where, .youngs_modulus = input.youngs_modulus, .shear_modulus = G, .density = input.density};
  };
  return {table.shape(), read, [=](const MaterialSpec& material) {
            return table.write(Input{material.youngs_modulus, material.density, material.shear_modulus, std::nullopt});
          }};
}

Format<OutlineSpec> outline(const Table<OutlineSpec>& table, OutlineSpec::Kind kind) {
  const Format<OutlineSpec> format = nested(table);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    auto value = format.read(node, where, reader);
    if (value) value->kind = kind;
    return value;
  };
  return {format.shape(), read, [=](const OutlineSpec& value) { return format.write(value); }};
}

Format<OutlineSpec> circle() {
  Table<OutlineSpec> table("Circle", "A full circle.");
  table.required("radius", &OutlineSpec::radius, number("m", above(0)), "Radius.");
  return outline(table, OutlineSpec::Kind::circle);
}

Format<OutlineSpec> tube() {
  struct Input {
    double outer = 0.0;
    std::optional<double> inner, wall;
  };
  Table<Input> table("Tube", "A circular ring, thick or thin. `outer` and `inner` are radii, not diameters.");
  table.required("outer", &Input::outer, number("m", above(0)), "Outer radius.");
  table.optional("inner", &Input::inner, number("m", above(0)), "Inner radius.");
  table.optional("wall", &Input::wall, number("m", above(0)), "Thickness of the wall, instead of `inner`.");
  table.check([](const Input& tube, const Given& given, Reader& reader) {
    if (given.has("inner") == given.has("wall")) {
      reader.error(given.place(),
                   given.has("wall") ? "can have only one of 'inner' and 'wall'" : "needs 'inner' or 'wall'");
    } else if (!reader.failed(reader.path()) && !(tube.inner.value_or(0) + tube.wall.value_or(0) < tube.outer)) {
      const char* const key = given.has("wall") ? "wall" : "inner";
      const Reader::Scope scope(reader, key);
      reader.error(given.place(key), "must be less than 'outer'");
    }
  });
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<OutlineSpec> {
    Input input;
    table.read(node, where, reader, input);
    if (reader.failed(reader.path())) return std::nullopt;
    const double inner = input.inner ? *input.inner : input.outer - *input.wall;
    return OutlineSpec{.kind = OutlineSpec::Kind::tube, .radius = input.outer, .inner_radius = inner};
  };
  return {table.shape(), read, [=](const OutlineSpec& tube) {
            return table.write(Input{tube.radius, tube.inner_radius, std::nullopt});
          }};
}

Format<OutlineSpec> rectangle() {
  Table<OutlineSpec> table("Rectangle", "A full rectangle.");
  table.required("width", &OutlineSpec::width, number("m", above(0)), "Length along the first axis.");
  table.required("height", &OutlineSpec::height, number("m", above(0)), "Length along the second axis.");
  return outline(table, OutlineSpec::Kind::rectangle);
}

Format<OutlineSpec> box() {
  Table<OutlineSpec> table("Box", "A hollow rectangle with walls of one thickness.");
  table.required("width", &OutlineSpec::width, number("m", above(0)), "Outer length along the first axis.");
  table.required("height", &OutlineSpec::height, number("m", above(0)), "Outer length along the second axis.");
  table.required("wall", &OutlineSpec::wall, number("m", above(0)), "Thickness of the walls.");
  table.check([](const OutlineSpec& box, const Given& given, Reader& reader) {
    if (reader.failed(reader.path()) || 2 * box.wall < std::min(box.width, box.height)) return;
    const Reader::Scope scope(reader, "wall");
    reader.error(given.place("wall"), "must be less than half of 'width' and of 'height'");
  });
  return outline(table, OutlineSpec::Kind::box);
}

const char* const rotary_hint =
    "a slice of the beam also has inertia against rotation; give [about 1, about 2, about 3] in kg*m, for one material "
    "its density times the second moments of area, where the third (polar) is the sum of the other two";

/// What the user wrote about a section; the rest of it follows.
struct SectionInput {
  std::optional<Mat6> stiffness;
  std::optional<double> mass;
  Pair centre{};
  std::optional<std::array<double, 3>> rotary;
  std::optional<MaterialSpec> material;
  std::optional<OutlineSpec> circle, tube, rectangle, box;
  std::optional<Pair> shear_correction;

  OutlineSpec outline() const {
    return circle ? *circle : tube ? *tube : rectangle ? *rectangle : box.value_or(OutlineSpec{});
  }
};

constexpr std::array<const char*, 4> outline_keys{"circle", "tube", "rectangle", "box"};
const char* const outline_choice = "'circle', 'tube', 'rectangle' or 'box'";

void check_rotary(const std::array<double, 3>& rotary, const Location& where, Reader& reader) {
  if (rotary[0] > 0 && rotary[1] > 0 && rotary[2] > 0) return;
  reader.error(where, std::string("must not be 0: ") + rotary_hint);
}

void check_section_of_numbers(const Given& given, Reader& reader) {
  if (given.has("shear-correction")) {
    const Reader::Scope scope(reader, "shear-correction");
    reader.error(given.place("shear-correction"),
                 "is only for a section with 'material'; the stiffness 'shear' already includes it");
  }
  if (!given.has("stiffness") && !given.has("mass") && !given.has("rotary")) {
    reader.error(given.place(),
                 std::string("needs 'stiffness', 'mass' and 'rotary', or 'material' with ") + outline_choice);
    return;
  }
  for (const char* key : {"stiffness", "mass"}) {
    if (!given.has(key)) reader.error(given.place(), "the key '" + std::string(key) + "' is missing");
  }
  if (!given.has("rotary")) reader.error(given.place(), std::string("the key 'rotary' is missing: ") + rotary_hint);
}

void check_section_of_material(const SectionInput& input, const Given& given, Reader& reader) {
  for (const char* key : {"stiffness", "mass", "rotary"}) {
    if (!given.has(key)) continue;
    const Reader::Scope scope(reader, key);
    reader.error(given.place(key), "follows from 'material'; remove one of the two");
  }
  if (std::none_of(outline_keys.begin(), outline_keys.end(), [&](const char* key) { return given.has(key); })) {
    reader.error(given.place("material"), std::string("'material' needs ") + outline_choice + " beside it");
  }
  const double nu = input.material ? input.material->poisson_ratio() : 0.0;
  constexpr double incompressible = 0.5 + 1e-9;  // with round-off
  if (given.has("shear-correction") || reader.failed(reader.path()) || nu <= incompressible) return;
  reader.error(given.place("material"), "E/(2*G) - 1 = " + rounded_text(nu) +
                                            " is more than 0.5, which no isotropic material has as its Poisson ratio; "
                                            "correct E or G, or give 'shear-correction'");
}

void check_section(const SectionInput& input, const Given& given, Reader& reader) {
  std::vector<std::string> outlines;
  for (const char* key : outline_keys) {
    if (given.has(key)) outlines.push_back(std::string("'") + key + "'");
  }
  if (outlines.size() > 1) reader.error(given.place(), "can have only one of " + joined(outlines, " and "));
  if (given.has("material")) {
    check_section_of_material(input, given, reader);
  } else {
    check_section_of_numbers(given, reader);
  }
}

Table<SectionInput> section_table() {
  using Input = SectionInput;
  Table<Input> table(
      "Section",
      "The cross section of beams, in section axes: the third axis is along the beam, the first is the `first-axis` of "
      "the beam. Either its stiffness, mass and rotary inertia are given (then an outline is only for drawing), or a "
      "material and an outline, from which they are computed.");
  table.optional("stiffness", &Input::stiffness, stiffness(), "Stiffness.");
  table.optional("mass", &Input::mass, number("kg/m", above(0)), "Mass per length.");
  table.optional("centre", &Input::centre, array_of<2>(number("m")),
                 "Centre of mass along the first and the second axis. Beside a material it is an unbalance: it moves "
                 "only the mass.");
  table.optional("rotary", &Input::rotary,
                 checked<std::array<double, 3>>(array_of<3>(number("kg*m", at_least(0))), check_rotary),
                 "Moments of inertia per length about the axes 1, 2 and 3 through the centre of mass, none of them 0. "
                 "Of a plane section the third is the sum of the other two.");
  table.optional("material", &Input::material, material(),
                 "Instead of `stiffness`, `mass` and `rotary`: A, I and J are those of the outline. They are exact, "
                 "for the torsion of the rectangle by the series of Saint-Venant; only J of the box is Bredt's, for "
                 "thin walls.");
  table.optional("circle", &Input::circle, circle(), "Outline.");
  table.optional("tube", &Input::tube, tube(), "Outline.");
  table.optional("rectangle", &Input::rectangle, rectangle(), "Outline.");
  table.optional("box", &Input::box, box(), "Outline.");
  table.optional(
      "shear-correction", &Input::shear_correction, one_or_two(""),
      "Factor k of the shear stiffness k*G*A along the first and the second axis, beside `material`. If absent: "
      "Cowper (1966) with nu = E/(2*G) - 1: circle 6*(1 + nu)/(7 + 6*nu); tube with m = inner/outer "
      "6*(1 + nu)*(1 + m^2)^2/((7 + 6*nu)*(1 + m^2)^2 + (20 + 12*nu)*m^2); rectangle 10*(1 + nu)/(12 + 11*nu); box: "
      "his formula for thin walls, for equal sides 20*(1 + nu)/(48 + 39*nu). For nu = 0.3: 0.886, 0.531 (thin tube), "
      "0.850, 0.436 (box of equal sides).");
  table.check(check_section);
  return table;
}

/// The numbers of a material may be so extreme that their products leave the range of numbers.
void check_computed(const SectionSpec& section, const Location& where, Reader& reader) {
  Eigen::Matrix<double, 10, 1> all;
  all << section.stiffness.diagonal(), section.mass, section.rotary[0], section.rotary[1], section.rotary[2];
  if (all.allFinite() && all.minCoeff() > 0) return;
  reader.error(where, "gives a stiffness or mass that is 0 or not finite; look at the units of material and outline");
}

SectionSpec section_of(const SectionInput& input) {
  SectionSpec section;
  section.centre = input.centre;
  section.outline = input.outline();
  section.material = input.material;
  if (input.material) {
    section.shear_correction =
        input.shear_correction.value_or(cowper_shear_correction(section.outline, input.material->poisson_ratio()));
    compute_from_material(section);
  } else {
    section.stiffness = *input.stiffness;
    section.mass = *input.mass;
    section.rotary = *input.rotary;
  }
  return section;
}

SectionInput input_of(const SectionSpec& section) {
  using Kind = OutlineSpec::Kind;
  SectionInput input;
  input.centre = section.centre;
  input.material = section.material;
  if (section.material) {
    input.shear_correction = section.shear_correction;
  } else {
    input.stiffness = section.stiffness;
    input.mass = section.mass;
    input.rotary = section.rotary;
  }
  if (section.outline.kind == Kind::circle) input.circle = section.outline;
  if (section.outline.kind == Kind::tube) input.tube = section.outline;
  if (section.outline.kind == Kind::rectangle) input.rectangle = section.outline;
  if (section.outline.kind == Kind::box) input.box = section.outline;
  return input;
}

}  // namespace

Format<std::vector<SectionSpec>> sections() {
  const Table<SectionInput> table = section_table();
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<SectionSpec> {
    SectionInput input;
    table.read(node, where, reader, input);
    if (reader.failed(reader.path())) return std::nullopt;
    const SectionSpec section = section_of(input);
    if (section.material) check_computed(section, where, reader);
    return section;
  };
  return named(
      Format<SectionSpec>{table.shape(), read, [=](const SectionSpec& spec) { return table.write(input_of(spec)); }});
}

}  // namespace freeplay
