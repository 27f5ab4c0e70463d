#include "freeplay/mechanics/spring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "mechanics/element_testing.h"

namespace freeplay {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double finite_step = 0.4;      // twists up to 0.4 m and 0.4 rad per component: far from small
constexpr double round_off = 1e-13;      // forces and energies of size 1 to 10
constexpr double round_off_far = 1e-11;  // the same, 100 m from the origin
constexpr int n_samples = 10;

const PiecewiseLinear linear_law(3.0);
const PiecewiseLinear table_law(std::vector<std::array<double, 2>>{{-0.3, -2.0}, {0.0, 0.0}, {0.2, 0.5}, {0.4, 3.0}});

enum class Kind { translational, torsional };
struct SpringCase {
  Kind kind;
  PiecewiseLinear law;
  double damping;
  const char* name;
};

std::unique_ptr<ForceElement> make_spring(const SpringCase& c, const Frame& a, const Frame& b) {
  if (c.kind == Kind::translational) return std::make_unique<TranslationalSpring>("s", a, b, c.law, c.damping, 2.0);
  return std::make_unique<TorsionalSpring>("s", a, b, c.law, c.damping, 0.2);
}

class ScalarSprings : public testing::TestWithParam<SpringCase> {
 protected:
  /// Calls `check(spring, motion, internal, a, b)` for random steps of springs between all kinds of places.
  template <class Check>
  void for_random_steps(Check&& check) {
    for (int sample = 0; sample < n_samples; ++sample)
      for (const auto& [node_a, node_b] : node_pairs()) {
        const Frame a = random_frame(node_a, random_);
        const Frame b = random_frame(node_b, random_);
        const auto spring = make_spring(GetParam(), a, b);
        const Motion motion = random_motion(2, finite_step, random_);
        const std::vector<double> internal = initial_internal(*spring, motion);
        check(*spring, motion, internal, a, b);
      }
  }
  Random random_{21};
};

// Protects: the energy ledger: forces return exactly what was stored and dissipate exactly what the ledger says.
TEST_P(ScalarSprings, work_is_exactly_stored_energy_and_damping) {
  for_random_steps([&](const ForceElement& spring, const Motion& motion, const auto& internal, const auto&...) {
    const StepWork work = spring.work(motion, internal);
    EXPECT_GE(work.damping_loss, 0.0);
    EXPECT_EQ(work.load_work, 0.0);
    EXPECT_EQ(work.numerical_loss, 0.0);
    EXPECT_NEAR(work_of_forces(spring, motion, internal),
                stored_energy_change(spring, motion, internal) + work.damping_loss,
                round_off * (1.0 + work.damping_loss));
  });
}

// Protects: Newton's method in every model with springs.
TEST_P(ScalarSprings, tangent_matches_finite_differences) {
  // Tables have kinks and dampers are divided by dt = 0.07: their forces are up to 100 and vary on shorter lengths.
  constexpr double size = 1e3;
  for_random_steps([&](const ForceElement& spring, const Motion& motion, const auto& internal, const auto&...) {
    expect_tangent(spring, motion, internal, size);
  });
}

// Protects: momenta: a spring between two bodies pulls on both alike.
TEST_P(ScalarSprings, action_equals_reaction) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const auto spring = make_spring(GetParam(), random_frame(0, random_), random_frame(1, random_));
    const Motion motion = random_motion(2, finite_step, random_);
    expect_action_equals_reaction(*spring, motion, initial_internal(*spring, motion), 10.0 * round_off);
  }
}

// Protects: objectivity of springs, also at places far from the origin.
TEST_P(ScalarSprings, rigid_motion_of_the_world_changes_nothing) {
  const Pose world{random_.vector(100.0), random_.rotation()};
  for_random_steps(
      [&](const ForceElement& spring, const Motion& motion, const auto& internal, const Frame& a, const Frame& b) {
        const auto in_world = make_spring(GetParam(), carried(world, a), carried(world, b));
        expect_objective(spring, *in_world, world, motion, internal, 30.0 * round_off_far);
      });
}

