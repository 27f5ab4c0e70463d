#include <Eigen/Geometry>

#include "freeplay/base/names.h"
#include "freeplay/deck/coordinate_reference.h"
#include "freeplay/deck/joint_type.h"
#include "tables.h"

namespace freeplay {

namespace {

const char* const place_examples = "such as ground, crank, crank.tip or shaft@0.5";

void report_no_place(const YamlNode& node, Reader& reader) {
  reader.error(node.where, "'" + quotation(node) + "' is not the name of a place, " + place_examples);
}

/// `shaft@0.5`. What follows the @ may be an expression.
std::optional<FrameRef> read_place_along(const YamlNode& node, Reader& reader) {
  const std::size_t at = node.text.find('@');
  YamlNode number = node;
  number.text = node.text.substr(at + 1);
  if (number.where.line > 0) number.where.column += static_cast<int>(at) + 1;
  if (!is_name(node.text.substr(0, at)) || number.text.empty()) {
    report_no_place(node, reader);
    return std::nullopt;
  }
  const auto s = reader.number(number, "", {});
  if (!s) return std::nullopt;
  if (*s >= 0 && *s <= 1) return FrameRef{node.text.substr(0, at), "", node.where, *s};
  reader.error(node.where, "'" + quotation(node) + "' is not on the beam: @ goes from 0 (start) to 1 (end)");
  return std::nullopt;
}

/// `crank`, `crank.tip`
std::optional<FrameRef> read_point(const YamlNode& node, Reader& reader) {
  const std::size_t dot = node.text.find('.');
  FrameRef reference;
  reference.body = node.text.substr(0, dot);
  if (dot != std::string::npos) reference.point = node.text.substr(dot + 1);
  reference.where = node.where;
  if (is_name(reference.body) && (dot == std::string::npos || is_name(reference.point))) return reference;
  report_no_place(node, reader);
  return std::nullopt;
}

}  // namespace

Format<FrameRef> frame_reference() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<FrameRef> {
    if (node.kind == YamlNode::Kind::scalar) {
      return node.text.find('@') == std::string::npos ? read_point(node, reader) : read_place_along(node, reader);
    }
    reader.error(node.where,
                 std::string("must be the name of a place, ") + place_examples + ", not " + node.kind_text());
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::text, .phrase = "place"}, read, [](const FrameRef& reference) {
            return YamlNode::scalar(reference.text());
          }};
}

namespace {

const char* const between_text =
    "The two places, first and second. A body alone is the origin of its axes, or where `at` is; `ground` alone is "
    "where "
    "the other place is at the start.";
const char* const places_apart_text = "The two places, first and second. A body alone is the origin of its axes.";
const char* const at_text =
    "Where it is in the initial positions, in the axes of ground: bodies that `between` names without a point, which "
    "must "
    "have their own `at`, are attached there. May be absent if `between` names a point, a place on a beam, or ground.";
const char* const axis_text =
    "Its axis in the initial positions, in the axes of ground. May be absent if a point in `between` has an axis.";

Table<DriveSpec> drive_table(const JointTypeKeys& type) {
  Table<DriveSpec> table("Drive", "A prescribed motion of the second place relative to the first.");
  if (type.drives_angle) {
    table.optional("angle", &DriveSpec::angle, time_function("rad"),
                   "Angle about the axis; zero in the initial positions. Constant speed: `angle: 600 rpm * t`.");
  }
  if (type.drives_displacement) {
    table.optional("displacement", &DriveSpec::displacement, time_function("m"),
                   type.length ? "The distance itself, such as `displacement: 1 m + 20 mm * sin(5 rad/s * t)`."
                               : "Displacement along the axis, such as `displacement: 20 mm * sin(5 rad/s * t)`.");
  }
  table.check([names = table.keys()](const DriveSpec&, const Given& given, Reader& reader) {
    if (given.has("angle") || given.has("displacement")) return;
    std::vector<std::string> possible;
    for (const KeyShape& key : names.keys) possible.push_back("'" + key.name + "'");
    reader.error(given.place(), "needs " + joined(possible, " or "));
  });
  return table;
}

/// An absent drive is not written.
Format<DriveSpec> drive(const JointTypeKeys& type) {
  const Format<DriveSpec> format = nested(drive_table(type));
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) {
    return format.read(node, where, reader);
  };
  const auto write = [=](const DriveSpec& drive) {
    return drive.angle || drive.displacement ? format.write(drive) : YamlNode{};
  };
  return {format.shape(), read, write};
}

