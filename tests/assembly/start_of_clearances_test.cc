#include "freeplay/assembly/start_of_clearances.h"

#include <gtest/gtest.h>

#include "freeplay/deck/model_file.h"

namespace freeplay {
namespace {

/// A driven crank whose pin is a journal in a bearing of the rod.
std::vector<std::string> warnings_of(const std::string& speed, const std::string& rod) {
  const ModelSpec spec = read_model_text(
      "freeplay: 1\n"
      "bodies:\n"
      "  crank: {rigid: {mass: 1, inertia: 0.01, at: [0, 0, 0], points: {pin: [0.1, 0, 0]}}}\n"
      "  rod: {rigid: {mass: 1, inertia: 0.01, at: [0.3, 0, 0], points: {eye: [-0.2, 0, 0]}" +
          rod +
          "}}\n"
          "contacts: {c: {linear: {stiffness: 1 MN/m}}}\n"
          "joints:\n"
          "  motor: {revolute: {between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: '" +
          speed +
          " * t'}}}\n"
          "  pin: {planar-clearance: {between: [rod.eye, crank.pin], axis: [0, 0, 1], bearing-radius: 10.1 mm, "
          "journal-radius: 10 mm, contact: c}}\n"
          "analysis: {dynamic: {end: 1 s}}\n",
      "test.yaml");
  return unmeant_impacts(spec, assemble(spec));
}

// Protects: bodies next to a clearance whose velocity was forgotten are named; not if the journal rests in its bearing.
TEST(StartOfClearances, names_the_body_whose_velocity_is_missing) {
  const auto warnings = warnings_of("10 rad/s", "");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("joint 'pin'"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("1 m/s"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("none is given for 'rod' and 'crank'"), std::string::npos) << warnings[0];
  EXPECT_TRUE(warnings_of("0 rad/s", "").empty());
  EXPECT_TRUE(warnings_of("10 rad/s", ", velocity: [0, 0, 0], angular-velocity: [0, 0, -5]").empty());
}

/// A pendulum that stands on the wall of its bearing, or somewhere in it.
std::vector<std::string> warnings_of_pendulum(const std::string& at) {
  const ModelSpec spec = read_model_text(
      "freeplay: 1\n"
      "bodies: {bob: {rigid: {mass: 1, inertia: 0.01, at: [0, 0, 0], points: {pin: [0, 0, 0]}}}}\n"
      "contacts: {c: {linear: {stiffness: 1 MN/m}}}\n"
      "joints:\n"
      "  pin: {planar-clearance: {between: [ground, bob.pin], at: " +
          at +
          ", axis: [0, 0, 1], bearing-radius: 10.1 mm, journal-radius: 10 mm, contact: c}}\n"
          "analysis: {dynamic: {end: 1 s}}\n",
      "test.yaml");
  return unmeant_impacts(spec, assemble(spec));
}

// Protects: a bearing that was given in the wrong place does not begin with meganewtons without a word.
TEST(StartOfClearances, names_a_journal_outside_its_bearing) {
  const auto warnings = warnings_of_pendulum("[1 mm, 0, 0]");
  ASSERT_EQ(warnings.size(), 1u);
  for (const char* part : {"joint 'pin'", "'bob.pin'", "0.9 mm deep", "clearance of 0.1 mm", "900 N"})
    EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
  EXPECT_TRUE(warnings_of_pendulum("[0.15 mm, 0, 0]").empty());
  EXPECT_TRUE(warnings_of_pendulum("[0, 0, 0]").empty());
}

}  // namespace
}  // namespace freeplay
