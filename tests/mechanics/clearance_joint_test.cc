#include "freeplay/mechanics/clearance_joint.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace freeplay {
namespace {

ClearanceSpec joint_of_type(const std::string& type) {
  ClearanceSpec joint;
  joint.name = "j";
  joint.type = type;
  joint.bearing_radius = 0.02;
  joint.journal_radius = 0.01;
  joint.length = joint.width = 0.1;
  joint.gap = 0.001;
  joint.axis = Vec3::UnitZ();
  joint.across = Vec3::UnitX();
  return joint;
}

// Protects: each type that the reader knows can touch somewhere, with a geometry and under a name of its own.
TEST(ClearanceJoint, every_type_of_the_reader_has_contacts) {
  ASSERT_FALSE(clearance_type_keys().empty());
  for (const ClearanceTypeKeys& keys : clearance_type_keys()) {
    const ClearanceSpec joint = joint_of_type(keys.name);
    const ClearanceJointType& type = clearance_joint_type(joint);
    EXPECT_GE(type.hertz_radius(joint), 0.0) << keys.name;
    EXPECT_GT(type.size(joint), 0.0) << keys.name;
    const auto pairs = type.pairs(joint, {{}, {}, Mat3::Identity(), Mat3::Identity()});
    ASSERT_FALSE(pairs.empty()) << keys.name;
    for (const TouchingPair& pair : pairs) {
      EXPECT_NE(pair.geometry, nullptr) << keys.name;
      EXPECT_EQ(pair.name, pairs.size() == 1 ? "j" : "j." + std::to_string(&pair - pairs.data() + 1));
    }
  }
}

// Protects: a type that nobody has entered is not taken for another one.
TEST(ClearanceJoint, unknown_type_is_an_error) {
  EXPECT_THROW(clearance_joint_type(joint_of_type("cam")), std::logic_error);
  EXPECT_THROW(clearance_type_keys("cam"), std::logic_error);
}

}  // namespace
}  // namespace freeplay
