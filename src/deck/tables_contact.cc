#include "freeplay/base/names.h"
#include "freeplay/base/units.h"
#include "tables.h"

namespace freeplay {

Format<std::string> law_reference(const std::string& what) {
  const auto read = [=](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::string> {
    if (node.kind == YamlNode::Kind::scalar) return node.text;
    const YamlNode::Entry* law = node.kind == YamlNode::Kind::map ? node.find("law") : nullptr;
    const bool is_ideal_form = law != nullptr && law->value.kind == YamlNode::Kind::scalar;
    reader.error(node.where,
                 "must be the name of a law in '" + what + "', not " + node.kind_text() +
                     (is_ideal_form ? "; in a joint with clearance write only '" + law->value.text + "'" : ""));
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::text, .phrase = "name in `" + what + "`"}, read, [](const std::string& name) {
            return name.empty() ? YamlNode{} : YamlNode::scalar(name);
          }};
}

namespace {

using Clearance = ClearanceSpec;

/// A radius, length or width; zero where the range allows it.
Format<double> size_of_a_part(const Range& range = above(0)) {
  const Format<double> plain = number("m", range);
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    const std::optional<double> size = plain.read(node, where, reader);
    if (size && *size != 0.0 && !is_size_of_a_part(*size))
      reader.error(node.where, "is " + rounded_text(*size) + " m; look at the units");
    return size;
  };
  return {plain.shape(), read, [=](const double& size) { return plain.write(size); }};
}

void add_laws(Table<Clearance>& table) {
  table.required("contact", &Clearance::contact, law_reference("contacts"), "Contact law.")
      .place(&Clearance::contact_where);
  table.optional("friction", &Clearance::friction, law_reference("frictions"), "Friction law; if absent: none.")
      .place(&Clearance::friction_where);
  table.optional("penetration", &Clearance::penetration, number("m", above(0)),
                 "Characteristic penetration: the step is such that the gap changes by about this near contact. If "
                 "absent, the step follows from `tolerance`, also in contact.");
  table.optional("nearness", &Clearance::nearness, number("", above(0)),
                 "With `penetration`: distance, in characteristic penetrations, from which on a contact is near.");
  table.optional("growth", &Clearance::growth, number("", at_least(0)),
                 "With `penetration`: how fast the step grows with the distance.");
}

void add_radii(Table<Clearance>& table) {
  table.required("bearing-radius", &Clearance::bearing_radius, size_of_a_part(), "Radius of the bearing.");
  table.required("journal-radius", &Clearance::journal_radius, size_of_a_part(), "Radius of the journal.");
  table.check([](const Clearance& joint, const Given& given, Reader& reader) {
    if (given.has("bearing-radius") && given.has("journal-radius") && joint.journal_radius >= joint.bearing_radius)
      error_at("journal-radius", "must be smaller than 'bearing-radius': there is no clearance", given, reader);
  });
}

Table<Clearance> round_table(const std::string& title, const std::string& text, bool axis) {
  Table<Clearance> table("Joint " + title, text);
  table.required("between", &Clearance::between, two_places(),
                 "Bearing and journal. A body alone is the origin of its axes; `ground` alone is where the other is at "
                 "the start.");
  table.optional("at", &Clearance::at, vector3("m"),
                 "Centre of the bearing in the initial positions, in the axes of ground.");
  if (axis) {
    table.optional(
        "axis", &Clearance::axis, direction(),
        "Its axis in the initial positions, in the axes of ground. May be absent if a point in `between` has an axis.");
  }
  add_radii(table);
  add_laws(table);
  return table;
}

Table<Clearance> journal_bearing_table() {
  Table<Clearance> table = round_table(
      "journal-bearing", "A journal in a bearing of finite length: a disk in a cylinder at each end.", true);
  table.required("length", &Clearance::length, size_of_a_part(), "Length of the bearing.");
  return table;
}

Table<Clearance> guide_table() {
  Table<Clearance> table(
      "Joint translational-clearance",
      "A block in a straight guide: its four corners, in the plane of `axis` and `across`, touch the "
      "two walls of the guide.");
  table.required("between", &Clearance::between, two_places(),
                 "Guide and block. A body alone is the origin of its axes; `ground` alone is where the block is at the "
                 "start.");
  table.optional("at", &Clearance::at, vector3("m"), "A point in the middle of the guide, in the axes of ground.");
  table.required("axis", &Clearance::axis, direction(), "Direction of the guide, in the axes of ground.");
  table.required("across", &Clearance::across, direction(), "Direction from wall to wall, normal to `axis`.");
  table.required("length", &Clearance::length, size_of_a_part(), "Length of the block.");
  table.required("width", &Clearance::width, size_of_a_part(), "Width of the block.");
  table.required("gap", &Clearance::gap, number("m", above(0)),
                 "Gap on each side of the block in the middle of the guide.");
  add_laws(table);
  table.check([](const Clearance& joint, const Given& given, Reader& reader) {
    if (given.has("axis") && given.has("across") &&
        std::abs(joint.axis->normalized().dot(joint.across->normalized())) > 1e-6)
      error_at("across", "must be normal to 'axis'", given, reader);
  });
  return table;
}

Table<Clearance> plane_table(const std::string& title, const std::string& text, bool disk) {
  Table<Clearance> table("Joint " + title, text);
  table.required("between", &Clearance::between, two_places(),
                 "The body that carries the plane, which goes through the origin of its axes or the point that is "
                 "named, and the body on it.");
  table.optional("at", &Clearance::at, vector3("m"),
                 "A point of the plane in the initial positions, in the axes of ground.");
  table.required("normal", &Clearance::axis, direction(), "Normal of the plane, towards the body on it.");
  if (disk) {
    table.required("disk-axis", &Clearance::across, direction(), "Axis of the disk, in the axes of ground.");
    table.required("radius", &Clearance::journal_radius, size_of_a_part(), "Radius of the disk.");
  } else {
    table.optional("radius", &Clearance::journal_radius, size_of_a_part(at_least(0)),
                   "Radius of the ball; 0: a point.");
  }
  add_laws(table);
  return table;
}

}  // namespace

std::vector<Alternative<ClearanceSpec>> clearance_types() {
  const auto joint = [](const std::string& name, const Table<ClearanceSpec>& table) {
    return alternative(name, table, &ClearanceSpec::type, name);
  };
  return {
      joint("planar-clearance",
            round_table("planar-clearance",
                        "A hinge with clearance whose journal stays in the plane of the bearing and parallel to it.",
                        true)),
      joint("spherical-clearance", round_table("spherical-clearance", "A ball in a socket.", false)),
      joint("spatial-clearance",
            round_table("spatial-clearance", "A thin disk in a cylinder, free to tilt and slide.", true)),
      joint("journal-bearing", journal_bearing_table()),
      joint("translational-clearance", guide_table()),
      joint("ball-on-plane", plane_table("ball-on-plane", "A ball, or a point, that can touch a plane.", false)),
      joint("disk-on-plane", plane_table("disk-on-plane", "A thin disk whose rim can touch a plane.", true)),
  };
}

}  // namespace freeplay
