#pragma once

// What each type of ideal joint lets free, written down a second time and independently of its equations.

#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <stdexcept>
#include <string>

#include "freeplay/mechanics/ideal_joint.h"
#include "math/numerics_testing.h"

namespace freeplay {

/// Place of the second frame as seen from the first, in the axes of the first.
struct RelativePose {
  Vec3 u = Vec3::Zero();
  Mat3 R = Mat3::Identity();
};

/// The relative motions that a joint forbids, along and about the axes of its first frame, in the position in which
/// both frames are parallel: translations x y z, rotations x y z. All others are free.
struct JointFreedom {
  std::array<bool, 6> forbids{};
  Vec3 start = Vec3::Zero();  ///< offset of the second frame in that position; zero for all but `distance`
  int n_combined = 0;         ///< motions that are free although the single ones that they are made of are not

  int n_free() const { return n_combined + static_cast<int>(std::count(forbids.begin(), forbids.end(), false)); }
};

constexpr double rod_length = 1.7;  ///< of the joint `distance`
constexpr double lead = 1.3;        ///< of the joint `screw`

inline const std::map<std::string, JointFreedom>& joint_freedoms() {
  const bool yes = true, no = false;
  static const std::map<std::string, JointFreedom> freedoms{
      {"revolute", {{yes, yes, yes, yes, yes, no}}},
      {"spherical", {{yes, yes, yes, no, no, no}}},
      // Turns about z of the first frame and about x of the second.
      {"universal", {{yes, yes, yes, no, yes, no}}},
      {"cylindrical", {{yes, yes, no, yes, yes, no}}},
      {"prismatic", {{yes, yes, no, yes, yes, yes}}},
      {"planar", {{no, no, yes, yes, yes, no}}},
      {"fixed", {{yes, yes, yes, yes, yes, yes}}},
      {"point-on-plane", {{no, no, yes, no, no, no}}},
      // Spins about z of the first frame (the normal) and about x of the second (the axis of the disk).
      {"rolling-disk", {{no, no, yes, no, yes, no}}},
      {"point-on-line", {{yes, yes, no, no, no, no}}},
      {"orientation", {{no, no, no, yes, yes, yes}}},
      {"parallel-axes", {{no, no, no, yes, yes, no}}},
      {"distance", {{no, no, yes, no, no, no}, {0.0, 0.0, rod_length}}},
      {"screw", {{yes, yes, yes, yes, yes, yes}, Vec3::Zero(), 1}},
      // A straight line along x.
      {"point-on-curve", {{no, yes, yes, no, no, no}}},
  };
  return freedoms;
}

inline JointFreedom joint_freedom(const std::string& type) {
  const auto entry = joint_freedoms().find(type);
  if (entry == joint_freedoms().end())
    throw std::logic_error("tests/mechanics/joint_freedom_testing.h must say what the joint '" + type + "' lets free");
  return entry->second;
}

/// A large relative motion that the joint allows. Rotations are about z of the first frame, then y, then x of the
/// second: for a universal joint these are its two arms.
inline RelativePose allowed_pose(const std::string& type, Random& random) {
  const JointFreedom freedom = joint_freedom(type);
  RelativePose pose;
  if (type == "distance") {
    pose.u = rod_length * random.direction();
  } else {
    for (int k = 0; k < 3; ++k)
      if (!freedom.forbids[k]) pose.u[k] = random();
  }
  for (int k = 2; k >= 0; --k)
    if (!freedom.forbids[3 + k]) pose.R *= Eigen::AngleAxisd(random(-2.0, 2.0), Vec3::Unit(k)).toRotationMatrix();
  if (type == "screw") {
    const double angle = random(-2.0, 2.0);
    pose.u.z() = lead / (2.0 * std::numbers::pi) * angle;
    pose.R = Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
  }
  return pose;
}

/// Keys of all types, for joints whose first frame is `a`.
inline JointSpec spec_of_type(const std::string& type, const Frame& a) {
  JointSpec spec;
  spec.name = spec.type = type;
  spec.length = rod_length;
  spec.lead = lead;
  for (const double x : {-3.0, -1.0, 0.0, 2.0, 3.0}) spec.curve.push_back(a.offset + a.axes * Vec3(x, 0.0, 0.0));
  return spec;
}

/// A joint between two given frames that counts its coordinates from where these are parallel.
inline Joint joint_of_spec(const JointSpec& spec, const Frame& a, const Frame& b) {
  Joint joint = make_ideal_joint(spec, a, b);
  const JointMotion parallel = rest_of(joint, [](const Frame&) { return place({ground}, Pose{}); });
  for (Equation& equation : joint.equations) equation.set_constant(parallel, {});
  return joint;
}

/// A joint of the type between two given frames.
inline Joint joint_of_type(const std::string& type, const Frame& a, const Frame& b) {
  return joint_of_spec(spec_of_type(type, a), a, b);
}

inline std::vector<std::string> joint_type_names() {
  std::vector<std::string> names;
  for (const IdealJointType& type : ideal_joint_types()) names.push_back(type.keys.name);
  return names;
}

/// The name of a test that has a joint type as its parameter.
inline std::string name_of_joint_test(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace freeplay
