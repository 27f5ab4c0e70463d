#include "freeplay/mechanics/clearance_joint.h"

#include <algorithm>
#include <stdexcept>

#include "freeplay/math/rotation.h"

namespace freeplay {

namespace {

using Clearance = ClearanceSpec;
using TouchingPairs = std::vector<TouchingPair>;
using Bearing = ClearancePicture::Bearing;
using Journal = ClearancePicture::Journal;

// A journal in a bearing.

void add_radii(Table<Clearance>& table) {
  table.required("bearing-radius", &Clearance::bearing_radius, size_of_a_part(), "Radius of the bearing.");
  table.required("journal-radius", &Clearance::journal_radius, size_of_a_part(), "Radius of the journal.");
  table.check([](const Clearance& joint, const Given& given, Reader& reader) {
    if (given.has("bearing-radius") && given.has("journal-radius") && joint.journal_radius >= joint.bearing_radius)
      error_at("journal-radius", "must be smaller than 'bearing-radius': there is no clearance", given, reader);
  });
}

ClearanceTypeKeys round_keys(const std::string& name, const std::string& text, bool axis = true) {
  Table<Clearance> table("Joint " + name, text);
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
  add_contact_keys(table);
  return {.name = name, .table = table, .axis = axis};
}

ClearanceTypeKeys journal_bearing_keys() {
  ClearanceTypeKeys keys =
      round_keys("journal-bearing", "A journal in a bearing of finite length: a disk in a cylinder at each end.");
  keys.table.required("length", &Clearance::length, size_of_a_part(), "Length of the bearing.");
  return keys;
}

double radial_clearance(const Clearance& joint) { return joint.bearing_radius - joint.journal_radius; }

double radius_in_bearing(const Clearance& joint) {
  return joint.bearing_radius * joint.journal_radius / radial_clearance(joint);
}

using RoundGeometry = std::unique_ptr<ContactGeometry>(double bearing_radius, double journal_radius);

template <RoundGeometry geometry>
TouchingPairs at_centre(const Clearance& joint, const ClearancePlaces& places) {
  return {{joint.name, places.a, places.b, geometry(joint.bearing_radius, joint.journal_radius)}};
}

TouchingPairs at_both_ends(const Clearance& joint, const ClearancePlaces& places) {
  const std::shared_ptr<const ContactGeometry> disk = spatial_clearance(joint.bearing_radius, joint.journal_radius);
  Frame first = places.b, second = places.b;
  const Vec3 to_end = places.b.axes * Vec3(0.0, 0.0, 0.5 * joint.length);
  first.offset -= to_end;
  second.offset += to_end;
  return {{joint.name + ".1", places.a, first, disk}, {joint.name + ".2", places.a, second, disk}};
}

// A block in a guide.

ClearanceTypeKeys guide_keys() {
  const std::string name = "translational-clearance";
  Table<Clearance> table("Joint " + name,
                         "A block in a straight guide: its four corners, in the plane of `axis` and `across`, touch "
                         "the two walls of the guide.");
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
  add_contact_keys(table);
  table.check([](const Clearance& joint, const Given& given, Reader& reader) {
    constexpr double typing_error = 1e-6;
    if (given.has("axis") && given.has("across") &&
        std::abs(joint.axis->normalized().dot(joint.across->normalized())) > typing_error)
      error_at("across", "must be normal to 'axis'", given, reader);
  });
  return {.name = name, .table = table};
}

/// Axes whose third one is along `normal`, with the first along `first`, all in ground axes.
Mat3 axes_along(const Vec3& normal, const Vec3& first) {
  Mat3 axes;
  axes << first, normal.cross(first), normal;
  return axes;
}

/// Each corner of the block against the wall that it faces.
TouchingPairs at_corners(const Clearance& joint, const ClearancePlaces& places) {
  const Vec3 along = joint.axis->normalized();
  const Vec3 across = joint.across->normalized();
  const std::shared_ptr<const ContactGeometry> corner = ball_on_plane(0.0);
  TouchingPairs pairs;
  for (const double side : {1.0, -1.0}) {
    Frame wall = places.a;
    wall.axes = places.ground_to_a * axes_along(-side * across, along);
    wall.offset += places.ground_to_a * (side * (0.5 * joint.width + joint.gap) * across);
    for (const double end : {1.0, -1.0}) {
      Frame point = places.b;
      point.offset += places.ground_to_b * (side * 0.5 * joint.width * across + end * 0.5 * joint.length * along);
      pairs.push_back({joint.name + "." + std::to_string(pairs.size() + 1), wall, point, corner});
    }
  }
  return pairs;
}

double gap_of_guide(const Clearance& joint) { return joint.gap; }

double no_radius(const Clearance&) { return 0.0; }

// A body on a plane.

ClearanceTypeKeys plane_keys(const std::string& name, const std::string& text) {
  Table<Clearance> table("Joint " + name, text);
  table.required("between", &Clearance::between, two_places(),
                 "The body that carries the plane, which goes through the origin of its axes or the point that is "
                 "named, and the body on it.");
  table.optional("at", &Clearance::at, vector3("m"),
                 "A point of the plane in the initial positions, in the axes of ground.");
  table.required("normal", &Clearance::axis, direction(), "Normal of the plane, towards the body on it.");
  return {.name = name, .table = table, .is_apart = true};
}

ClearanceTypeKeys ball_on_plane_keys() {
  ClearanceTypeKeys keys = plane_keys("ball-on-plane", "A ball, or a point, that can touch a plane.");
  keys.table.optional("radius", &Clearance::journal_radius, size_of_a_part(at_least(0)),
                      "Radius of the ball; 0: a point.");
  add_contact_keys(keys.table);
  return keys;
}

ClearanceTypeKeys disk_on_plane_keys() {
  ClearanceTypeKeys keys = plane_keys("disk-on-plane", "A thin disk whose rim can touch a plane.");
  keys.table.required("disk-axis", &Clearance::across, direction(), "Axis of the disk, in the axes of ground.");
  keys.table.required("radius", &Clearance::journal_radius, size_of_a_part(), "Radius of the disk.");
  add_contact_keys(keys.table);
  return keys;
}

double own_radius(const Clearance& joint) { return joint.journal_radius; }

double part_of_radius(const Clearance& joint) { return 1e-2 * joint.journal_radius; }

TouchingPairs ball_below(const Clearance& joint, const ClearancePlaces& places) {
  return {{joint.name, places.a, places.b, ball_on_plane(joint.journal_radius)}};
}

TouchingPairs rim_below(const Clearance& joint, const ClearancePlaces& places) {
  Frame disk = places.b;
  disk.axes = places.ground_to_b * basis_with_third_axis(joint.across->normalized());
  return {{joint.name, places.a, disk, disk_on_plane(joint.journal_radius)}};
}

// Two round bodies beside each other.

ClearanceTypeKeys outside_keys(const std::string& name, const std::string& text, bool axis) {
  Table<Clearance> table("Joint " + name, text);
  table.required("between", &Clearance::between, two_places(),
                 "The centres of the two. A body alone is the origin of its axes.");
  if (axis) {
    table.optional("axis", &Clearance::axis, direction(),
                   "Normal of the plane in which they touch, fixed in the first, in the axes of ground. May be absent "
                   "if a point in `between` has an axis.");
  }
  table.required("first-radius", &Clearance::bearing_radius, size_of_a_part(), "Radius of the first.");
  table.required("second-radius", &Clearance::journal_radius, size_of_a_part(), "Radius of the second.");
  add_contact_keys(table);
  return {.name = name, .table = table, .axis = axis, .is_apart = true};
}

double radius_beside(const Clearance& joint) {
  return joint.bearing_radius * joint.journal_radius / (joint.bearing_radius + joint.journal_radius);
}

std::vector<ClearanceJointType> make_clearance_types() {
  std::vector<ClearanceJointType> types;
  // The journal stays in the plane of the bearing (Bauchau and Ju 2006, eq 1).
  types.push_back(
      {.keys = round_keys("planar-clearance",
                          "A hinge with clearance whose journal stays in the plane of the bearing and parallel to it."),
       .picture = {Bearing::circle, Journal::pin},
       .hertz_radius = radius_in_bearing,
       .size = radial_clearance,
       .pairs = at_centre<planar_clearance>,
       .ideal_joint = "planar"});
  types.push_back({.keys = round_keys("spherical-clearance", "A ball in a socket.", false),
                   .picture = {Bearing::sphere, Journal::ball},
                   .hertz_radius = radius_in_bearing,
                   .size = radial_clearance,
                   .pairs = at_centre<spherical_clearance>});
  types.push_back({.keys = round_keys("spatial-clearance", "A thin disk in a cylinder, free to tilt and slide."),
                   .picture = {Bearing::cylinder, Journal::disk},
                   .hertz_radius = radius_in_bearing,
                   .size = radial_clearance,
                   .pairs = at_centre<spatial_clearance>});
  types.push_back({.keys = journal_bearing_keys(),
                   .picture = {Bearing::cylinder, Journal::pin},
                   .hertz_radius = radius_in_bearing,
                   .size = radial_clearance,
                   .pairs = at_both_ends});
  types.push_back({.keys = guide_keys(),
                   .picture = {Bearing::slot, Journal::block},
                   .hertz_radius = no_radius,
                   .size = gap_of_guide,
                   .pairs = at_corners});
  types.push_back({.keys = ball_on_plane_keys(),
                   .picture = {Bearing::plane, Journal::ball},
                   .hertz_radius = own_radius,
                   .size = part_of_radius,
                   .pairs = ball_below});
  types.push_back({.keys = disk_on_plane_keys(),
                   .picture = {Bearing::plane, Journal::disk},
                   .hertz_radius = own_radius,
                   .size = part_of_radius,
                   .pairs = rim_below});
  types.push_back({.keys = outside_keys("ball-on-ball", "Two balls that can touch.", false),
                   .picture = {Bearing::ball, Journal::ball},
                   .hertz_radius = radius_beside,
                   .size = part_of_radius,
                   .pairs = at_centre<ball_on_ball>});
  types.push_back({.keys = outside_keys("disk-on-disk",
                                        "Two disks or parallel cylinders that can touch with their rims, in the plane "
                                        "normal to `axis`.",
                                        true),
                   .picture = {Bearing::ball, Journal::disk},
                   .hertz_radius = radius_beside,
                   .size = part_of_radius,
                   .pairs = at_centre<disk_on_disk>});
  return types;
}

const std::vector<ClearanceJointType>& clearance_joint_types() {
  static const std::vector<ClearanceJointType> list = make_clearance_types();
  return list;
}

const bool clearances_are_known = [] {
  for (const ClearanceJointType& type : clearance_joint_types()) {
    ClearanceTypeKeys keys = type.keys;
    keys.ball = type.picture.journal == Journal::ball;
    add_clearance_type(std::move(keys));
  }
  return true;
}();

}  // namespace

const char* name_of(ClearancePicture::Bearing bearing) {
  switch (bearing) {
    case Bearing::circle:
      return "circle";
    case Bearing::sphere:
      return "sphere";
    case Bearing::cylinder:
      return "cylinder";
    case Bearing::slot:
      return "slot";
    case Bearing::plane:
      return "plane";
    case Bearing::ball:
      return "ball";
  }
  throw std::logic_error("a bearing that nobody draws");
}

const ClearanceJointType& clearance_joint_type(const ClearanceSpec& joint) {
  const auto type =
      std::ranges::find_if(clearance_joint_types(), [&](const auto& each) { return each.keys.name == joint.type; });
  if (type == clearance_joint_types().end())
    throw std::logic_error("no joint with clearance is called '" + joint.type + "'");
  return *type;
}

}  // namespace freeplay
