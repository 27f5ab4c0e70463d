#include <algorithm>

#include "freeplay/base/names.h"
#include "tables.h"

namespace freeplay {

namespace {

Format<std::string> section_reference() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::string> {
    if (node.kind == YamlNode::Kind::scalar) return node.text;
    reader.error(node.where, "must be the name of a section, not " + node.kind_text());
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::text, .phrase = "name of a section"}, read, [](const std::string& name) {
            return YamlNode::scalar(name);
          }};
}

/// Places inside a beam, each once. The ends are no such places.
Format<std::vector<double>> inner_places() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<double> {
    const auto s = reader.number(node, "", {});
    if (!s || (*s > 0 && *s < 1)) return s;
    reader.error(node.where, quotation(node) + " must be > 0 and < 1; the ends of a beam always have results");
    return std::nullopt;
  };
  const Range inside{.low = 0, .high = 1, .open = true};
  const Format<double> place{{.kind = Shape::Kind::number, .phrase = "number > 0 and < 1", .range = inside},
                             read,
                             [](const double& s) { return YamlNode::scalar(number_text(s)); }};
  return checked<std::vector<double>>(list_of(place),
                                      [](const std::vector<double>& places, const Location& where, Reader& reader) {
                                        std::vector<double> sorted = places;
                                        std::sort(sorted.begin(), sorted.end());
                                        const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
                                        if (twice != sorted.end())
                                          reader.error(where, "names " + number_text(*twice) + " twice");
                                      });
}

/// The coordinate axis that basis_with_third_axis() (math/rotation.h) makes its first axis, before it is made normal.
Vec3 default_first_axis(const BeamSpec& beam) {
  Vec3::Index closest = 0;
  (beam.to - beam.from).stableNormalized().cwiseAbs().maxCoeff(&closest);
  return Vec3::Unit((closest + 1) % 3);
}

void check_axis(const BeamSpec& beam, const Given& given, Reader& reader) {
  constexpr double round_off = 1e-12;
  constexpr double parallel = 1e-6;
  if (reader.failed(reader.path() + ".from") || reader.failed(reader.path() + ".to")) return;
  if (!given.has("from") || !given.has("to")) return;
  const Vec3 along = beam.to - beam.from;
  const double size = std::max(beam.from.stableNorm(), beam.to.stableNorm());
  if (!(along.stableNorm() > round_off * size)) {
    const Reader::Scope scope(reader, "to");
    reader.error(given.place("to"), "must not be the same point as 'from': the beam has no length");
  } else if (beam.first_axis && beam.first_axis->cross(along.stableNormalized()).norm() < parallel) {
    const Reader::Scope scope(reader, "first-axis");
    reader.error(given.place("first-axis"), "must not be parallel to the beam: it is the first axis of the section");
  }
}

Table<BeamSpec> fix_table() {
  Table<BeamSpec> table("Fixed ends", "Velocities that are kept zero, in the axes of the section at this end.");
  const std::string text =
      "Translations x, y, z and rotations rx, ry, rz along and about the section axes 1, 2, 3; z is along the beam.";
  table.optional("start", &BeamSpec::fix_start, fixed_directions("section"), text);
  table.optional("end", &BeamSpec::fix_end, fixed_directions("section"), text);
  return table;
}

}  // namespace

Table<BeamSpec> beam_table() {
  using Beam = BeamSpec;
  Table<Beam> table("Beam",
                    "A flexible beam (geometrically exact, with shear and stretching), straight and without force at "
                    "the beginning. Its places are `NAME.start`, `NAME.end` and `NAME@s` with s from 0 to 1.");
  table.required("section", &Beam::section, section_reference(), "Its section.").place(&Beam::section_where);
  table.required("from", &Beam::from, vector3("m"), "Start of its axis.");
  table.required("to", &Beam::to, vector3("m"), "End of its axis.");
  table.optional(
      "first-axis", &Beam::first_axis, direction(),
      "Direction of the first axis of the section, in the axes of ground; made normal to the beam. The third "
      "axis goes from start to end. If absent: the coordinate axis after the one closest to the beam (y for "
      "a beam along x).");
  table.optional("elements", &Beam::elements, integer(between(1, 100000)), "Number of elements, of equal length.");
  table.optional("degree", &Beam::degree, integer(between(1, 8)),
                 "Degree p of the polynomials: the error at the nodes falls with the order 2*p in the length of the "
                 "elements. Few elements of degree 3 or 4 are cheapest.");
  table.optional("damping", &Beam::damping, number("s", at_least(0)),
                 "Section forces from the strain rates: the stiffness times this time.");
  table.optional("places", &Beam::places, inner_places(),
                 "Further places s with results, besides the ends and the places that joints, springs and loads name.");
  table.group("fix", fix_table(), "Clamps. Only sets that restrict the position are possible, as for rigid bodies.");
  table.optional("velocity", &Beam::velocity, vector3("m/s"),
                 "Initial velocity of the start, in the axes of ground; the beam begins as a rigid body.");
  table.optional("angular-velocity", &Beam::angular_velocity, vector3("rad/s"),
                 "Initial angular velocity, in the axes of ground.");
  table.optional("free", &Beam::free, boolean(),
                 "It is intended that no joint, spring, load or `fix` acts on this beam.");
  table.check(check_axis);
  return table;
}

std::optional<double> place_along_beam(const FrameRef& reference) {
  if (reference.point == "start") return 0.0;
  if (reference.point == "end") return 1.0;
  return reference.s;
}

void complete_beams(ModelSpec& model) {
  std::vector<std::string> names;
  for (BeamSpec& beam : model.beams) {
    names.push_back(beam.name);
    if (!beam.first_axis) beam.first_axis = default_first_axis(beam);
  }
  std::sort(names.begin(), names.end());
  const auto complete = [&](FrameRef& reference) {
    if (std::binary_search(names.begin(), names.end(), reference.body)) reference.s = place_along_beam(reference);
  };
  for (JointSpec& joint : model.joints) std::for_each(joint.between.begin(), joint.between.end(), complete);
  for (SpringSpec& spring : model.springs) std::for_each(spring.between.begin(), spring.between.end(), complete);
  for (LoadSpec& load : model.loads) complete(load.on);
}

}  // namespace freeplay
