#include "scene_description.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "freeplay/deck/joint_type.h"
#include "freeplay/mechanics/applied_load.h"
#include "freeplay/mechanics/clearance_joint.h"
#include "freeplay/mechanics/coefficient_bearing.h"
#include "freeplay/mechanics/ideal_joint.h"
#include "freeplay/mechanics/spring.h"
#include "freeplay/results/drawn_parts.h"

namespace freeplay {

namespace {

using nlohmann::json;

/// Nine digits: more than a picture needs, and half as long.
double shortened(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return std::strtod(text, nullptr);
}

json list(const Vec3& v) { return {shortened(v.x()), shortened(v.y()), shortened(v.z())}; }

json quaternion(const Mat3& R) {
  Eigen::Quaterniond q(R);
  q.normalize();
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  return {shortened(q.x()), shortened(q.y()), shortened(q.z()), shortened(q.w())};
}

json points_of(const std::vector<PointSpec>& points) {
  json named = json::object();
  for (const PointSpec& point : points) named[point.name] = list(point.at);
  return named;
}

json shape_json(const DrawnShape& shape) {
  switch (shape.kind) {
    case DrawnShape::Kind::sphere:
      return {{"kind", "sphere"}, {"centre", list(shape.centre)}, {"radius", shortened(shape.radius)}};
    case DrawnShape::Kind::box:
      return {{"kind", "box"}, {"centre", list(shape.centre)}, {"size", list(shape.size)}};
    case DrawnShape::Kind::cylinder:
      break;
  }
  return {
      {"kind", "cylinder"}, {"from", list(shape.from)}, {"to", list(shape.to)}, {"radius", shortened(shape.radius)}};
}

/// One outline per cross section, or one alone if they are all the same.
json outlines_json(const std::vector<std::vector<Vec3>>& outlines) {
  const bool all_same = std::ranges::all_of(outlines, [&](const auto& outline) { return outline == outlines.front(); });
  json all = json::array();
  for (const std::vector<Vec3>& outline : outlines) {
    json points = json::array();
    for (const Vec3& point : outline) points.push_back({shortened(point.x()), shortened(point.y())});
    all.push_back(points);
    if (all_same) break;
  }
  return all;
}

const char* name_of(SpringSpec::Kind kind) {
  switch (kind) {
    case SpringSpec::Kind::translational:
      return "translational";
    case SpringSpec::Kind::torsional:
      return "torsional";
    case SpringSpec::Kind::bushing:
      return "bushing";
    case SpringSpec::Kind::bearing_coefficients:
      return "bearing-coefficients";
  }
  return "";
}

std::optional<std::array<Frame, 2>> places_of_spring(const ForceElement& element) {
  if (const auto* spring = dynamic_cast<const ScalarSpring*>(&element)) return spring->places();
  if (const auto* bushing = dynamic_cast<const Bushing*>(&element)) return bushing->places();
  if (const auto* bearing = dynamic_cast<const CoefficientBearing*>(&element))
    return std::array{bearing->bearing(), bearing->journal()};
  return std::nullopt;
}

template <class Spec>
const Spec* named(const std::vector<Spec>& specs, const std::string& name) {
  const auto found = std::ranges::find(specs, name, &Spec::name);
  return found == specs.end() ? nullptr : &*found;
}

}  // namespace

SceneDescription::SceneDescription(const ModelSpec& spec, const Assembled& assembled,
                                   const std::vector<ReportedJoint>& joints, const std::vector<std::size_t>& loads,
                                   const std::vector<std::size_t>& contacts)
    : spec_(spec),
      assembled_(assembled),
      model_(assembled.model),
      joints_(joints),
      loads_(loads),
      contacts_(contacts),
      frames_(spec, assembled) {
  const std::span<const Pose> poses = frames_.at(assembled.state);
  start_.assign(poses.begin(), poses.end());
}

json SceneDescription::json() {
  Json scene;
  const bool is_static = spec_.analysis.kind == AnalysisSpec::Kind::static_equilibrium;
  scene["format"] = 1;
  scene["time"] = {{"name", is_static ? "load_factor" : "time"}, {"unit", is_static ? "" : "s"}};
  scene["up"] = list(spec_.gravity.isZero(0.0) ? Vec3(Vec3::UnitZ()) : Vec3(-spec_.gravity.normalized()));
  scene["n_frames"] = start_.size();
  scene["n_forces"] = joints_.size() + loads_.size();
  scene["n_contacts"] = contacts_.size();
  scene["bodies"] = bodies();
  scene["beams"] = beams();
  scene["joints"] = joints_json();
  scene["springs"] = springs();
  scene["loads"] = loads_json();
  scene["contacts"] = contacts_json();
  scene["ground"] = {{"points", points_of(spec_.ground_points)}};
  for (const PointSpec& point : spec_.ground_points) enclose(point.at);
  if (bounds_.isEmpty()) enclose(Vec3::Zero(), 0.5);
  scene["bounds"] = {list(bounds_.min()), list(bounds_.max())};
  const double length = bounds_.diagonal().norm();
  scene["length"] = shortened(length > 0.0 ? length : 1.0);
  return scene;
}

void SceneDescription::enclose(const Vec3& point, double radius) {
  bounds_.extend(point - Vec3::Constant(radius));
  bounds_.extend(point + Vec3::Constant(radius));
}

SceneDescription::Json SceneDescription::bodies() {
  const std::vector<ParaviewBody> drawn = drawn_bodies(spec_);
  const double radius = default_radius(drawn);
  Json list_of_bodies = Json::array();
  for (std::size_t b = 0; b < drawn.size(); ++b) {
    const Pose& pose = start_[b];
    Json shapes = Json::array();
    for (const DrawnShape& shape : body_shapes(drawn[b], radius)) {
      shapes.push_back(shape_json(shape));
      const bool is_cylinder = shape.kind == DrawnShape::Kind::cylinder;
      for (const Vec3& end : {is_cylinder ? shape.from : shape.centre, is_cylinder ? shape.to : shape.centre})
        enclose(pose.x + pose.R * end, std::max(shape.radius, 0.5 * shape.size.maxCoeff()));
    }
    list_of_bodies.push_back({{"name", drawn[b].name},
                              {"frame", b},
                              {"points", points_of(spec_.bodies[b].points)},
                              {"centre", list(drawn[b].centre)},
                              {"shapes", shapes}});
  }
  return list_of_bodies;
}

SceneDescription::Json SceneDescription::beams() {
  Json list_of_beams = Json::array();
  if (frames_.beams().empty()) return list_of_beams;
  // Without strain beams are as they are written, before joints were closed.
  Assembled as_written;
  std::vector<GivenParts> given;
  build_model(spec_, as_written, given);
  SceneFrames frames(spec_, as_written);
  const std::span<const Pose> rest = frames.at(as_written.state);
  for (const SceneFrames::BeamFrames& beam : frames_.beams()) {
    Json places = Json::array(), poses = Json::array();
    for (std::size_t k = 0; k < beam.count; ++k) {
      const Pose& pose = rest[beam.first + k];
      Json numbers = list(pose.x);
      for (const Json& component : quaternion(pose.R)) numbers.push_back(component);
      poses.push_back(numbers);
      places.push_back(shortened(beam.places[k]));
      double reach = 0.0;
      for (const Vec3& point : beam.outline[k]) reach = std::max(reach, point.norm());
      enclose(start_[beam.first + k].x, reach);
    }
    Json description{{"name", beam.name},
                     {"first_frame", beam.first},
                     {"n_frames", beam.count},
                     {"s", places},
                     {"outline", outlines_json(beam.outline)},
                     {"rest", poses}};
    if (!beam.hole.empty()) description["inner"] = outlines_json(beam.hole);
    list_of_beams.push_back(description);
  }
  return list_of_beams;
}

SceneDescription::Json SceneDescription::place(const std::string& name, const Frame& frame) {
  if (frame.node == ground) {
    enclose(frame.offset);
    return {{"name", name}, {"frame", -1}, {"at", list(frame.offset)}, {"q", quaternion(frame.axes)}};
  }
  const int number = frames_.frame_of_node(frame.node);
  const FramePlace here = freeplay::place(frame, assembled_.state.pose[frame.node]);
  const Pose& pose = start_[number];
  enclose(here.x);
  return {{"name", name},
          {"frame", number},
          {"at", list(pose.R.transpose() * (here.x - pose.x))},
          {"q", quaternion(pose.R.transpose() * here.a)}};
}

SceneDescription::Json SceneDescription::direction(const Vec3& in_node, const Frame& frame) {
  return list(frame.axes.transpose() * in_node);
}

const ContactElement& SceneDescription::first_contact(const ReportedJoint& joint) const {
  return dynamic_cast<const ContactElement&>(*model_.elements[joint.contacts.front()]);
}

SceneDescription::Json SceneDescription::clearance(const ReportedJoint& joint) {
  const ClearanceSpec* spec = named(spec_.clearances, joint.name);
  if (!spec) return nullptr;
  // Two bodies beside each other have shapes of their own, and nothing to magnify.
  if (clearance_joint_type(*spec).picture.bearing == ClearancePicture::Bearing::ball) return nullptr;
  const double R = spec->bearing_radius, r = spec->journal_radius;
  Json result{{"bearing", "a"},
              {"bearing_radius", R},
              {"journal_radius", r},
              {"length", spec->length},
              {"clearance", shortened(R - r)}};
  const ClearancePicture& picture = clearance_joint_type(*spec).picture;
  result["kind"] = name_of(picture.bearing);
  if (picture.bearing == ClearancePicture::Bearing::slot) {
    // The third axis of the first wall points from it to the block.
    const std::array<Frame, 2> wall_and_corner = first_contact(joint).places();
    const Vec3 across = -wall_and_corner[0].axes.col(2);
    const Frame& b = joint.b;
    const Vec3 across_in_ground = freeplay::place(joint.a, pose_of(joint.a)).a * (joint.a.axes.transpose() * across);
    result["width"] = spec->width;
    result["clearance"] = spec->gap;
    result["across"] = direction(across, joint.a);
    result["across_b"] = list(freeplay::place(b, pose_of(b)).a.transpose() * across_in_ground);
  } else if (picture.bearing == ClearancePicture::Bearing::plane) {
    const bool is_disk = picture.journal == ClearancePicture::Journal::disk;
    result["clearance"] = nullptr;
    result["journal"] = is_disk ? "disk" : "ball";
    if (is_disk) result["journal_axis"] = direction(first_contact(joint).places()[1].axes.col(2), joint.b);
  } else {
    enclose(freeplay::place(joint.a, pose_of(joint.a)).x, R);
  }
  return result;
}

Pose SceneDescription::pose_of(const Frame& frame) const {
  return frame.node == ground ? Pose{} : assembled_.state.pose[frame.node];
}

SceneDescription::Json SceneDescription::joints_json() {
  Json list_of_joints = Json::array();
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const ReportedJoint& joint = joints_[j];
    const ClearanceSpec* with_clearance = named(spec_.clearances, joint.name);
    const JointSpec* ideal = named(spec_.joints, joint.name);
    const auto& between = with_clearance ? with_clearance->between : ideal->between;
    const std::string& type = with_clearance ? with_clearance->type : ideal->type;
    const bool axis = with_clearance ? clearance_type_keys(type).axis : joint_type_keys(type).axis;
    list_of_joints.push_back({{"name", joint.name},
                              {"type", type},
                              {"a", place(between[0].text(), joint.a)},
                              {"b", place(between[1].text(), joint.b)},
                              {"axis", axis ? list(Vec3::UnitZ()) : Json(nullptr)},
                              {"force", j},
                              {"clearance", clearance(joint)}});
  }
  return list_of_joints;
}

