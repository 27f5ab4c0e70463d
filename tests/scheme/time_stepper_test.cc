#include "freeplay/scheme/time_stepper.h"

#include <gtest/gtest.h>

#include "mechanics/joint_freedom_testing.h"
#include "scheme/menagerie_testing.h"
#include "scheme/simulation_testing.h"

namespace freeplay {
namespace {

/// One spinning body on a joint of the given type with ground.
Assembled body_on_ground_joint(const std::string& type) {
  Random random(13);
  Assembled result;
  Model& model = result.model;
  model.nodes.push_back(random_node("body", random));
  const Pose pose{random.vector(), random.rotation()};
  const Pose joint_place{random.vector(), random.rotation()};
  const Frame b = frame_at(0, {pose}, joint_place);
  Frame a{ground, joint_place.x, joint_place.R};
  if (type == "distance") a.offset += rod_length * random.direction();
  model.joints.push_back(joint_of_type(type, a, b));
  model.gravity = random.vector(9.81);
  model.finish();
  result.state.pose = {pose};
  result.state.twist = {random.twist(3.0)};
  result.state.multiplier.assign(model.n_multipliers, 0.0);
  if (const auto misfit = follow_constraints(model, result.state)) throw std::logic_error(misfit->message);
  return result;
}

/// Types that do not lock whole vectors of the body: the mean velocity over a step satisfies their equations, the one
/// at its end does so only up to O(dt^3).
const std::vector<std::string> partial_types{"universal",     "point-on-plane", "rolling-disk",
                                             "point-on-line", "distance",       "point-on-curve"};

std::vector<std::string> whole_types() {
  std::vector<std::string> names = joint_type_names();
  for (const std::string& partial : partial_types) std::erase(names, partial);
  std::erase(names, "screw");  // loses a little, which falls with the sixth power of the step
  return names;
}

class BodyOnWholeGroundJoint : public testing::TestWithParam<std::string> {};
class BodyOnPartialGroundJoint : public testing::TestWithParam<std::string> {};

// Protects: one body on a ground joint ends each step on consistent velocities by itself: no projection, no loss.
TEST_P(BodyOnWholeGroundJoint, needs_no_projection) {
  constexpr double round_off = 1e-13;  // relative, 100 steps
  Simulation simulation(body_on_ground_joint(GetParam()));
  simulation.run(5e-3, 100);
  const Ledger& ledger = simulation.ledger();
  const double energy = std::max(1.0, ledger.largest_energy);  // a welded body has none
  EXPECT_LE(std::abs(ledger.projection_loss), round_off * energy);
  EXPECT_LE(std::abs(ledger.total() - ledger.initial), 10.0 * round_off * energy);
}

// Protects: where the projection is needed, what it takes falls with the third power of the step.
TEST_P(BodyOnPartialGroundJoint, projection_loss_falls_with_order_three) {
  const auto loss = [](int n_steps) {
    Simulation simulation(body_on_ground_joint(GetParam()));
    simulation.run(0.2 / n_steps, n_steps);
    return simulation.ledger().projection_loss;
  };
  constexpr double around = 0.1;
  EXPECT_NEAR(order(loss(200), loss(400)), 3.0, around);
}

INSTANTIATE_TEST_SUITE_P(IdealJoints, BodyOnWholeGroundJoint, testing::ValuesIn(whole_types()), name_of_joint_test);
INSTANTIATE_TEST_SUITE_P(IdealJoints, BodyOnPartialGroundJoint, testing::ValuesIn(partial_types), name_of_joint_test);

// Protects: a mechanism at rest in equilibrium stays there; there is nothing to project but round-off.
TEST(TimeStepper, rest_stays_rest) {
  Simulation simulation(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  base: {rigid: {mass: 1, inertia: 0.1, at: [0.3, 0.2, 0.1]}}
  arm: {rigid: {mass: 1, inertia: 0.1, at: [0.3, 0.7, -0.9], rotation: {axis: [1, 2, 3], angle: 1}}}
joints:
  weld: {fixed: {between: [ground, base], at: [0.1, 0, 0]}}
  pin: {revolute: {between: [base, arm], at: [0.3, 0.7, 0.1], axis: [0, 1, 0]}}
analysis: {dynamic: {end: 1}}
)yaml");
  const Vec3 before = simulation.state().pose[1].x;
  simulation.run(1e-3, 100);
  constexpr double round_off = 1e-13;  // of the initial position, which is not quite the one of rest
  EXPECT_LT((simulation.state().pose[1].x - before).norm(), round_off);
}

// Protects: velocities satisfy the constraints after every step, positions too, for large steps as well.
TEST(TimeStepper, constraints_hold_after_each_step) {
  constexpr double round_off = 1e-13;
  constexpr double projected = 1e-10;  // corrections of 0.01 m/s are found with a relative accuracy of 1e-9
  Simulation simulation(chain_in_world(Pose{}));
  double position_error = 0.0, velocity_error = 0.0;
  simulation.run(0.01, 50, [&] {
    const State& state = simulation.state();
    Motion now;
    set_instant(state, now);
    for (const Joint& joint : simulation.model().joints) {
      const JointMotion at = motion_of(joint, now);
      const JointVector velocity = velocity_of(joint, now);
      for (const Equation& equation : joint.equations) {
        position_error = std::max(position_error, std::abs(equation.value(at, state.time, 1.0, state.internal)));
        velocity_error = std::max(velocity_error, std::abs(equation.gradient(at, state.time).dot(velocity)));
      }
    }
  });
  EXPECT_LT(position_error, round_off);
  EXPECT_LT(velocity_error, projected);
}

// Protects: rotations stay rotations over many steps.
TEST(TimeStepper, rotations_do_not_drift) {
  constexpr double round_off = 1e-15;
  Simulation simulation(chain_in_world(Pose{}));
  simulation.run(1e-3, 1000);
  for (const Pose& pose : simulation.state().pose)
    EXPECT_LT((pose.R.transpose() * pose.R - Mat3::Identity()).norm(), 3.0 * round_off);
}

// Protects: accelerations and reactions at an instant are those that a short step finds.
TEST(TimeStepper, short_steps_agree_with_instantaneous_accelerations) {
  Simulation simulation(chain_in_world(Pose{}));
  std::vector<Vec6> rate(3);
  std::vector<double> multipliers(simulation.model().n_multipliers);
  ASSERT_TRUE(simulation.stepper().accelerate(rate, multipliers));
  const std::vector<Vec6> before = simulation.state().twist;
  const auto difference = [&](double dt) {
    Simulation step(chain_in_world(Pose{}));
    step.run(dt, 1);
    double largest = 0.0;
    for (int n = 0; n < 3; ++n)
      largest = std::max(largest, ((step.state().twist[n] - before[n]) / dt - rate[n]).norm());
    for (int e = 0; e < simulation.model().n_equations; ++e)
      largest = std::max(largest, std::abs(step.state().multiplier[e] - multipliers[e]));
    return largest;
  };
  // The means over a step differ from the values at its start by O(dt).
  constexpr double around = 0.1;
  EXPECT_NEAR(order(difference(2e-4), difference(1e-4)), 1.0, around);
}

// Protects: a step that is refused leaves no trace.
TEST(TimeStepper, refused_step_changes_nothing) {
  Simulation simulation(chain_in_world(Pose{}));
  Simulation other(chain_in_world(Pose{}));
  simulation.run(2e-3, 10);
  other.run(2e-3, 10);
  const State before = simulation.state();
  const StepReport refused = simulation.stepper().step(2e-2, [](const StepReport&) { return false; });
  EXPECT_EQ(refused.outcome, StepReport::Outcome::too_inaccurate);
  EXPECT_EQ(simulation.state().time, before.time);
  EXPECT_EQ(simulation.state().pose[2].x, before.pose[2].x);
  simulation.run(2e-3, 10);
  other.run(2e-3, 10);
  constexpr double newton = 1e-12;  // the factorisation that Newton's method happens to use differs
  EXPECT_LT((simulation.state().pose[2].x - other.state().pose[2].x).norm(), newton);
}

// Protects: a step that is refused for its error names the body whose motion is least exact.
TEST(TimeStepper, refused_step_names_the_body) {
  for (const std::string fast : {"first", "second"}) {
    const auto pendulum = [&](const std::string& name) {
      return "  " + name + ": {rigid: {mass: 1 kg, inertia: [1, 1, 1], at: [1, 0, 0], angular-velocity: [0, 0, " +
             (name == fast ? "10" : "0.1") + "]}}\n";
    };
    Simulation simulation("freeplay: 1\ngravity: [0, -9.81, 0]\nbodies:\n" + pendulum("first") + pendulum("second") +
                          "joints:\n"
                          "  a: {revolute: {between: [ground, first], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                          "  b: {revolute: {between: [ground, second], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
                          "analysis: {dynamic: {end: 1 s}}\n");
    simulation.run(1e-3, 5);
    const StepReport refused = simulation.stepper().step(1e-2, [](const StepReport&) { return false; });
    EXPECT_EQ(refused.place, "body '" + fast + "'");
  }
}

// Protects: a body that turns by more than the Cayley map can take in one step is reported by name.
TEST(TimeStepper, too_much_rotation_is_refused_and_named) {
  Simulation simulation(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, angular-velocity: [0, 0, 100], free: true}}}
analysis: {dynamic: {end: 1}}
)yaml");
  const StepReport report = simulation.stepper().step(0.05);
  EXPECT_EQ(report.outcome, StepReport::Outcome::too_much_rotation);
  EXPECT_NE(report.place.find("wheel"), std::string::npos);
  EXPECT_EQ(simulation.state().time, 0.0);
}

// Protects: a step after which the joints ask for a motion of another size than it was is refused: here the drive turns
// the wheel by 0.001 rad in the step, but its rate at the end is 5 rad/s.
TEST(TimeStepper, velocities_that_the_projection_would_make_up_are_refused) {
  Simulation simulation(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 1, at: [0, 0, 0]}}}
