#include "connection_texts.h"
#include "freeplay/base/names.h"
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
    table.check([](const JointSpec& joint, const Given& given, Reader& reader) {
      const std::size_t n = joint.curve.size();
      for (std::size_t k = 0; n > 1 && k < (joint.closed ? n : n - 1); ++k) {
        if (joint.curve[k] != joint.curve[(k + 1) % n]) continue;
        const std::string which = k + 1 < n ? "points " + std::to_string(k) + " and " + std::to_string(k + 1)
                                            : "the last point and the first (a closed curve goes on to it by itself)";
        reader.error(given.place("curve"), which + " are the same: leave one of them out");
      }
    });
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

}  // namespace

std::vector<Alternative<JointSpec>> joint_types() {
  std::vector<Alternative<JointSpec>> types;
  for (const JointTypeKeys& type : joint_type_keys()) {
    types.push_back(alternative(type.name, joint_table(type), &JointSpec::type, type.name));
  }
  return types;
}

}  // namespace freeplay
