#include "freeplay/mechanics/quadratic_form.h"

#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/mechanics/joint.h"
#include "mechanics/motion_testing.h"

namespace freeplay {
namespace {

using Kind = QuadraticTerm::Kind;

/// Every term there is, and sums of two of them.
std::vector<QuadraticForm> all_forms() {
  std::vector<QuadraticForm> forms;
  for (int i = 0; i < 3; ++i) {
    forms.push_back(QuadraticTerm{Kind::coordinate, i, 0, 1.3});
    forms.push_back(QuadraticTerm{Kind::offset, i, 0, -0.7});
    for (int j = 0; j < 3; ++j) forms.push_back(QuadraticTerm{Kind::dot, i, j, 0.9});
  }
  forms.push_back(QuadraticTerm{Kind::half_square, 0, 0, 1.1});
  forms.push_back({QuadraticTerm{Kind::dot, 2, 1, 0.5}, QuadraticTerm{Kind::dot, 1, 2, -0.5}});
  forms.push_back({QuadraticTerm{Kind::offset, 0, 0, 0.8}, QuadraticTerm{Kind::half_square, 0, 0, -0.4}});
  forms.push_back({QuadraticTerm{Kind::coordinate, 1, 0, 0.8}, QuadraticTerm{Kind::dot, 0, 1, -0.4}});
  return forms;
}

/// Two frames over one step: both on nodes, or one of them on ground.
struct Pair {
  Frame a, b;
  Motion motion;
  bool moves(int side) const { return (side == 0 ? a : b).node != ground; }
};

constexpr double large_step = 2.0;  // step twists up to 2 m and 2 rad per component

std::vector<Pair> all_pairs() {
  Random random(7);
  std::vector<Pair> pairs;
  for (const auto& [node_a, node_b] : {std::pair(0, 1), std::pair(1, 0), std::pair(ground, 0), std::pair(0, ground)})
    pairs.push_back({random_frame(node_a, random), random_frame(node_b, random), random_motion(2, large_step, random)});
  return pairs;
}

/// The pair at the start of its step with both nodes moved by small twelve-component motions.
std::array<FramePlace, 2> varied_places(const Pair& pair, const Vec12& variation) {
  std::array<FramePlace, 2> places;
  for (int side = 0; side < 2; ++side) {
    const Frame& frame = side == 0 ? pair.a : pair.b;
    if (frame.node == ground) {
      places[side] = place(frame, Pose{});
    } else {
      places[side] = place(frame, varied(pair.motion.nodes[frame.node].start, variation.segment<6>(6 * side)));
    }
  }
  return places;
}

/// The pair's step with its end moved by small twelve-component motions.
std::array<FrameMotion, 2> varied_ends(const Pair& pair, const Vec12& variation) {
  Motion motion = pair.motion;
  for (int side = 0; side < 2; ++side) {
    const int node = (side == 0 ? pair.a : pair.b).node;
    if (node != ground) motion.nodes[node].set_end(varied(motion.nodes[node].end(), variation.segment<6>(6 * side)));
  }
  return {motion(pair.a), motion(pair.b)};
}

// Protects: the forces of joints and springs are the derivatives of what they are derived from.
TEST(QuadraticForm, wrench_matches_finite_differences) {
  for (const Pair& pair : all_pairs()) {
    const FrameMotion A = pair.motion(pair.a);
    const FrameMotion B = pair.motion(pair.b);
    for (const QuadraticForm& form : all_forms()) {
      const Vec12 wrench = form.wrench(A.start, B.start, A.start.a);
      for (int k = 0; k < 12; ++k) {
        if (!pair.moves(k / 6)) continue;
        const double expected = derivative([&](double h) {
          const auto places = varied_places(pair, h * Vec12::Unit(k));
          return form.value(places[0], places[1], A.start.a);
        });
        EXPECT_NEAR(wrench[k], expected, finite_difference_tolerance);
      }
    }
  }
}

// Protects: the gradient that strains and accelerations use, by the vectors themselves.
TEST(QuadraticForm, gradient_matches_finite_differences) {
  const Pair pair = all_pairs().front();
  const FramePlace A = pair.motion(pair.a).start;
  const FramePlace B = pair.motion(pair.b).start;
  for (const QuadraticForm& form : all_forms()) {
    const QuadraticForm::Gradient gradient = form.gradient(A, B, A.a);
    for (int k = 0; k < 3; ++k) {
      const auto moved_points = [&](double h) {
        FramePlace moved_a = A, moved_b = B;
        moved_b.x[k] += 0.25 * h;
        moved_a.x[k] -= 0.75 * h;
        return form.value(moved_a, moved_b, A.a);
      };
      EXPECT_NEAR(gradient.x[k], derivative(moved_points), finite_difference_tolerance);
      for (int axis = 0; axis < 3; ++axis) {
        const auto changed_a = [&](double h) {
          FramePlace changed = A;
          changed.a(k, axis) += h;
          return form.value(changed, B, A.a);
        };
        const auto changed_b = [&](double h) {
          FramePlace changed = B;
          changed.a(k, axis) += h;
          return form.value(A, changed, A.a);
        };
        EXPECT_NEAR(gradient.a(k, axis), derivative(changed_a), finite_difference_tolerance);
        EXPECT_NEAR(gradient.b(k, axis), derivative(changed_b), finite_difference_tolerance);
      }
    }
  }
}

// Protects: the geometric stiffness of joints and springs.
TEST(QuadraticForm, tangent_of_mean_wrench_matches_finite_differences) {
  for (const Pair& pair : all_pairs()) {
    const FrameMotion A = pair.motion(pair.a);
    const FrameMotion B = pair.motion(pair.b);
    for (const QuadraticForm& form : all_forms()) {
      const Mat12 tangent = form.mid_wrench_tangent(A, B, A.start.a);
      for (int k = 0; k < 12; ++k) {
        if (!pair.moves(k / 6)) continue;
        const Vec12 expected = derivative([&](double h) -> Vec12 {
          const auto ends = varied_ends(pair, h * Vec12::Unit(k));
          return form.wrench(ends[0].mid, ends[1].mid, ends[0].start.a);
        });
        for (int row = 0; row < 12; ++row) {
          if (pair.moves(row / 6)) {
            EXPECT_NEAR(tangent(row, k), expected[row], finite_difference_tolerance);
          }
        }
      }
    }
  }
}

// Protects: constraints do no work and springs return what they took, for steps of any size: the whole energy law.
TEST(QuadraticForm, change_of_value_is_exactly_the_work_of_the_mean_wrench) {
  constexpr double round_off = 1e-13;  // values up to 50
  for (const Pair& pair : all_pairs()) {
    const FrameMotion A = pair.motion(pair.a);
    const FrameMotion B = pair.motion(pair.b);
    Vec12 displacements = Vec12::Zero();
    if (pair.moves(0)) displacements.head<6>() = displacement(pair.motion.nodes[pair.a.node]);
    if (pair.moves(1)) displacements.tail<6>() = displacement(pair.motion.nodes[pair.b.node]);
    for (const QuadraticForm& form : all_forms()) {
      const double change = form.value(A.end, B.end, A.start.a) - form.value(A.start, B.start, A.start.a);
      EXPECT_NEAR(form.wrench(A.mid, B.mid, A.start.a).dot(displacements), change, round_off);
    }
  }
}

// Protects: scaling a form scales everything that comes from it.
TEST(QuadraticForm, scaled_scales_all_terms) {
  constexpr double round_off = 1e-14;
  const Pair pair = all_pairs().front();
  const FramePlace A = pair.motion(pair.a).start;
  const FramePlace B = pair.motion(pair.b).start;
  for (const QuadraticForm& form : all_forms()) {
    EXPECT_DOUBLE_EQ(form.scaled(-3.0).value(A, B, A.a), -3.0 * form.value(A, B, A.a));
    EXPECT_TRUE(form.scaled(-3.0).wrench(A, B, A.a).isApprox(-3.0 * form.wrench(A, B, A.a), round_off));
  }
}

/// A frame that moves in time along a polynomial; its axes need not stay orthonormal, forms do not ask for that.
struct Path {
  FramePlace at, rate, second;

