#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/mechanics/spring.h"
#include "mechanics/element_testing.h"

namespace freeplay {
namespace {

constexpr double finite_step = 0.4;
constexpr double round_off = 1e-12;      // stresses and energies of size 10 to 100
constexpr double round_off_far = 1e-10;  // the same, 100 m from the origin
constexpr int n_samples = 10;

const Vec6 stiffness = (Vec6() << 3.0, 5.0, 7.0, 2.0, 1.0, 4.0).finished();
const Vec6 damping = (Vec6() << 0.3, 0.5, 0.1, 0.2, 0.4, 0.6).finished();

/// Strains at one of the poses of the step: the stress of a bushing of unit stiffness.
template <class Which>
Vec6 strain_at(const Frame& a, const Frame& b, const Motion& motion, Which pose) {
  const std::vector<double> values =
      evaluated(Bushing("unit", a, b, Vec6::Ones(), Vec6::Zero()), instant_at(motion, pose));
  return Vec6::Map(values.data());
}

class BushingTest : public testing::Test {
 protected:
  template <class Check>
  void for_random_steps(Check&& check) {
    for (int sample = 0; sample < n_samples; ++sample)
      for (const auto& [node_a, node_b] : node_pairs()) {
        const Frame a = random_frame(node_a, random_);
        const Frame b = random_frame(node_b, random_);
        check(Bushing("b", a, b, stiffness, damping), random_motion(2, finite_step, random_), a, b);
      }
  }
  Random random_{31};
};

// Protects: the balance part of the energy law: forces do the work S_g . (E_f - E_i) with S_g = C (E_f + E_j)/2.
TEST_F(BushingTest, work_of_forces_is_stress_times_change_of_strain) {
  for_random_steps([&](const Bushing& bushing, const Motion& motion, const Frame& a, const Frame& b) {
    const Vec6 start = strain_at(a, b, motion, &NodeMotion::start);
    const Vec6 jump = strain_at(a, b, motion, &NodeMotion::jump);
    const Vec6 end = strain_at(a, b, motion, &NodeMotion::end);
    const Vec6 mean_stress = 0.5 * stiffness.cwiseProduct(end + jump);
    const StepWork work = bushing.work(motion, {});
    EXPECT_NEAR(work_of_forces(bushing, motion), mean_stress.dot(end - start) + work.damping_loss, round_off);
    EXPECT_NEAR(work.damping_loss, damping.cwiseProduct(end - start).dot(end - start) / motion.dt, round_off);
    EXPECT_NEAR(work.numerical_loss, 0.5 * motion.alpha * stiffness.cwiseProduct(jump - start).dot(jump - start),
                round_off);
    EXPECT_GE(work.damping_loss, 0.0);
    EXPECT_GE(work.numerical_loss, 0.0);
    EXPECT_NEAR(bushing.stored_energy(motion, {}), 0.5 * stiffness.cwiseProduct(start).dot(start), round_off);
  });
}

// Protects: the jump part of the energy law: C [(E_f - E_i) - alpha (E_j - E_i)] . (E_j - E_i) along xi_h.
TEST_F(BushingTest, work_of_jump_forces_is_exact) {
  for_random_steps([&](const Bushing& bushing, const Motion& motion, const Frame& a, const Frame& b) {
    const Vec6 start = strain_at(a, b, motion, &NodeMotion::start);
    const Vec6 jump = strain_at(a, b, motion, &NodeMotion::jump) - start;
    const Vec6 change = strain_at(a, b, motion, &NodeMotion::end) - start;
    const std::vector<Vec6> forces = jump_forces_of(bushing, motion);
    double work = 0.0;
    for (std::size_t n = 0; n < forces.size(); ++n)
      work += forces[n].dot(step_twist(motion.nodes[n].start, motion.nodes[n].jump()));
    EXPECT_NEAR(work, stiffness.cwiseProduct(change - motion.alpha * jump).dot(jump), round_off);
  });
}

// Protects: Newton's method: all four blocks, balance and jump by end and jump.
TEST_F(BushingTest, tangents_match_finite_differences) {
  constexpr double size = 1e2;  // forces of this size, dampers over dt = 0.07 included
  for_random_steps(
      [&](const Bushing& bushing, const Motion& motion, const auto&...) { expect_tangent(bushing, motion, {}, size); });
}

// Protects: momenta of bodies that are joined by bushings.
TEST_F(BushingTest, action_equals_reaction) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const Bushing bushing("b", random_frame(0, random_), random_frame(1, random_), stiffness, damping);
    expect_action_equals_reaction(bushing, random_motion(2, finite_step, random_), {}, round_off);
  }
}

// Protects: strains and jumps are blind to rigid motion: what makes the scheme not damp it.
TEST_F(BushingTest, rigid_motion_of_the_world_changes_nothing) {
  const Pose world{random_.vector(100.0), random_.rotation()};
  for_random_steps([&](const Bushing& bushing, const Motion& motion, const Frame& a, const Frame& b) {
    const Bushing in_world("b", carried(world, a), carried(world, b), stiffness, damping);
    expect_objective(bushing, in_world, world, motion, {}, round_off_far);
  });
}

// Protects: meaning and sign of the reported forces: components in the axes of the first frame, half sines of rotation.
TEST_F(BushingTest, reports_forces_of_simple_deformations) {
  const Mat3 axes = random_.rotation();
  const Bushing bushing("b", {ground, Vec3::Zero(), axes}, {0, Vec3::Zero(), axes}, stiffness, Vec6::Zero());
  Motion motion;
  motion.nodes.resize(1);
  motion.velocity.assign(1, Vec6::Zero());
  const Vec3 shift(0.1, -0.2, 0.3);
  motion.nodes[0].start.x = axes * shift;
  std::vector<double> values = evaluated(bushing, instant_at(motion, &NodeMotion::start));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(values[k], stiffness[k] * shift[k], round_off);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(values[k], 0.0, round_off);
  motion.nodes[0].start.x.setZero();
  for (int k = 0; k < 3; ++k) {
    const double angle = 0.7;
    motion.nodes[0].start.R = Eigen::AngleAxisd(angle, axes.col(k)).toRotationMatrix();
    const Motion now = instant_at(motion, &NodeMotion::start);
    values = evaluated(bushing, now);
    for (int component = 0; component < 6; ++component) {
      const double expected = component == 3 + k ? stiffness[component] * std::sin(angle) : 0.0;
      EXPECT_NEAR(values[component], expected, round_off);
    }
    // The resisting moment on the body has the sign of the rotation.
    EXPECT_GT(axes.col(k).dot(forces_of(bushing, now)[0].tail<3>()), 0.0);
  }
}

// Protects: dampers in output at an instant: the rate of strain from the velocities is the limit of small steps.
TEST_F(BushingTest, damping_at_an_instant_is_the_limit_of_short_steps) {
  const Bushing bushing("b", random_frame(0, random_), random_frame(1, random_), Vec6::Zero(), damping);
  Motion motion = random_motion(2, finite_step, random_);
  const double short_time = 1e-7;
  motion.dt = short_time;
  for (std::size_t n = 0; n < 2; ++n) {
    motion.nodes[n].set_end(varied(motion.nodes[n].start, short_time * motion.velocity[n]));
    motion.nodes[n].to_jump = motion.nodes[n].to_end;
  }
  const std::vector<double> over_step = evaluated(bushing, motion);
  const std::vector<double> now = evaluated(bushing, instant_at(motion, &NodeMotion::start));
  constexpr double first_order = 1e-6;  // 10 short_time
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(over_step[k], now[k], first_order);
}

}  // namespace
}  // namespace freeplay
