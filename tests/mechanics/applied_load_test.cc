#include "freeplay/mechanics/applied_load.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/element_testing.h"

namespace freeplay {
namespace {

constexpr double finite_step = 0.8;
constexpr double round_off = 1e-13;  // loads of size 3 on arms of size 3
constexpr int n_samples = 10;

class Ramp : public TimeFunction::Implementation {
 public:
  Ramp(double value, double rate) : value_(value), rate_(rate) {}
  Jet at(double t) const override { return {value_ + rate_ * t, rate_, 0.0}; }

 private:
  double value_, rate_;
};

TimeFunction ramp(double value, double rate) { return {std::make_shared<Ramp>(value, rate), {}, "ramp"}; }

struct LoadCase {
  AppliedLoad::Kind kind;
  bool following;
  const char* name;
};

class AppliedLoads : public testing::TestWithParam<LoadCase> {
 protected:
  AppliedLoad load(const Frame& on) const {
    return {"F", GetParam().kind, on, {ramp(1.0, 3.0), ramp(-2.0, 0.0), ramp(0.5, -7.0)}, GetParam().following};
  }
  bool is_force() const { return GetParam().kind == AppliedLoad::Kind::force; }
  Random random_{41};
};

// Protects: the ledger: the work it counts is the work that the forces do, for finite rotations.
TEST_P(AppliedLoads, work_is_what_the_forces_do) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const AppliedLoad element = load(random_frame(1, random_));
    const Motion motion = random_motion(2, finite_step, random_);
    const StepWork work = element.work(motion, {});
    EXPECT_NEAR(work_of_forces(element, motion), -work.load_work, round_off);
    EXPECT_EQ(work.damping_loss, 0.0);
    EXPECT_EQ(work.numerical_loss, 0.0);
  }
}

// Protects: Newton's method: following loads and arms of forces turn with the body.
TEST_P(AppliedLoads, tangent_matches_finite_differences) {
  for (int sample = 0; sample < n_samples; ++sample)
    expect_tangent(load(random_frame(1, random_)), random_motion(2, finite_step, random_), {}, 3.0);
}

// Protects: size, direction and point of application; constant over the step, mean in time.
TEST_P(AppliedLoads, acts_with_its_mean_at_its_place) {
  Random random(42);
  const Frame on = random_frame(1, random);
  Motion motion = random_motion(2, finite_step, random);
  motion.nodes[1] = {motion.nodes[1].start};
  const double middle = motion.mid_time();
  const Vec3 components(1.0 + 3.0 * middle, -2.0, 0.5 - 7.0 * middle);
  const Mat3& R = motion.nodes[1].start.R;
  const Vec3 expected = GetParam().following ? Vec3(R * components) : components;
  const std::vector<Vec6> forces = forces_of(load(on), motion);
  EXPECT_EQ(forces[0], Vec6(Vec6::Zero()));
  const Vec3 force = is_force() ? expected : Vec3(Vec3::Zero());
  const Vec3 moment = is_force() ? Vec3((R * on.offset).cross(expected)) : expected;
  EXPECT_LT((forces[1].head<3>() + force).norm(), round_off);
  EXPECT_LT((forces[1].tail<3>() + moment).norm(), round_off);
}

// Protects: statics: while the clock stands, the load has its value at this time.
TEST_P(AppliedLoads, has_its_value_at_the_time_when_the_clock_stands) {
  const AppliedLoad element = load({0});
  Motion motion = random_motion(1, finite_step, random_);
  motion.nodes[0] = {Pose{motion.nodes[0].start.x, Mat3::Identity()}};
  motion.passed = 0.0;
  const Vec3 expected(1.0 + 3.0 * motion.time, -2.0, 0.5 - 7.0 * motion.time);
  const std::vector<double> values = evaluated(element, motion);
  EXPECT_LT((Vec3::Map(values.data()) - expected).norm(), round_off);
}

INSTANTIATE_TEST_SUITE_P(Loads, AppliedLoads,
                         testing::Values(LoadCase{AppliedLoad::Kind::force, false, "force"},
                                         LoadCase{AppliedLoad::Kind::force, true, "following_force"},
                                         LoadCase{AppliedLoad::Kind::torque, false, "torque"},
                                         LoadCase{AppliedLoad::Kind::torque, true, "following_torque"}),
                         [](const auto& info) { return std::string(info.param.name); });

// Protects: a following load is objective, an inertial one keeps its direction.
TEST(AppliedLoad, following_load_turns_with_the_world) {
  Random random(43);
  const Pose world{random.vector(100.0), random.rotation()};
  const Motion motion = random_motion(1, finite_step, random);
  for (const auto kind : {AppliedLoad::Kind::force, AppliedLoad::Kind::torque}) {
    const AppliedLoad load("F", kind, random_frame(0, random), {1.0, -2.0, 0.5}, true);
    expect_objective(load, load, world, motion, {}, 10.0 * round_off);
  }
}

// Protects: steps end at the corners of load tables.
TEST(AppliedLoad, has_the_corners_of_its_components) {
  const TimeFunction table(std::make_shared<Ramp>(0.0, 1.0), {0.5, 1.0}, "table");
  const AppliedLoad load("F", AppliedLoad::Kind::force, {0}, {TimeFunction(1.0), table, table}, false);
  EXPECT_EQ(load.corners(), (std::vector<double>{0.5, 1.0, 0.5, 1.0}));
}

}  // namespace
}  // namespace freeplay
