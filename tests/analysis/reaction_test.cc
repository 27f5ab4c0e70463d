// What a joint reports is what holds its second body in equilibrium, in the joint's own axes.

#include <gtest/gtest.h>

#include "analysis/analysis_testing.h"
#include "freeplay/output/history_columns.h"
#include "integrator/menagerie_testing.h"
#include "joint/joint_freedom_testing.h"

namespace freeplay {
namespace {

/// Two bodies, the first clamped, joined by a joint in its parallel position. The load on the second body is a force
/// and a moment at the joint, given in the joint's axes.
struct LoadedJoint {
  Model model;
  State state;

  LoadedJoint(const std::string& type, const Vec3& force, const Vec3& moment, Random& random) {
    model.nodes.push_back(random_node("support", random));
    model.nodes.back().fixed.fill(true);
    model.nodes.push_back(random_node("body", random));
    const std::vector<Pose> poses{random_pose(random), random_pose(random)};
    const Pose joint_place = random_pose(random);
    const Pose second_place{joint_place.x + joint_place.R * joint_freedom(type).start, joint_place.R};
    const Frame b = frame_at(1, poses, second_place);
    model.joints.push_back(joint_of_type(type, frame_at(0, poses, joint_place), b));
    const auto components = [&](const Vec3& v) {
      const Vec3 inertial = joint_place.R * v;
      return std::array<TimeFunction, 3>{inertial.x(), inertial.y(), inertial.z()};
    };
    model.elements.push_back(std::make_unique<AppliedLoad>("F", AppliedLoad::Kind::force, b, components(force), false));
    model.elements.push_back(
        std::make_unique<AppliedLoad>("M", AppliedLoad::Kind::torque, b, components(moment), false));
    model.finish();
    state.pose = poses;
    state.twist.assign(2, Vec6::Zero());
    state.multiplier.assign(model.n_multipliers, 0.0);
  }
};

class Reaction : public testing::TestWithParam<std::string> {};

// Protects: size, direction and sign of reaction force and moment of every joint.
TEST_P(Reaction, balances_a_static_load) {
  constexpr double round_off = 1e-11;  // loads of size 10
  Random random(17);
  const JointFreedom freedom = joint_freedom(GetParam());
  Vec3 force = random.vector(10.0), moment = random.vector(10.0);
  for (int k = 0; k < 3; ++k) {
    if (!freedom.forbids[k]) force[k] = 0.0;
    if (!freedom.forbids[3 + k]) moment[k] = 0.0;
  }
  const LoadedJoint loaded(GetParam(), force, moment, random);
  InstantSystem instant(loaded.model, test_solvers());
  std::vector<Vec6> rate(2);
  std::vector<double> multipliers(loaded.model.n_multipliers);
  ASSERT_TRUE(instant.accelerate(loaded.state, rate, multipliers));
  EXPECT_LT(rate[1].norm(), round_off);
  const JointReaction result = reaction(loaded.model, 0, loaded.state, multipliers);
  EXPECT_LT((result.axes.transpose() * result.force + force).norm(), round_off);
  EXPECT_LT((result.axes.transpose() * result.moment + moment).norm(), round_off);
  const FramePlace B = place(loaded.model.joints[0].b, loaded.state.pose[1]);
  EXPECT_LT((result.position - B.x).norm(), round_off);
}

INSTANTIATE_TEST_SUITE_P(IdealJoints, Reaction, testing::ValuesIn(joint_type_names()), name_of_joint_test);

double column(const std::string& name, HistoryColumns& columns, const RecordingObserver::Row& row) {
  const auto values = columns.values(row.snapshot());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (columns.columns()[k].name == name) return values[k];
  throw std::logic_error("no column " + name);
}

// Protects: the history of a clamped arm: weight and bending moment at the joint, in its axes (third along `axis`).
TEST(ReactionHistory, clamped_arm) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, 0, -10]
bodies:
  arm: {rigid: {mass: 2, inertia: 0.1, at: [0.5, 0, 0]}}
joints:
  bearing: {revolute: {between: [ground, arm], at: [0, 0, 0], axis: [1, 0, 0]}}
analysis: {static: {}}
)yaml");
  run.run();
  HistoryColumns columns = run.history_columns();
  constexpr double found = 1e-7;
  // The joint's axes are y, z, x of ground. It carries 20 N upwards at an arm of 0.5 m: a moment of 10 Nm about -y.
  const double expected[] = {0.0, 20.0, 0.0, -10.0, 0.0, 0.0};
  int k = 0;
  for (const char* name : {"bearing.force.x", "bearing.force.y", "bearing.force.z", "bearing.moment.x",
                           "bearing.moment.y", "bearing.moment.z"})
    EXPECT_NEAR(column(name, columns, run.last()), expected[k++], found) << name;
}

// Protects: the driven axis reports the moment of the drive, and the joint's moment contains it.
TEST(ReactionHistory, drive_moment_holds_the_weight) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -10, 0]
bodies: {arm: {rigid: {mass: 2, inertia: 0.1, at: [0.5, 0, 0]}}}
joints: {shaft: {revolute: {between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: 0}}}}
analysis: {kinematic: {end: 0.1}}
output: {every: 0.1}
)yaml");
  run.run();
  HistoryColumns columns = run.history_columns();
  constexpr double round_off = 1e-10;
  EXPECT_NEAR(column("shaft.drive_moment", columns, run.last()), 10.0, round_off);
  EXPECT_NEAR(column("shaft.moment.z", columns, run.last()), 10.0, round_off);
  EXPECT_NEAR(column("shaft.force.y", columns, run.last()), 20.0, round_off);
}

}  // namespace
}  // namespace freeplay