Table<JointFrictionSpec> joint_friction_table(const JointTypeKeys& type) {
  using Friction = JointFrictionSpec;
  Table<Friction> table("Friction in a joint", "Friction with the joint's own reaction as normal force.");
  table.required("law", &Friction::law, law_reference("frictions"), "Friction law.").place(&Friction::law_where);
  if (type.friction_radius) {
    table.required(
        "radius", &Friction::radius, number("m", above(0)),
        type.lead ? "Mean radius of the thread." : "Of the pin, ball or disk: slip velocity per angular velocity.");
  }
  if (type.bending_arm) {
    table.optional("bending-arm", &Friction::bending_arm, number("m", above(0)),
                   "Moments across the axis, divided by this, add to the normal force. If absent: they do not.");
  }
  if (type.thrust_radius) {
    table.optional("thrust-radius", &Friction::thrust_radius, number("m", above(0)),
                   "Radius at which a force along the axis rubs. If absent: it does not.");
  }
  if (type.torsion_arm) {
    table.optional("torsion-arm", &Friction::torsion_arm, number("m", above(0)),
                   "The moment about the axis, divided by this, adds to the normal force. If absent: it does not.");
  }
  table.optional("preload", &Friction::preload, number("N", at_least(0)),
                 "Normal force that is always there, besides the reaction.");
  return table;
}

/// Joints with clearance take the name of a law alone, so that users write it here too.
Format<JointFrictionSpec> joint_friction(const JointTypeKeys& type) {
  const Format<JointFrictionSpec> format = nested(joint_friction_table(type));
  const auto read = [=](const YamlNode& node, const Location& where,
                        Reader& reader) -> std::optional<JointFrictionSpec> {
    if (node.kind != YamlNode::Kind::scalar) return format.read(node, where, reader);
    reader.error(node.where, "must be a table of keys; write {law: " + quotation(node) +
                                 (type.friction_radius ? ", radius: ...}" : "}") + ", not '" + quotation(node) + "'");
    return std::nullopt;
  };
  return {format.shape(), read, [=](const JointFrictionSpec& friction) { return format.write(friction); }};
}

Table<JointSpec> joint_table(const JointTypeKeys& type) {
  Table<JointSpec> table("Joint " + type.name, type.description);
  table.required("between", &JointSpec::between, two_places(), type.is_apart() ? places_apart_text : between_text);
  if (!type.is_apart()) table.optional("at", &JointSpec::at, vector3("m"), at_text);
  if (type.axis) table.optional("axis", &JointSpec::axis, direction(), axis_text);
  if (type.second_axis) {
    table.required("second-axis", &JointSpec::second_axis, direction(),
                   "The axis that is fixed in the second body, in the axes of ground.");
  }
  if (type.length) {
    table.optional("length", &JointSpec::length, number("m", above(0)), "Distance; if absent: the initial distance.");
  }
  if (type.lead) {
    table.required("lead", &JointSpec::lead, number("m"),
                   "Displacement along the axis per turn; negative: a left-handed thread.");
    table.check([](const JointSpec& joint, const Given& given, Reader& reader) {
      if (given.has("lead") && joint.lead == 0.0)
        reader.error(given.place("lead"), "must not be 0; a joint that turns without sliding is a 'revolute'");
    });
  }
  if (type.curve) {
    table.required("curve", &JointSpec::curve, list_of(vector3("m"), 4),
                   "Points, at least four, in the axes of the first body; a spline runs through them. They lie in a "
                   "plane normal to `axis` through the first place.");
    table.optional("closed", &JointSpec::closed, boolean(), "The spline goes on from the last point to the first.");
    table.optional("roller-radius", &JointSpec::roller_radius, number("m", at_least(0)),
                   "The second place is the centre of a roller of this radius that runs on the curve: outside of a "
                   "closed one, on the left of an open one (seen against `axis`, from the first point on).");
  }
  if (type.drives_angle || type.drives_displacement) {
    table.optional("drive", &JointSpec::drive, drive(type), "Prescribed motion.");
  }
  if (type.friction) {
    table.optional("friction", &JointSpec::friction, joint_friction(type), "Friction.");
  }
  table.check([](const JointSpec& joint, const Given& given, Reader& reader) {
    if (joint.length && joint.drive.displacement) {
      reader.error(given.place("length"), "'length' and 'drive' exclude each other: the drive prescribes the length");
    }
    const bool parallel = joint.axis && joint.second_axis && joint.axis->cross(*joint.second_axis).norm() < 1e-6;
    if (parallel) reader.error(given.place("second-axis"), "'axis' and 'second-axis' must not be parallel");
  });
  return table;
}

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