INSTANTIATE_TEST_SUITE_P(Springs, ScalarSprings,
                         testing::Values(SpringCase{Kind::translational, linear_law, 0.0, "translational"},
                                         SpringCase{Kind::translational, linear_law, 0.8, "translational_damped"},
                                         SpringCase{Kind::translational, table_law, 0.8, "translational_table"},
                                         SpringCase{Kind::torsional, linear_law, 0.0, "torsional"},
                                         SpringCase{Kind::torsional, linear_law, 0.8, "torsional_damped"},
                                         SpringCase{Kind::torsional, table_law, 0.8, "torsional_table"}),
                         [](const auto& info) { return std::string(info.param.name); });

/// A node whose frame b slides along x from ground.
Motion sliding(double start, double end) {
  Motion motion;
  motion.dt = motion.passed = 0.1;
  Pose at_start, at_end;
  at_start.x.x() = start;
  at_end.x.x() = end;
  motion.nodes.push_back({at_start});
  motion.nodes.back().set_end(at_end);
  motion.velocity.push_back(Vec6::Zero());
  return motion;
}

// Protects: sign and size of a spring's force in the history: positive pulls.
TEST(TranslationalSpring, reports_length_and_pulling_force) {
  const TranslationalSpring spring("s", {ground}, {0}, linear_law, 0.5, 1.0);
  Motion motion = instant_at(sliding(1.4, 1.4), &NodeMotion::start);
  motion.velocity[0] << 2.0, 7.0, 0.0, 0.0, 0.0, 0.0;
  const std::vector<double> values = evaluated(spring, motion);
  EXPECT_NEAR(values[0], 1.4, round_off);
  EXPECT_NEAR(values[1], 3.0 * 0.4 + 0.5 * 2.0, round_off);
  EXPECT_NEAR(forces_of(spring, motion)[0].x(), values[1], round_off);  // resists the stretch
  EXPECT_NEAR(spring.stored_energy(motion, {}), 0.5 * 3.0 * 0.4 * 0.4, round_off);
}

// Protects: a table is force over elongation, continued beyond its ends.
TEST(TranslationalSpring, follows_its_table) {
  const TranslationalSpring spring("s", {ground}, {0}, table_law, 0.0, 1.0);
  for (const auto& [length, force] :
       {std::pair(1.1, 0.25), std::pair(1.4, 3.0), std::pair(1.6, 5.5), std::pair(0.85, -1.0), std::pair(0.4, -4.0)}) {
    const Motion motion = instant_at(sliding(length, length), &NodeMotion::start);
    EXPECT_NEAR(evaluated(spring, motion)[1], force, round_off);
  }
}

// Protects: a spring whose ends meet, with and without a free length, gives finite forces and tangents: no NaN.
TEST(TranslationalSpring, zero_length_is_finite) {
  for (const double free_length : {0.0, 0.3})
    for (const auto& [start, end] : {std::pair(0.0, 0.0), std::pair(0.0, 0.1), std::pair(0.1, 0.0)}) {
      const TranslationalSpring spring("s", {ground}, {0}, PiecewiseLinear(1e3), 5.0, free_length);
      for (const bool instant : {false, true}) {
        Motion motion = sliding(start, end);
        if (instant) motion = instant_at(motion, &NodeMotion::start);
        EXPECT_TRUE(forces_of(spring, motion)[0].allFinite()) << start << " to " << end;
        if (instant) continue;
        DenseSink sink(1);
        spring.add_tangent(motion, {}, sink);
        EXPECT_TRUE(sink.matrix().allFinite()) << start << " to " << end << ", free length " << free_length;
      }
    }
}

// Protects: a spring without free length pulls to the centre as a linear spring in all directions, from rest there too.
TEST(TranslationalSpring, without_free_length_has_the_stiffness_of_a_linear_spring_at_zero_length) {
  const TranslationalSpring spring("s", {ground}, {0}, PiecewiseLinear(1e3), 0.0, 0.0);
  DenseSink sink(1);
  spring.add_tangent(sliding(0.0, 0.0), {}, sink);
  // The force is k (x_i + x_f)/2.
  EXPECT_LT((sink.matrix().topLeftCorner<3, 3>() - 500.0 * Mat3::Identity()).norm(), 500.0 * round_off);
}

