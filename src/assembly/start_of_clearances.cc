#include "freeplay/assembly/start_of_clearances.h"

#include <algorithm>
#include <cstdio>

#include "freeplay/assembly/reported_joints.h"
#include "freeplay/base/names.h"
#include "freeplay/deck/clearance_type.h"

namespace freeplay {

namespace {

template <class Body>
bool has_velocity(const std::vector<Body>& bodies, const std::string& name) {
  const auto body = std::ranges::find(bodies, name, &Body::name);
  return body != bodies.end() && (body->velocity || body->angular_velocity);
}

bool is_velocity_given(const ModelSpec& spec, const std::string& body) {
  return body == "ground" || has_velocity(spec.bodies, body) || has_velocity(spec.beams, body);
}

Vec3 velocity_of(const Frame& frame, const Motion& now) {
  if (frame.node == ground) return Vec3::Zero();
  const Vec6& v = now.velocity[frame.node];
  return v.head<3>() + Vec3(v.tail<3>()).cross(now(frame).start.r);
}

/// Others lie on planes or beside each other and fly towards them, which is no mistake.
bool is_in_bearing(const ClearanceSpec& joint) {
  return joint.bearing_radius > 0.0 && !clearance_type_keys(joint.type).is_apart;
}

/// Of the bodies of a joint, quoted.
std::vector<std::string> bodies_without_velocity(const ModelSpec& spec, const ClearanceSpec& joint) {
  std::vector<std::string> names;
  for (const FrameRef& place : joint.between)
    if (!is_velocity_given(spec, place.body)) names.push_back("'" + place.body + "'");
  return names;
}

std::string with_unit(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g %s", value, unit);
  return text;
}

std::string warning_of_speed(const ClearanceSpec& joint, const std::vector<std::string>& bodies, double speed) {
  return "warning: joint '" + joint.name + "': at the start the journal moves in its clearance at " +
         with_unit(speed, "m/s") +
         " and will hit the bearing; a clearance does not determine velocities, and none is given for " +
         joined(bodies, " and ");
}

/// Something that is pressed on its wall, even hard, is not as deep in it as the clearance is wide.
std::string warning_of_depth(const ClearanceSpec& joint, const ReportedJoint& reported, const Assembled& assembled,
                             const Motion& now) {
  // Round bodies beside each other have no clearance, but are not pressed in by a tenth of their radius either.
  const bool is_beside = joint.bearing_radius > 0.0 && !is_in_bearing(joint);
  const double clearance = is_in_bearing(joint) ? joint.bearing_radius - joint.journal_radius
                           : is_beside          ? 0.1 * std::min(joint.bearing_radius, joint.journal_radius)
                                                : joint.gap;
  double depth = 0.0, force = 0.0;
  for (const std::size_t e : reported.contacts) {
    const ContactPoint point =
        assembled.model.elements[e]->contact_point(now, internal_of(assembled.model, assembled.state, e));
    if (-point.gap <= depth) continue;
    depth = -point.gap;
    force = point.normal_force.norm();
  }
  if (clearance <= 0.0 || depth <= clearance) return "";
  return "warning: joint '" + joint.name + "': at the start '" + joint.between[1].text() + "' is " +
         with_unit(1e3 * depth, "mm") + " deep in the wall, with a clearance of " +
         with_unit(is_beside ? 0.0 : 1e3 * clearance, "mm") + ": the contact begins with " + with_unit(force, "N") +
         ". Is it where `at` says?";
}

}  // namespace

std::vector<std::string> unmeant_impacts(const ModelSpec& spec, const Assembled& assembled) {
  constexpr double small = 1e-3;  // of the fastest speed in the model
  if (spec.analysis.kind != AnalysisSpec::Kind::dynamic) return {};
  std::vector<std::string> warnings;
  Motion now;
  set_instant(assembled.state, now);
  double fastest = 0.0;
  for (const Vec6& v : now.velocity)
    fastest = std::max({fastest, v.head<3>().norm(), assembled.model.length_scale * v.tail<3>().norm()});
  const std::vector<ReportedJoint> joints = reported_joints(assembled.model);
  for (const ClearanceSpec& joint : spec.clearances) {
    const auto reported = std::ranges::find(joints, joint.name, &ReportedJoint::name);
    const std::string depth = warning_of_depth(joint, *reported, assembled, now);
    if (!depth.empty()) warnings.push_back(depth);
    const std::vector<std::string> bodies = bodies_without_velocity(spec, joint);
    const double speed = (velocity_of(reported->b, now) - velocity_of(reported->a, now)).norm();
    if (is_in_bearing(joint) && !bodies.empty() && speed > small * fastest)
      warnings.push_back(warning_of_speed(joint, bodies, speed));
  }
  return warnings;
}

}  // namespace freeplay