Table<LoadSpec> load_table(const std::string& title, const std::string& description, const std::string& unit) {
  Table<LoadSpec> table(title, description);
  table.required("on", &LoadSpec::on, frame_reference(), "Where it acts.");
  table.required("value", &LoadSpec::value, array_of<3>(state_function(unit)),
                 "Components. They may depend on the motion.");
  table.optional("following", &LoadSpec::following, boolean(),
                 "The components are in the axes of the body and turn with it, instead of in the axes of ground.");
  return table;
}

Table<ActuatorSpec> actuator_table() {
  Table<ActuatorSpec> table(
      "Actuator",
      "A moment about the axis of a joint, or a force along it: a motor, a cylinder. It acts on the "
      "second body of the joint and opposite on the first; positive: the coordinate grows.");
  table.required("joint", &ActuatorSpec::joint, coordinate_reference(),
                 "The joint, or `name.angle`, `name.displacement` if it has both.");
  table.optional("moment", &ActuatorSpec::moment, state_function("N*m"),
                 "If the coordinate is an angle. It may depend on the motion.");
  table.optional("force", &ActuatorSpec::force, state_function("N"),
                 "If the coordinate is a displacement. It may depend on the motion.");
  table.check([](const ActuatorSpec&, const Given& given, Reader& reader) {
    if (given.has("moment") == given.has("force")) reader.error(given.place(), "needs either 'moment' or 'force'");
  });
  return table;
}

Table<LineLoadSpec> line_load_table() {
  using Load = LineLoadSpec;
  Table<Load> table("Line load", "A force and a moment per length along a whole beam, the same everywhere on it.");
  table.required("on", &Load::on, frame_reference(), "The beam.");
  table.optional("force", &Load::force, array_of<3>(time_function("N/m")), "Components of the force per length.");
  table.optional("moment", &Load::moment, array_of<3>(time_function("N*m/m")), "Components of the moment per length.");
  table.optional("following", &Load::following, boolean(),
                 "The components are in the axes of the section and turn with it, instead of in the axes of ground.");
  table.check([](const Load&, const Given& given, Reader& reader) {
    if (!given.has("force") && !given.has("moment")) reader.error(given.place(), "needs 'force' or 'moment'");
  });
  return table;
}

}  // namespace

std::vector<Alternative<JointSpec>> joint_types() {
  std::vector<Alternative<JointSpec>> types;
  for (const JointTypeKeys& type : joint_type_keys()) {
    types.push_back(alternative(type.name, joint_table(type), &JointSpec::type, type.name));
  }
  return types;
}

std::vector<Alternative<SpringSpec>> spring_types() {
  return {alternative("translational", translational_table(), &SpringSpec::kind, SpringSpec::Kind::translational),
          alternative("torsional", torsional_table(), &SpringSpec::kind, SpringSpec::Kind::torsional),
          alternative("bushing", bushing_table(), &SpringSpec::kind, SpringSpec::Kind::bushing),
          alternative("bearing-coefficients", bearing_coefficients_table(), &SpringSpec::kind,
                      SpringSpec::Kind::bearing_coefficients)};
}

std::vector<Alternative<LoadSpec>> load_types() {
  return {alternative("force", load_table("Force", "A force at a place.", "N"), &LoadSpec::kind, LoadSpec::Kind::force),
          alternative("torque", load_table("Torque", "A torque on a body.", "N*m"), &LoadSpec::kind,
                      LoadSpec::Kind::torque)};
}

Alternative<ActuatorSpec> actuator() { return alternative("actuator", actuator_table()); }

Alternative<LineLoadSpec> line_load() { return alternative("line-load", line_load_table()); }

}  // namespace freeplay