/// A node that turns about z relative to ground.
Motion rotating(double start, double end) {
  Motion motion;
  motion.dt = motion.passed = 0.1;
  const Pose at_start{Vec3::Zero(), Eigen::AngleAxisd(start, Vec3::UnitZ()).toRotationMatrix()};
  const Pose at_end{Vec3::Zero(), Eigen::AngleAxisd(end, Vec3::UnitZ()).toRotationMatrix()};
  motion.nodes.push_back({at_start});
  motion.nodes.back().set_end(at_end);
  motion.velocity.push_back(Vec6::Zero());
  return motion;
}

// Protects: a torsional spring counts turns, forwards and backwards, and follows its law over all of them.
TEST(TorsionalSpring, counts_several_turns) {
  constexpr double step = 0.7;
  constexpr int n_steps = 30;  // 21 rad: more than three turns
  const PiecewiseLinear law(std::vector<std::array<double, 2>>{{-1.0, -2.0}, {0.0, 0.0}, {7.0, 14.0}, {10.0, 14.0}});
  const TorsionalSpring spring("k", {ground}, {0}, law, 0.0, 0.0);
  std::vector<double> internal = initial_internal(spring, rotating(0.0, 0.0));
  double work = 0.0;
  for (int k = 1; k <= 2 * n_steps; ++k) {
    const double before = step * (k <= n_steps ? k - 1 : 2 * n_steps - k + 1);
    const double after = step * (k <= n_steps ? k : 2 * n_steps - k);
    const Motion motion = rotating(before, after);
    work += work_of_forces(spring, motion, internal);
    spring.advance(motion, internal);
    const Motion now = instant_at(motion, &NodeMotion::end);
    const std::vector<double> values = evaluated(spring, now, internal);
    EXPECT_NEAR(values[0], after, 100.0 * round_off);
    EXPECT_NEAR(values[1], law.value(after), 1000.0 * round_off);
    EXPECT_NEAR(spring.stored_energy(now, internal), law.integral(0.0, after), 1e4 * round_off);
    EXPECT_NEAR(work, law.integral(0.0, after), 1e4 * round_off);
    // The moment resists: it acts on the node about z with the sign of the angle.
    EXPECT_NEAR(forces_of(spring, now, internal)[0][5], law.value(after), 1000.0 * round_off);
  }
}

// Protects: the work identity and the tangent on both sides of the switch to the series for tiny increments.
TEST(TorsionalSpring, tiny_and_small_increments_are_exact_too) {
  const TorsionalSpring spring("k", {ground}, {0}, linear_law, 0.5, 0.0);
  for (const double increment : {0.0, 1e-9, 0.9e-5, 1.1e-5, 1e-3}) {
    const Motion motion = rotating(1.0, 1.0 + increment);
    const std::vector<double> internal = initial_internal(spring, motion);
    EXPECT_NEAR(work_of_forces(spring, motion, internal),
                stored_energy_change(spring, motion, internal) + spring.work(motion, internal).damping_loss,
                1e-15);  // round-off of energies of size 1
    expect_tangent(spring, motion, internal, 10.0);
  }
}

// Protects: the damper of a torsional spring at an instant sees the relative angular velocity about the axis.
TEST(TorsionalSpring, reports_angle_and_moment) {
  const TorsionalSpring spring("k", {ground}, {0}, linear_law, 0.5, 0.3);
  Motion motion = instant_at(rotating(2.5, 2.5), &NodeMotion::start);
  motion.velocity[0] << 1.0, 2.0, 3.0, 0.0, 0.0, 4.0;
  const std::vector<double> values = evaluated(spring, motion, initial_internal(spring, motion));
  EXPECT_NEAR(values[0], 2.5, round_off);
  EXPECT_NEAR(values[1], 3.0 * 2.2 + 0.5 * 4.0, round_off);
}

// Protects: the angle keeps its meaning across half a turn, where atan2 jumps.
TEST(TorsionalSpring, does_not_jump_at_half_a_turn) {
  const TorsionalSpring spring("k", {ground}, {0}, linear_law, 0.0, 0.0);
  const Motion motion = rotating(pi - 0.1, pi + 0.1);
  std::vector<double> internal = initial_internal(spring, motion);
  spring.advance(motion, internal);
  EXPECT_NEAR(internal[0], pi + 0.1, round_off);
}

}  // namespace
}  // namespace freeplay
