#include "freeplay/mechanics/line_load.h"

#include <gtest/gtest.h>

#include "mechanics/element_testing.h"

namespace freeplay {
namespace {

constexpr double finite_step = 0.8;
constexpr double round_off = 1e-13;  // loads of size 3
constexpr int n_samples = 5;

class Ramp : public TimeFunction::Implementation {
 public:
  Ramp(double value, double rate) : value_(value), rate_(rate) {}
  Jet at(double t) const override { return {value_ + rate_ * t, rate_, 0.0}; }

 private:
  double value_, rate_;
};

TimeFunction ramp(double value, double rate) { return {std::make_shared<Ramp>(value, rate), {1.5}, "ramp"}; }

class LineLoads : public testing::TestWithParam<bool> {
 protected:
  /// Node 1 is a corner: it has two shares with different axes.
  LineLoad load() {
    return {"w",
            {{0, 0.2}, {1, 0.3}, {1, 0.5, random_.rotation()}, {2, 0.7}},
            {ramp(1.0, 3.0), ramp(-2.0, 0.0), ramp(0.5, -7.0)},
            {ramp(0.3, 0.0), ramp(0.0, 2.0), ramp(-1.0, 0.0)},
            GetParam()};
  }
  Random random_{51};
};

// Protects: the ledger: the work it counts is the work that the forces do, for finite rotations.
TEST_P(LineLoads, work_is_what_the_forces_do) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const LineLoad element = load();
    const Motion motion = random_motion(3, finite_step, random_);
    EXPECT_NEAR(work_of_forces(element, motion), -element.work(motion, {}).load_work, round_off);
  }
}

TEST_P(LineLoads, tangent_matches_finite_differences) {
  for (int sample = 0; sample < n_samples; ++sample)
    expect_tangent(load(), random_motion(3, finite_step, random_), {}, 3.0);
}

TEST_P(LineLoads, has_the_corners_of_its_components) { EXPECT_EQ(load().corners(), std::vector<double>(6, 1.5)); }

INSTANTIATE_TEST_SUITE_P(Axes, LineLoads, testing::Values(false, true),
                         [](const auto& info) { return std::string(info.param ? "following" : "ground"); });

// Protects: size and direction, section by section; the results are the sums.
TEST(LineLoad, acts_in_proportion_to_the_length) {
  Random random(52);
  Motion motion = random_motion(2, finite_step, random);
  for (NodeMotion& node : motion.nodes) node = {node.start};
  const Vec3 f(1.0, -2.0, 0.5), m(0.1, 0.2, -0.3);
  const Mat3 rotated = random.rotation();
  const std::vector<LineLoad::Share> shares{{0, 0.2}, {1, 0.3}, {1, 0.5, rotated}};
  const LineLoad dead("w", shares, {f[0], f[1], f[2]}, {m[0], m[1], m[2]}, false);
  const LineLoad following("w", shares, {f[0], f[1], f[2]}, {m[0], m[1], m[2]}, true);
  Vec6 expected;
  expected << 0.8 * f, 0.8 * m;
  EXPECT_LT((forces_of(dead, motion)[1] + expected).norm(), round_off);
  const Mat3 R = motion.nodes[1].start.R * (0.3 * Mat3::Identity() + 0.5 * rotated);
  expected << R * f, R * m;
  EXPECT_LT((forces_of(following, motion)[1] + expected).norm(), round_off);
  const std::vector<double> sums = evaluated(dead, motion);
  expected << f, m;
  EXPECT_LT((Vec6::Map(sums.data()) - expected).norm(), round_off);
}

// Protects: a following line load is objective.
TEST(LineLoad, following_load_turns_with_the_world) {
  Random random(53);
  const Pose world{random.vector(100.0), random.rotation()};
  const Motion motion = random_motion(2, finite_step, random);
  const LineLoad load("w", {{0, 0.4}, {1, 0.6, random.rotation()}}, {1.0, -2.0, 0.5}, {0.2, 0.0, 1.0}, true);
  expect_objective(load, load, world, motion, {}, 10.0 * round_off);
}

}  // namespace
}  // namespace freeplay
