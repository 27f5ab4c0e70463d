#include "freeplay/assembly/start_of_clearances.h"

#include <algorithm>
#include <cstdio>

#include "freeplay/assembly/reported_joints.h"
#include "freeplay/base/names.h"

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

/// Others lie on planes and fly towards them, which is no mistake.
bool is_round(const ClearanceSpec& joint) { return joint.bearing_radius > 0.0; }

/// Of the bodies of a joint, quoted.
std::vector<std::string> bodies_without_velocity(const ModelSpec& spec, const ClearanceSpec& joint) {
  std::vector<std::string> names;
  for (const FrameRef& place : joint.between)
    if (!is_velocity_given(spec, place.body)) names.push_back("'" + place.body + "'");
  return names;
}

std::string warning(const ClearanceSpec& joint, const std::vector<std::string>& bodies, double speed) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3g m/s", speed);
  return "warning: joint '" + joint.name + "': at the start the journal moves in its clearance at " + text +
         " and will hit the bearing; a clearance does not determine velocities, and none is given for " +
         joined(bodies, " and ");
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
    if (!is_round(joint)) continue;
    const std::vector<std::string> bodies = bodies_without_velocity(spec, joint);
    if (bodies.empty()) continue;
    const auto reported = std::ranges::find(joints, joint.name, &ReportedJoint::name);
    const double speed = (velocity_of(reported->b, now) - velocity_of(reported->a, now)).norm();
    if (speed > small * fastest) warnings.push_back(warning(joint, bodies, speed));
  }
  return warnings;
}

}  // namespace freeplay
