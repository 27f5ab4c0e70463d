#include <algorithm>

#include "freeplay/base/names.h"
#include "freeplay/deck/beam_axis.h"
#include "tables.h"

namespace freeplay {

namespace {

Format<std::string> section_name() {
  const auto read = [](const YamlNode& node, const Location&, Reader& reader) -> std::optional<std::string> {
    if (node.kind == YamlNode::Kind::scalar) return node.text;
    reader.error(node.where, "must be the name of a section, not " + node.kind_text());
    return std::nullopt;
  };
  return {{.kind = Shape::Kind::text, .phrase = "name of a section"}, read, [](const std::string& name) {
            return YamlNode::scalar(name);
          }};
}

using Stations = std::vector<StationSpec>;

Table<StationSpec> station_table() {
  Table<StationSpec> table("Section at a place", "The section that a beam has at a place along it.");
  table.required("at", &StationSpec::at, number("", between(0, 1)), "From 0 at the start to 1 at the end of the beam.");
  table.required("section", &StationSpec::section, section_name(), "The section.").place(&StationSpec::where);
  return table;
}

void check_stations(const Stations& stations, const Location& where, Reader& reader) {
  if (stations.front().at != 0 || stations.back().at != 1) {
    reader.error(where, "must begin with 'at: 0' and end with 'at: 1'");
    return;
  }
  for (std::size_t k = 1; k < stations.size(); ++k) {
    const double at = stations[k].at;
    if (at < stations[k - 1].at) {
      reader.error(where, "must be in the order of 'at'");
      return;
    }
    const bool is_end = at == 0 || stations[k - 1].at == 1;
    const bool three = k > 1 && stations[k - 2].at == at;
    if (at > stations[k - 1].at || !(is_end || three)) continue;
    reader.error(where, "has too many sections at " + number_text(at) +
                            "; a sudden change has two, and there is none at the ends");
    return;
  }
}

/// One name, or a list of sections at places.
Format<Stations> section_along() {
  const Format<std::string> name = section_name();
  const Format<StationSpec> station = nested(station_table());
  const Format<Stations> list =
      checked<Stations>(list_of(station, 2), [](const Stations& stations, const Location& where, Reader& reader) {
        if (!reader.failed(reader.path())) check_stations(stations, where, reader);
      });
  const auto read = [=](const YamlNode& node, const Location& where, Reader& reader) -> std::optional<Stations> {
    if (node.kind == YamlNode::Kind::list) return list.read(node, where, reader);
    const auto section = name.read(node, where, reader);
    if (!section) return std::nullopt;
    return Stations{{0.0, *section, node.where}};
  };
  const auto write = [=](const Stations& stations) {
    return stations.size() == 1 ? name.write(stations.front().section) : list.write(stations);
  };
  return {{.kind = Shape::Kind::any_of,
           .phrase = "name of a section, or list of `{at: NUMBER, section: NAME}` from 0 to 1",
           .parts = {name.shape(), list.shape()}},
          read,
          write};
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
Vec3 default_first_axis(const Vec3& along) {
  Vec3::Index closest = 0;
  along.cwiseAbs().maxCoeff(&closest);
  return Vec3::Unit((closest + 1) % 3);
}

/// True if exactly one way to give the axis is there and complete.
bool check_one_axis(const Given& given, Reader& reader) {
  std::vector<std::string> forms;
  if (given.has("from") || given.has("to")) forms.push_back("'from' with 'to'");
  for (const char* key : {"polyline", "arc", "spline"})
    if (given.has(key)) forms.push_back(std::string("'") + key + "'");
  if (forms.empty()) {
    reader.error(given.place(), "needs an axis: 'from' and 'to', or 'polyline', 'arc' or 'spline'");
  } else if (forms.size() > 1) {
    reader.error(given.place(), "can have only one of " + joined(forms, " and "));
  } else if (given.has("from") != given.has("to")) {
    reader.error(given.place(), std::string("the key '") + (given.has("from") ? "to" : "from") + "' is missing");
  } else {
    return true;
  }
  return false;
}

void check_axis(const BeamSpec& beam, const Given& given, Reader& reader) {
  constexpr double round_off = 1e-12;
  constexpr double parallel = 1e-6;
  if (!check_one_axis(given, reader)) return;
  for (const char* key : {"from", "to", "polyline", "arc", "spline"})
    if (reader.failed(reader.path() + "." + key)) return;
  if (beam.from) {
    const double size = std::max(beam.from->stableNorm(), beam.to->stableNorm());
    if (!((*beam.to - *beam.from).stableNorm() > round_off * size)) {
      const Reader::Scope scope(reader, "to");
      reader.error(given.place("to"), "must not be the same point as 'from': the beam has no length");
      return;
    }
  }
  const BeamAxis axis(beam);
  if (!is_size_of_a_part(axis.length())) {
    reader.error(given.place(), "its axis is " + rounded_text(axis.length()) + " m long; look at the units");
  } else if (beam.first_axis && beam.first_axis->cross(axis.start_direction()).norm() < parallel) {
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
                    "A flexible beam (geometrically exact, with shear and stretching), without force at the beginning. "
                    "Its axis is straight (`from` and `to`), a `polyline`, an `arc` or a `spline`, in the axes of "
                    "ground. Its places are `NAME.start`, `NAME.end` and `NAME@s` with s from 0 to 1, the fraction of "
                    "the length of the axis.");
  table.required("section", &Beam::sections, section_along(),
                 "Its section. Of a list, where two sections that follow one another have a material and an outline of "
                 "the same shape, the beam tapers: the lengths of the outline, the material constants and the shear "
                 "correction are linear between the places, and stiffness and inertia follow from them. Otherwise "
                 "stiffness and inertia per length (the 6 x 6 matrices: so also mass, first moment and moments of "
                 "inertia about the axis) are linear themselves. Where two sections have the same place they change "
                 "suddenly. Elements end at these places.");
  table.optional("from", &Beam::from, vector3("m"), "Start of a straight axis.");
  table.optional("to", &Beam::to, vector3("m"), "Its end.");
  table.optional(
      "polyline", &Beam::polyline, polyline(),
      "Points of an axis made of straight pieces, at least two. Its corners are rigid; a load that follows a "
      "corner has the section axes of the piece before it.");
  table.optional("arc", &Beam::arc, arc(), "An axis that is part of a circle.");
  table.optional("spline", &Beam::spline, spline(),
                 "Points of a smooth axis, at least three: the cubic spline with continuous curvature through them, "
                 "over the length of the chords. Its first two and last two spans are one cubic each.");
  table.optional(
      "first-axis", &Beam::first_axis, direction(),
      "Direction of the first axis of the section at the start, in the axes of ground; made normal to the beam. The "
      "third axis goes from start to end. If absent: the coordinate axis after the one closest to the beam (y for "
      "a beam along x). Along a curved axis, and in the corners of a polyline, the section turns with the axis but "
      "not about it (a rotation-minimising frame).");
  table.optional("twist", &Beam::twist, number("rad"),
                 "Pre-twist: angle by which the section turns about the third axis from start to end, in proportion "
                 "to the length, in addition to what follows from `first-axis`.");
  table.optional("elements", &Beam::elements, integer(between(1, 100000)),
                 "Number of elements, of equal length; of a polyline: of each straight piece.");
  table.optional("degree", &Beam::degree, integer(between(1, 8)),
                 "Degree p of the polynomials: the error at the nodes falls with the order 2*p in the length of the "
                 "elements. Few elements of degree 3 or 4 are cheapest.");
  table.optional("damping", &Beam::damping, number("s", at_least(0)),
                 "Section forces from the strain rates: the stiffness times this time.");
  table.optional("places", &Beam::places, inner_places(),
                 "Further places s with results, besides the ends and the places that joints, springs and loads name.");
  table.group(
      "fix", fix_table(),
      "Clamps. Only sets that restrict the position are possible, as for rigid bodies. They have no results: where "
      "reactions are wanted, use a `fixed` joint to ground.");
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
    if (!beam.first_axis) beam.first_axis = default_first_axis(BeamAxis(beam).start_direction());
  }
  std::sort(names.begin(), names.end());
  const auto complete = [&](FrameRef& reference) {
    if (std::binary_search(names.begin(), names.end(), reference.body)) reference.s = place_along_beam(reference);
  };
  for (JointSpec& joint : model.joints) std::for_each(joint.between.begin(), joint.between.end(), complete);
  for (ClearanceSpec& joint : model.clearances) std::for_each(joint.between.begin(), joint.between.end(), complete);
  for (SpringSpec& spring : model.springs) std::for_each(spring.between.begin(), spring.between.end(), complete);
  for (LoadSpec& load : model.loads) complete(load.on);
  for (MeasureSpec& measure : model.output.measures) {
    complete(measure.of);
    complete(measure.in);
  }
}

}  // namespace freeplay
