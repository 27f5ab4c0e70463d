#include "connection_texts.h"
#include "tables.h"

namespace freeplay {

namespace {

/// A table of values replaces the stiffness; a spring without any law is a mistake.
void check_spring_law(const SpringSpec&, const Given& given, Reader& reader) {
  if (given.has("table") && given.has("stiffness")) {
    reader.error(given.place("table"), "'table' and 'stiffness' exclude each other");
  }
  if (!given.has("stiffness") && !given.has("damping") && !given.has("table")) {
    reader.error(given.place(), "needs 'stiffness', 'damping' or 'table'");
  }
}

bool is_linear(const SpringSpec& spring) { return spring.table.empty(); }

Table<SpringSpec> translational_table() {
  using Spring = SpringSpec;
  Table<Spring> table("Translational spring", "A spring and damper along the line between two places.");
  table.required("between", &Spring::between, two_places(), places_apart_text);
  table.optional("stiffness", &Spring::stiffness, number("N/m", at_least(0)), "Stiffness.").written_if(is_linear);
  table.optional("damping", &Spring::damping, number("N*s/m", at_least(0)), "Damping.");
  table.optional("along", &Spring::along, direction(),
                 "It acts along this direction of ground alone, whatever the bodies do, and its length is the "
                 "displacement of the second place from the first along it, which may be negative.");
  table.optional("free-length", &Spring::free_length, number("m"),
                 "Length without force; if absent: the initial length.");
  table.check([](const Spring& spring, const Given& given, Reader& reader) {
    if (!spring.along && spring.free_length && *spring.free_length < 0.0)
      error_at("free-length", "must not be negative without 'along'", given, reader);
  });
  table.optional("table", &Spring::table, pairs("m", "N"),
                 "Nonlinear law instead of `stiffness`: elongation and force (positive: it pulls).");
  table.check(check_spring_law);
  return table;
}

Table<SpringSpec> torsional_table() {
  using Spring = SpringSpec;
  Table<Spring> table("Torsional spring", "A spring and damper that resists the rotation about an axis.");
  table.required("between", &Spring::between, two_places(), between_text);
  table.optional("at", &Spring::at, vector3("m"),
                 "Where it is in the initial positions, in the axes of ground; only for drawing.");
  table.optional("axis", &Spring::axis, direction(), axis_text);
  table.optional("stiffness", &Spring::stiffness, number("N*m/rad", at_least(0)), "Stiffness.").written_if(is_linear);
  table.optional("damping", &Spring::damping, number("N*m*s/rad", at_least(0)), "Damping.");
  table.optional("free-angle", &Spring::free_angle, number("rad"),
                 "Angle without moment; if absent: the initial angle.");
  table.optional("table", &Spring::table, pairs("rad", "N*m"),
                 "Nonlinear law instead of `stiffness`: angle and moment (positive: it turns back).");
  table.check(check_spring_law);
  return table;
}

/// Three numbers of translation and three of rotation.
Format<std::array<double, 6>> six(const std::string& translation_unit, const std::string& rotation_unit) {
  const auto translation = number(translation_unit, at_least(0));
  const auto rotation = number(rotation_unit, at_least(0));
  const auto read = [=](const YamlNode& node, const Location& where,
                        Reader& reader) -> std::optional<std::array<double, 6>> {
    if (reader.list(node, 6, 6) == nullptr) return std::nullopt;
    std::array<double, 6> result{};
    for (std::size_t i = 0; i < 6; ++i) {
      const Reader::Scope scope(reader, std::to_string(i));
      result[i] = (i < 3 ? translation : rotation).read(node.items[i], where, reader).value_or(0.0);
    }
    return result;
  };
  const auto write = [=](const std::array<double, 6>& values) {
    YamlNode list = YamlNode::list();
    for (std::size_t i = 0; i < 6; ++i) list.items.push_back((i < 3 ? translation : rotation).write(values[i]));
    return list;
  };
  const std::string phrase = "list of 6: 3 numbers [" + translation_unit + "], 3 numbers [" + rotation_unit + "], >= 0";
  return {{.kind = Shape::Kind::list, .phrase = phrase, .parts = {translation.shape()}, .min_items = 6, .max_items = 6},
          read,
          write};
}

Table<SpringSpec> bushing_table() {
  using Spring = SpringSpec;
  Table<Spring> table(
      "Bushing",
      "A linear spring and damper in all six directions, for rotations up to about 30 degrees: its rotational "
      "strain is the sine of the relative rotation, as in a beam.");
  table.required("between", &Spring::between, two_places(), between_text);
  table.optional("at", &Spring::at, vector3("m"), at_text);
  table.optional(
      "axis", &Spring::axis, direction(),
      "Third axis of its frame, in the axes of ground; if absent: the axis of a point in `between`, else z.");
  table.required("stiffness", &Spring::bushing_stiffness, six("N/m", "N*m/rad"),
                 "Along x, y, z and about x, y, z of its frame.");
  table.optional("damping", &Spring::bushing_damping, six("N*s/m", "N*m*s/rad"), "Likewise.");
  return table;
}

Format<BearingCoefficientsSpec::Mat2> two_by_two(const std::string& unit) {
  const auto rows = array_of<2>(array_of<2>(number(unit)));
  Shape shape = rows.shape();
  shape.phrase = "[[xx, xy], [yx, yy]] [" + unit + "]";
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    return rows.read(node, where, reader);
  };
  return {shape, read, [=](const BearingCoefficientsSpec::Mat2& value) { return rows.write(value); }};
}

const char* const bearing_stiffness_text =
    "Force on the bearing along x (first row) and y, per displacement of the journal along x (first column) and y.";
const char* const bearing_damping_text = "Likewise, per velocity of the journal.";

Table<BearingCoefficientsSpec> coefficients_table() {
  using Entry = BearingCoefficientsSpec;
  Table<Entry> table("Bearing coefficients at a speed", "One entry of the table of a bearing by coefficients.");
  table.required("speed", &Entry::speed, number("rad/s"), "Of the journal against the bearing, about `axis`.");
  table.required("stiffness", &Entry::stiffness, two_by_two("N/m"), bearing_stiffness_text);
  table.optional("damping", &Entry::damping, two_by_two("N*s/m"), bearing_damping_text);
  return table;
}

void check_bearing(const SpringSpec& bearing, const Given& given, Reader& reader) {
  if (given.has("table") && (given.has("stiffness") || given.has("damping")))
    reader.error(given.place("table"), "'table' excludes 'stiffness' and 'damping': they stand in its entries");
  if (!given.has("stiffness") && !given.has("damping") && !given.has("table"))
    reader.error(given.place(), "needs 'stiffness', 'damping' or 'table'");
  for (std::size_t k = 1; k < bearing.bearing_table.size(); ++k)
    if (bearing.bearing_table[k].speed <= bearing.bearing_table[k - 1].speed) {
      const Reader::Scope scope(reader, "table." + std::to_string(k));
      reader.error(bearing.bearing_table[k].where, "the speed must be greater than that of the entry before it");
    }
  if (bearing.axis && bearing.first_axis && bearing.axis->cross(*bearing.first_axis).norm() < 1e-6)
    reader.error(given.place("first-axis"), "'axis' and 'first-axis' must not be parallel");
}

bool has_no_table(const SpringSpec& bearing) { return bearing.bearing_table.empty(); }

Table<SpringSpec> bearing_coefficients_table() {
  using Spring = SpringSpec;
  Table<Spring> table("Bearing by coefficients",
                      "Stiffness and damping across an axis that depend on the speed of the journal, such as those of "
                      "an oil film or a seal: any two by two matrices. It lets the journal turn, tilt and slide along "
                      "the axis. See doc/rotors.md.");
  table.required("between", &Spring::between, two_places(),
                 std::string("The bearing and the journal. ") + between_text);
  table.optional("at", &Spring::at, vector3("m"), at_text);
  table.optional("axis", &Spring::axis, direction(), axis_text);
  table.optional("first-axis", &Spring::first_axis, direction(),
                 "Direction of x, made normal to the axis, in the axes of ground; y is the axis times x. If absent: "
                 "the coordinate axis that follows the one nearest to `axis` (y for x, z for y, x for z).");
  table.optional("stiffness", &Spring::bearing_stiffness, two_by_two("N/m"), bearing_stiffness_text)
      .written_if(has_no_table);
  table.optional("damping", &Spring::bearing_damping, two_by_two("N*s/m"), bearing_damping_text)
      .written_if(has_no_table);
  table.add(
      {"table", "Both at several speeds, ascending. In between they are linear, beyond as at the nearest.", false, "",
       list_of(nested(coefficients_table()), 1).shape()},
      [format = list_of(nested(coefficients_table()), 1)](const YamlNode& node, const Location& where, Reader& reader,
                                                          Spring& spring) {
        if (auto value = format.read(node, where, reader)) spring.bearing_table = std::move(*value);
      },
      [format = list_of(nested(coefficients_table()), 1)](const Spring& spring) {
        return spring.bearing_table.empty() ? YamlNode{} : format.write(spring.bearing_table);
      });
  table.optional("speed", &Spring::bearing_speed, number("rad/s"),
                 "Speed for which the coefficients are taken, whatever the journal does; if absent: its speed.");
  table.check(check_bearing);
  return table;
}

}  // namespace

std::vector<Alternative<SpringSpec>> spring_types() {
  return {alternative("translational", translational_table(), &SpringSpec::kind, SpringSpec::Kind::translational),
          alternative("torsional", torsional_table(), &SpringSpec::kind, SpringSpec::Kind::torsional),
          alternative("bushing", bushing_table(), &SpringSpec::kind, SpringSpec::Kind::bushing),
          alternative("bearing-coefficients", bearing_coefficients_table(), &SpringSpec::kind,
                      SpringSpec::Kind::bearing_coefficients)};
}

}  // namespace freeplay
