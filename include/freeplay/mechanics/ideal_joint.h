#pragma once

#include <functional>
#include <span>

#include "freeplay/deck/joint_type.h"
#include "freeplay/deck/spec.h"
#include "freeplay/mechanics/joint_friction.h"

namespace freeplay {

/// A type of ideal joint is data: what the user may say about it and a list of equations between its two frames.
/// The joint axis is the third axis of both frames. A new type is a new entry of the table in ideal_joint.cc.
struct IdealJointType {
  JointTypeKeys keys;
  std::vector<Equation> equations;
  /// Where it slips, and what presses there: fills `slips` and `normal`. Empty: it has no friction.
  std::function<void(const JointSpec&, JointFriction&)> friction = {};
};

std::span<const IdealJointType> ideal_joint_types();

/// Whether its two places are not at one point.
bool is_apart(const JointSpec& spec);
/// Whether an angle about its axis can be told.
bool rotates_about_axis(const JointSpec& spec);
/// The joint described by `spec` between frames that have been located already.
Joint make_ideal_joint(const JointSpec& spec, const Frame& a, const Frame& b);

/// The friction of the joint described by `spec`, without its law.
JointFriction make_joint_friction(const JointSpec& spec);

}  // namespace freeplay
