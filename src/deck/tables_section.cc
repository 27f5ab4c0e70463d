#include <algorithm>
#include <cmath>

#include "freeplay/base/names.h"
#include "freeplay/deck/law_types.h"
#include "section_properties.h"
#include "tables.h"

namespace freeplay {

namespace {

using Pair = std::array<double, 2>;

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
  OutlineSpec outline;
  std::optional<Pair> shear_correction;
};

/// Outlines that the user gave; none but one is possible.
std::vector<std::string> outlines_of(const Given& given) {
  std::vector<std::string> outlines;
  for (const auto& type : outline_types().list())
    if (given.has(type.tag)) outlines.push_back("'" + type.tag + "'");
  return outlines;
}

/// 'box', 'circle', ... or 'tube'.
std::string outline_choice() {
  std::vector<std::string> tags;
  for (const auto& type : outline_types().list()) tags.push_back("'" + type.tag + "'");
  const std::string last = tags.back();
  tags.pop_back();
  return tags.empty() ? last : joined(tags) + " or " + last;
}

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
    reader.error(given.place(), "needs 'stiffness', 'mass' and 'rotary', or 'material' with " + outline_choice());
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
  if (outlines_of(given).empty())
    reader.error(given.place("material"), "'material' needs " + outline_choice() + " beside it");
  const double nu = input.material ? input.material->poisson_ratio() : 0.0;
  constexpr double incompressible = 0.5 + 1e-9;  // with round-off
  if (given.has("shear-correction") || reader.failed(reader.path()) || nu <= incompressible) return;
  reader.error(given.place("material"), "E/(2*G) - 1 = " + rounded_text(nu) +
                                            " is more than 0.5, which no isotropic material has as its Poisson ratio; "
                                            "correct E or G, or give 'shear-correction'");
}

void check_section(const SectionInput& input, const Given& given, Reader& reader) {
  const std::vector<std::string> outlines = outlines_of(given);
  if (outlines.size() > 1) reader.error(given.place(), "can have only one of " + joined(outlines, " and "));
  if (given.has("material")) {
    check_section_of_material(input, given, reader);
  } else {
    check_section_of_numbers(given, reader);
  }
}

void add_outlines(Table<SectionInput>& table) {
  for (const Alternative<OutlineSpec>& type : outline_types().list()) {
    const auto read = [=](const YamlNode& node, const Location& where, Reader& reader, SectionInput& input) {
      type.read(node, where, reader, input.outline);
    };
    const auto write = [=](const SectionInput& input) {
      return type.is_selected(input.outline) ? type.write(input.outline) : YamlNode{};
    };
    table.add({type.tag, "Outline.", false, "", type.shape}, read, write);
  }
}

Table<SectionInput> section_table() {
  using Input = SectionInput;
  Table<Input> table(
      "Section",
      "The cross section of beams, in section axes: the third axis is along the beam, the first is the `first-axis` of "
      "the beam. Either its stiffness, mass and rotary inertia are given (then an outline is only for drawing), or a "
      "material and an outline, from which they are computed.");
  table.optional("stiffness", &Input::stiffness, section_stiffness(), "Stiffness.");
  table.optional("mass", &Input::mass, number("kg/m", above(0)), "Mass per length.");
  table.optional("centre", &Input::centre, array_of<2>(number("m")),
                 "Centre of mass along the first and the second axis. Beside a material it is an unbalance: it moves "
                 "only the mass.");
  table.optional("rotary", &Input::rotary,
                 checked<std::array<double, 3>>(array_of<3>(number("kg*m", at_least(0))), check_rotary),
                 "Moments of inertia per length about the axes 1, 2 and 3 through the centre of mass, none of them 0. "
                 "Of a plane section the third is the sum of the other two.");
  table.optional("material", &Input::material, material(),
                 "Instead of `stiffness`, `mass` and `rotary`: A, I and J are those of the outline, which are exact if "
                 "it says nothing else.");
  add_outlines(table);
  table.optional(
      "shear-correction", &Input::shear_correction, one_or_two(""),
      "Factor k of the shear stiffness k*G*A along the first and the second axis, beside `material`. If absent: "
      "that of the outline by Cowper (1966), with nu = E/(2*G) - 1.");
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
  section.outline = input.outline;
  section.material = input.material;
  if (input.material) {
    section.shear_correction =
        input.shear_correction.value_or(section.outline->shear_correction(input.material->poisson_ratio()));
    compute_from_material(section);
  } else {
    section.stiffness = *input.stiffness;
    section.mass = *input.mass;
    section.rotary = *input.rotary;
  }
  return section;
}

SectionInput input_of(const SectionSpec& section) {
  SectionInput input;
  input.centre = section.centre;
  input.outline = section.outline;
  input.material = section.material;
  if (section.material) {
    input.shear_correction = section.shear_correction;
  } else {
    input.stiffness = section.stiffness;
    input.mass = section.mass;
    input.rotary = section.rotary;
  }
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
