#pragma once

#include <span>

#include "freeplay/assembly/reported_joints.h"

namespace freeplay {

/// Force and moment that the first body of a joint exerts on the second, friction and contacts
/// included, at the place of the second.
struct JointReaction {
  Vec3 position = Vec3::Zero();  ///< inertial [m]
  Vec3 force = Vec3::Zero();     ///< inertial [N]
  Vec3 moment = Vec3::Zero();    ///< inertial [N m]
  Mat3 axes = Mat3::Identity();  ///< the joint's own axes (those of its first frame), inertial
};

/// `now` is the instant of the state.
JointReaction reaction(const Model& model, const ReportedJoint& joint, const State& state, const Motion& now,
                       std::span<const double> multipliers);

}  // namespace freeplay
