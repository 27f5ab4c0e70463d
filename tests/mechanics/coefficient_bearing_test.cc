#include "freeplay/mechanics/coefficient_bearing.h"

#include <gtest/gtest.h>

#include "mechanics/element_testing.h"

namespace freeplay {
namespace {

constexpr double finite_step = 0.4;      // twists up to 0.4 m and 0.4 rad per component: far from small
constexpr double round_off = 1e-12;      // forces and energies of size 1 to 100
constexpr double round_off_far = 1e-10;  // the same, 100 m from the origin
constexpr int n_samples = 10;

BearingCoefficients coefficients(double speed, double kxx, double kxy, double kyx, double kyy) {
  BearingCoefficients result;
  result.speed = speed;
  result.stiffness << kxx, kxy, kyx, kyy;
  result.damping << 0.3 + 0.01 * speed, 0.05, -0.02, 0.2;
  return result;
}

const std::vector<BearingCoefficients> table{coefficients(0.0, 3, 1, -2, 5), coefficients(2.0, 4, 3, -1, 2),
                                             coefficients(10.0, 1, 5, -5, 1)};

class CoefficientBearingTest : public testing::Test {
 protected:
  /// Calls `check(bearing, motion, internal, a, b)` for random steps, at speeds within and beyond the table.
  template <class Check>
  void for_random_steps(Check&& check) {
    for (int sample = 0; sample < n_samples; ++sample)
      for (const auto& [node_a, node_b] : node_pairs()) {
        const Frame a = random_frame(node_a, random_), b = random_frame(node_b, random_);
        const CoefficientBearing bearing("b", a, b, table, std::nullopt);
        const Motion motion = random_motion(2, finite_step, random_);
        std::vector<double> internal = initial_internal(bearing, motion);
        internal[0] = -1.0 + 1.3 * sample;
        check(bearing, motion, internal, a, b);
      }
  }
  Random random_{31};
};

// Protects: the energy ledger. Forces store, dissipate and take from outside exactly what it says, also where the
// coefficients change with the speed.
TEST_F(CoefficientBearingTest, work_is_exactly_that_of_the_ledger) {
  for_random_steps([&](const CoefficientBearing& bearing, const Motion& motion, const auto& internal, const auto&...) {
    const StepWork work = bearing.work(motion, internal);
    EXPECT_EQ(work.numerical_loss, 0.0);
    EXPECT_NEAR(work_of_forces(bearing, motion, internal),
                stored_energy_change(bearing, motion, internal) + work.damping_loss - work.load_work, round_off);
  });
}

// Protects: Newton's method.
TEST_F(CoefficientBearingTest, tangents_match_finite_differences) {
  constexpr double size = 1e2;  // forces of this size
  for_random_steps([&](const CoefficientBearing& bearing, const Motion& motion, const auto& internal, const auto&...) {
    expect_tangent(bearing, motion, internal, size);
  });
}

// Protects: momenta, and that the law knows no place or direction of the world.
TEST_F(CoefficientBearingTest, action_equals_reaction_in_any_world) {
  const Pose world{random_.vector(100.0), random_.rotation()};
  for_random_steps([&](const CoefficientBearing& bearing, const Motion& motion, const auto& internal, const Frame& a,
                       const Frame& b) {
    if (a.node != ground && b.node != ground) expect_action_equals_reaction(bearing, motion, internal, round_off);
    const CoefficientBearing in_world("b", carried(world, a), carried(world, b), table, std::nullopt);
    expect_objective(bearing, in_world, world, motion, internal, round_off_far);
  });
}

// Protects: a whirl without damping. On a circle of radius r the cross-coupling q = (kxy - kyx)/2 puts 2 pi r^2 q into
// the journal with every turn, and the ledger calls that load work.
TEST_F(CoefficientBearingTest, cross_coupling_feeds_forward_whirl) {
  constexpr double q = 7.0, r = 0.02;
  BearingCoefficients film;
  film.stiffness << 100.0, q, -q, 100.0;
  const CoefficientBearing bearing("b", {ground, Vec3::Zero(), Mat3::Identity()}, {0, Vec3::Zero(), Mat3::Identity()},
                                   {film}, std::nullopt);
  constexpr int n = 400;
  constexpr double pi = 3.14159265358979323846, angle_of_step = 2.0 * pi / n;
  double work = 0.0;
  for (int k = 0; k < n; ++k) {
    Motion motion;
    motion.dt = motion.passed = 0.1;
    const auto at = [&](int step) {
      return Pose{Vec3(r * std::cos(angle_of_step * step), r * std::sin(angle_of_step * step), 0.0)};
    };
    motion.nodes.push_back({at(k)});
    motion.nodes[0].set_end(at(k + 1));
    motion.velocity.push_back(Vec6::Zero());
    const std::vector<double> internal(bearing.n_internal(), 0.0);
    work += bearing.work(motion, internal).load_work;
    EXPECT_EQ(bearing.work(motion, internal).damping_loss, 0.0);
  }
  constexpr double of_the_polygon = 1e-4;  // its area is that of the circle times 1 - (2 pi/n)^2/6
  EXPECT_NEAR(work, 2.0 * pi * r * r * q, of_the_polygon * 2.0 * pi * r * r * q);
}

// Protects: linear between the speeds of the table, constant beyond it; a given speed counts instead.
TEST_F(CoefficientBearingTest, coefficients_over_speed) {
  const Frame frame{0, Vec3::Zero(), Mat3::Identity()}, other{1, Vec3::Zero(), Mat3::Identity()};
  const CoefficientBearing bearing("b", frame, other, table, std::nullopt);
  EXPECT_EQ(bearing.at(-5.0).stiffness, table[0].stiffness);
  EXPECT_EQ(bearing.at(99.0).stiffness, table[2].stiffness);
  EXPECT_DOUBLE_EQ(bearing.at(1.0).stiffness(0, 1), 2.0);
  EXPECT_DOUBLE_EQ(bearing.at(6.0).damping(0, 0), 0.36);
  EXPECT_DOUBLE_EQ(CoefficientBearing("b", frame, other, table, 2.0).at(9.0).stiffness(0, 0), 4.0);
}

// Protects: the speed that counts in a step is that of its middle to second order: a journal whose speed rises evenly
// is known exactly from its third step on.
TEST_F(CoefficientBearingTest, knows_the_speed_of_the_journal) {
  constexpr double rise = 3.0, dt = 0.01, start = 5.0;
  const CoefficientBearing bearing("b", {ground, Vec3::Zero(), Mat3::Identity()}, {0, Vec3::Zero(), Mat3::Identity()},
                                   table, std::nullopt);
  std::vector<double> internal(bearing.n_internal(), 0.0);
  const auto angle = [&](double t) { return start * t + 0.5 * rise * t * t; };
  for (int k = 0; k < 5; ++k) {
    const double t = k * dt;
    Motion motion;
    motion.dt = motion.passed = dt;
    const auto pose = [&](double time) {
      return Pose{Vec3::Zero(), Eigen::AngleAxisd(angle(time), Vec3::UnitZ()).toRotationMatrix()};
    };
    motion.nodes.push_back({pose(t)});
    motion.nodes[0].set_end(pose(t + dt));
    motion.velocity.push_back(Vec6::Zero());
    if (k >= 2) {
      EXPECT_NEAR(evaluated(bearing, motion, internal)[4], start + rise * (t + 0.5 * dt), 1e-9);
    }
    bearing.advance(motion, internal);
  }
}

}  // namespace
}  // namespace freeplay