SceneDescription::Json SceneDescription::springs() {
  Json list_of_springs = Json::array();
  for (const auto& element : model_.elements) {
    const SpringSpec* spring = named(spec_.springs, element->name());
    const auto places = places_of_spring(*element);
    if (!spring || !places) continue;
    const auto& [a, b] = *places;
    Json free_length = nullptr;
    if (spring->kind == SpringSpec::Kind::translational) {
      const Vec3 offset = freeplay::place(b, pose_of(b)).x - freeplay::place(a, pose_of(a)).x;
      free_length = shortened(spring->free_length.value_or(offset.norm()));
    }
    list_of_springs.push_back({{"name", spring->name},
                               {"kind", name_of(spring->kind)},
                               {"a", place(spring->between[0].text(), a)},
                               {"b", place(spring->between[1].text(), b)},
                               {"free_length", free_length}});
    if (spring->kind != SpringSpec::Kind::bearing_coefficients) continue;
    const std::optional<double> radius = drawn_journal_radius(spec_, *spring);
    enclose(freeplay::place(a, pose_of(a)).x, 1.4 * radius.value_or(0.0));
    list_of_springs.back()["journal_radius"] = radius ? Json(shortened(*radius)) : Json(nullptr);
  }
  return list_of_springs;
}

SceneDescription::Json SceneDescription::place_of_line_load(const LineLoadSpec& load) {
  const SceneFrames::BeamFrames& beam =
      *std::ranges::find(frames_.beams(), load.on.body, &SceneFrames::BeamFrames::name);
  return {{"name", load.on.text()},
          {"frame", beam.first + beam.count / 2},
          {"at", {0.0, 0.0, 0.0}},
          {"q", {0.0, 0.0, 0.0, 1.0}}};
}

SceneDescription::Json SceneDescription::loads_json() {
  Json list_of_loads = Json::array();
  for (std::size_t k = 0; k < loads_.size(); ++k) {
    const ForceElement& element = *model_.elements[loads_[k]];
    Json description{{"name", element.name()}, {"force", joints_.size() + k}};
    if (const auto* applied = dynamic_cast<const AppliedLoad*>(&element)) {
      const LoadSpec& load = *named(spec_.loads, element.name());
      description["kind"] = load.kind == LoadSpec::Kind::force ? "force" : "torque";
      description["at"] = place(load.on.text(), applied->place());
    } else {
      description["kind"] = "line-load";
      description["at"] = place_of_line_load(*named(spec_.line_loads, element.name()));
    }
    list_of_loads.push_back(description);
  }
  return list_of_loads;
}

SceneDescription::Json SceneDescription::contacts_json() const {
  Json list_of_contacts = Json::array();
  for (const std::size_t contact : contacts_) {
    const auto& element = dynamic_cast<const ContactElement&>(*model_.elements[contact]);
    list_of_contacts.push_back({{"name", element.name()}, {"joint", element.joint().name}});
  }
  return list_of_contacts;
}

}  // namespace freeplay
