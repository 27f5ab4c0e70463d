// What a joint reports is what holds its second body in equilibrium, in the joint's own axes.

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/analysis_testing.h"
#include "freeplay/assembly/joint_reaction.h"
#include "freeplay/results/history_columns.h"
#include "mechanics/joint_freedom_testing.h"
#include "scheme/menagerie_testing.h"

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
  Motion now;
  set_instant(loaded.state, now);
  const JointReaction result = reaction(loaded.model, reported_joints(loaded.model)[0], loaded.state, now, multipliers);
  EXPECT_LT((result.axes.transpose() * result.force + force).norm(), round_off);
  EXPECT_LT((result.axes.transpose() * result.moment + moment).norm(), round_off);
  const FramePlace B = place(loaded.model.joints[0].b, loaded.state.pose[1]);
  EXPECT_LT((result.position - B.x).norm(), round_off);
}

/// A screw carries a force along its axis only together with a moment.
std::vector<std::string> types_that_carry_single_loads() {
  std::vector<std::string> names = joint_type_names();
  std::erase(names, "screw");
  return names;
}

INSTANTIATE_TEST_SUITE_P(IdealJoints, Reaction, testing::ValuesIn(types_that_carry_single_loads()), name_of_joint_test);

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

struct Clearance {
  const char* type;
  const char* keys;
  int n_contacts = 1;
};

/// A body pressed and turned in a joint with clearance, in contact from the start on and slipping.
std::string pressed_body(const Clearance& joint) {
  return R"yaml(freeplay: 1
gravity: [1, -10, 0.5]
bodies:
  block:
    rigid:
      mass: 2
      inertia: [0.02, 0.03, 0.04]
      at: [0.01, -0.0105, 0.02]
      rotation: {axis: [0, 0, 1], angle: 0.3}
      velocity: [0.1, 0.05, 0.02]
      angular-velocity: [0.3, 0.2, 2]
      points: {journal: [0, 0, 0.03]}
contacts: {c: {hunt-crossley: {stiffness: 1e7, restitution: 0.7}}}
frictions: {f: {lugre: {static: 0.4, kinetic: 0.3, sigma0: 1e4, sigma1: 10, stribeck-velocity: 1 mm/s}}}
joints: {j: {)yaml" +
         std::string(joint.type) + ": {between: [ground, block.journal], " + joint.keys +
         ", contact: c, friction: f}}}\nanalysis: {dynamic: {end: 5 ms, tolerance: 1e-3}}\noutput: {every: 1 ms}\n";
}

class ClearanceReaction : public testing::TestWithParam<Clearance> {};

// Protects: what a joint with clearance reports holds its second body in balance, inertia included, and has the size of
// its normal and friction force.
TEST_P(ClearanceReaction, balances_the_second_body) {
  constexpr double round_off = 1e-9;  // forces up to 1e4 N
  AnalysisRun run(pressed_body(GetParam()));
  run.run();
  HistoryColumns columns = run.history_columns();
  const Mat3 inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
  double largest = 0.0, largest_friction = 0.0;
  for (const auto& row : run.observer.rows) {
    const Mat3& R = row.state.pose[0].R;
    const Vec3 v = row.state.twist[0].head<3>(), w = row.state.twist[0].tail<3>();
    const Vec3 dv = row.twist_rate[0].head<3>(), dw = row.twist_rate[0].tail<3>();
    const Vec3 force = 2.0 * (R * (dv + w.cross(v)) - Vec3(1.0, -10.0, 0.5));
    const Vec3 moment = R * (inertia * dw + w.cross(inertia * w));
    const JointReaction r = run.joint_reaction(0, row);
    EXPECT_LT((r.force - force).norm(), round_off * (1.0 + force.norm()));
    EXPECT_LT((r.moment + (r.position - row.state.pose[0].x).cross(r.force) - moment).norm(),
              round_off * (1.0 + force.norm()));
    largest = std::max(largest, r.force.norm());
    const Vec3 in_axes(column("j.force.x", columns, row), column("j.force.y", columns, row),
                       column("j.force.z", columns, row));
    EXPECT_LT((r.axes * in_axes - r.force).norm(), round_off * (1.0 + force.norm()));
    if (GetParam().n_contacts > 1) continue;
    const double friction = column("j.friction_force", columns, row);
    largest_friction = std::max(largest_friction, friction);
    const bool is_planar = std::string(GetParam().type) == "planar-clearance";  // it also carries across its plane
    const double size = is_planar ? in_axes.head<2>().norm() : in_axes.norm();
    EXPECT_NEAR(size, std::hypot(column("j.normal_force", columns, row), friction), round_off * (1.0 + size));
  }
  EXPECT_GT(largest, 10.0) << "no contact";
  if (GetParam().n_contacts == 1) {
    EXPECT_GT(largest_friction, 1.0) << "no friction";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, ClearanceReaction,
    testing::Values(
        Clearance{"planar-clearance",
                  "at: [0, 0, 0.05], axis: [0, 0, 1], bearing-radius: 50 mm, journal-radius: 36 mm"},
        Clearance{"spherical-clearance", "at: [0, 0, 0.05], bearing-radius: 50 mm, journal-radius: 36 mm"},
        Clearance{"spatial-clearance",
                  "at: [0, 0, 0.05], axis: [0, 0.1, 1], bearing-radius: 50 mm, journal-radius: 36 mm"},
        Clearance{"journal-bearing",
                  "at: [0, 0, 0.05], axis: [0, 0, 1], bearing-radius: 50 mm, journal-radius: 36 mm, length: 40 mm", 2},
        Clearance{"translational-clearance",
                  "at: [0, 0, 0.05], axis: [1, 0, 0], across: [0, 1, 0], length: 60 mm, width: 40 mm, gap: 10 mm", 4},
        Clearance{"ball-on-plane", "at: [0, -0.05, 0], normal: [0, 1, 0.1], radius: 45 mm"},
        Clearance{"disk-on-plane", "at: [0, -0.05, 0], normal: [0, 1, 0], disk-axis: [0, 0.2, 1], radius: 42 mm"}),
    [](const auto& info) {
      std::string name = info.param.type;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace freeplay