joints:
  axle: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "0.001*(1+tanh((t-0.01)/0.0002))"}}}
analysis: {dynamic: {end: 1}}
)yaml");
  const StepReport report = simulation.stepper().step(0.01);
  EXPECT_EQ(report.outcome, StepReport::Outcome::projection_failed);
  EXPECT_EQ(report.place, "joint 'axle'");
  EXPECT_TRUE(simulation.stepper().step(1e-5).accepted());
}

// Protects: a free rigid body turns as Euler's equations say: second order against a fine solution.
TEST(TimeStepper, free_body_tumbles_with_order_two) {
  const auto final_rotation = [](double dt) {
    Simulation simulation(R"yaml(freeplay: 1
bodies: {brick: {rigid: {mass: 1, inertia: [0.1, 0.2, 0.25], angular-velocity: [0.1, 5, 0.2], free: true}}}
analysis: {dynamic: {end: 1}}
)yaml");
    simulation.run(dt, static_cast<int>(std::lround(1.0 / dt)));
    return simulation.state().pose[0].R;
  };
  constexpr double around = 0.05;
  const Mat3 coarse = final_rotation(1e-2), middle = final_rotation(5e-3), fine = final_rotation(2.5e-3);
  EXPECT_NEAR(order((coarse - middle).norm(), (middle - fine).norm()), 2.0, around);
}

}  // namespace
}  // namespace freeplay