  explicit Path(Random& random) {
    for (FramePlace* part : {&at, &rate, &second}) {
      part->x = random.vector();
      part->r = Vec3::Zero();
      part->a << random.vector(), random.vector(), random.vector();
    }
  }
  FramePlace operator()(double t) const {
    return {at.x + t * rate.x + 0.5 * t * t * second.x, Vec3::Zero(), at.a + t * rate.a + 0.5 * t * t * second.a};
  }
};

constexpr double second_difference_tolerance = 1e-8;  // second_derivative() of quantities of size 1 to 10

// Protects: accelerations and the reactions that follow from them.
TEST(QuadraticForm, second_rate_matches_finite_differences_in_time) {
  Random random(3);
  const Path A(random), B(random);
  const Mat3 frozen = random.rotation();
  for (const QuadraticForm& form : all_forms()) {
    const double expected = second_derivative([&](double t) { return form.value(A(t), B(t), frozen); });
    EXPECT_NEAR(form.second_rate(A.at, B.at, A.rate, B.rate, A.second, B.second, frozen), expected,
                second_difference_tolerance);
  }
}

class Wave : public TimeFunction::Implementation {
 public:
  Jet at(double t) const override {
    return {2.0 + 0.5 * t + 0.4 * std::sin(3.0 * t), 0.5 + 1.2 * std::cos(3.0 * t), -3.6 * std::sin(3.0 * t)};
  }
};

std::vector<Equation> time_dependent_equations() {
  const TimeFunction wave(std::make_shared<Wave>(), {}, "wave");
  return {Equation::driven_angle(wave), Equation::driven_displacement(wave), Equation::distance(wave, true),
          Equation::distance(1.7, false), Equation(QuadraticTerm{Kind::offset, 1, 0, 1.0}, "plain", true)};
}

constexpr double now = 0.2;

JointMotion rest(const FramePlace& A, const FramePlace& B, const Mat3& frozen) {
  JointMotion at;
  at.places[0] = {A, A, A};
  at.places[1] = {B, B, B};
  at.frozen = frozen;
  return at;
}

// Protects: velocities of driven joints.
TEST(Equation, explicit_rate_matches_finite_differences) {
  Random random(4);
  const Path A(random), B(random);
  for (const Equation& equation : time_dependent_equations()) {
    const auto value = [&](double t) { return equation.value(rest(A.at, B.at, A.at.a), t, 1.0, {}); };
    EXPECT_NEAR(equation.explicit_rate(rest(A.at, B.at, A.at.a), now), derivative(value, now),
                finite_difference_tolerance)
        << equation.label();
  }
}

// Protects: accelerations and drive forces of driven joints.
TEST(Equation, explicit_second_rate_completes_the_second_derivative) {
  Random random(5);
  const Path A(random), B(random);
  for (const Equation& equation : time_dependent_equations()) {
    const auto value = [&](double t) { return equation.value(rest(A(t - now), B(t - now), A.at.a), t, 1.0, {}); };
    JointRates rates;
    rates.rate[0] = A.rate, rates.rate[1] = B.rate;
    rates.second[0] = A.second, rates.second[1] = B.second;
    const double second = equation.second_rate(rest(A.at, B.at, A.at.a), rates, now, 1.0, true);
    EXPECT_NEAR(second, second_derivative(value, now), second_difference_tolerance) << equation.label();
  }
}

// Protects: what the equations of drives mean: sin(theta - f), u . a_3 - f, and (|u|^2/f - f)/2.
TEST(Equation, driven_values_vanish_where_the_drive_wants_the_second_frame) {
  constexpr double round_off = 1e-14;
  Random random(6);
  const double f = Wave().at(now).value;
  const FramePlace A = place(random_frame(0, random), random_pose(random));
  const auto equations = time_dependent_equations();
  const auto value = [&](const Equation& equation, const FramePlace& B) {
    return equation.value(rest(A, B, A.a), now, 1.0, {});
  };
  FramePlace rotated = A;
  rotated.a = A.a * Eigen::AngleAxisd(f, Vec3::UnitZ()).toRotationMatrix();
  EXPECT_NEAR(value(equations[0], rotated), 0.0, round_off);
  rotated.a = A.a * Eigen::AngleAxisd(f + 0.1, Vec3::UnitZ()).toRotationMatrix();
  EXPECT_NEAR(value(equations[0], rotated), std::sin(0.1), round_off);
  FramePlace shifted = A;
  shifted.x = A.x + A.a * Vec3(0.3, -0.2, f + 0.1);
  EXPECT_NEAR(value(equations[1], shifted), 0.1, round_off);
  shifted.x = A.x + f * random.direction();
  EXPECT_NEAR(value(equations[2], shifted), 0.0, round_off);
  EXPECT_TRUE(equations[2].is_driven());
  EXPECT_FALSE(equations[3].is_driven());
}

}  // namespace
}  // namespace freeplay
