// The joint tester: every type of ideal joint in the registry passes all of these.

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "freeplay/mechanics/ideal_joint.h"
#include "mechanics/joint_freedom_testing.h"
#include "mechanics/motion_testing.h"

namespace freeplay {
namespace {

constexpr int n_samples = 10;
constexpr double round_off = 1e-14;  // values of equations between frames a few metres apart
constexpr double clear_violation =
    0.01;  // a forbidden motion by 0.1 changes some equation by 0.1 (sine) or 0.005 (cosine)
constexpr double forbidden_size = 0.2;
constexpr double independent = 0.01;  // smallest singular value of gradients of size 1: the distance from dependence

/// A joint whose two frames are in a position it allows, and the poses of its two nodes.
struct JointCase {
  Joint joint;
  Pose node_a, node_b;

  Pose node(int side) const { return side == 0 ? node_a : node_b; }
  FramePlace A() const { return place(joint.a, node_a); }
  FramePlace B() const { return place(joint.b, node_b); }
};

/// The pose of the second node that puts frame `b` at `relative` to the place `A`.
Pose node_at(const FramePlace& A, const Frame& b, const RelativePose& relative) {
  const Mat3 R = A.a * relative.R * b.axes.transpose();
  return {A.x + A.a * relative.u - R * b.offset, R};
}

JointCase random_case(const std::string& type, Random& random) {
  JointCase result{joint_of_type(type, random_frame(0, random), random_frame(1, random)), random_pose(random), {}};
  result.node_b = node_at(result.A(), result.joint.b, allowed_pose(type, random));
  return result;
}

/// From one position to another; the frames are parallel to A at the start.
JointMotion motion_between(const FramePlace& A, const FramePlace& B, const FramePlace& A_end, const FramePlace& B_end) {
  JointMotion at;
  at.places[0] = {A, mean(A, A_end), A_end};
  at.places[1] = {B, mean(B, B_end), B_end};
  at.frozen = A.a;
  return at;
}

JointMotion rest(const FramePlace& A, const FramePlace& B) { return motion_between(A, B, A, B); }

std::vector<double> values(const Joint& joint, const FramePlace& A, const FramePlace& B) {
  std::vector<double> result;
  for (const Equation& equation : joint.equations) result.push_back(equation.value(rest(A, B), 0.0, 1.0, {}));
  return result;
}

double largest_value(const Joint& joint, const FramePlace& A, const FramePlace& B) {
  double largest = 0.0;
  for (const double value : values(joint, A, B)) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Gradients as rows, inertial axes.
Eigen::MatrixXd gradients(const Joint& joint, const FramePlace& A, const FramePlace& B) {
  Eigen::MatrixXd result(joint.equations.size(), 12);
  for (std::size_t k = 0; k < joint.equations.size(); ++k) result.row(k) = joint.equations[k].gradient(rest(A, B), 0.0);
  return result;
}

class JointTester : public testing::TestWithParam<std::string> {
 protected:
  Random random_{11};
};

// Protects: a joint removes as many degrees of freedom as it has equations, in every position.
TEST_P(JointTester, equations_are_independent) {
  const JointFreedom freedom = joint_freedom(GetParam());
  for (int sample = 0; sample < n_samples; ++sample) {
    const JointCase c = random_case(GetParam(), random_);
    EXPECT_EQ(static_cast<int>(c.joint.equations.size()), 6 - freedom.n_free());
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(gradients(c.joint, c.A(), c.B()));
    EXPECT_GT(svd.singularValues().minCoeff(), independent);
  }
}

// Protects: the motions that the joint is there for are free, over their whole range.
TEST_P(JointTester, allowed_motions_satisfy_the_equations) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const JointCase c = random_case(GetParam(), random_);
    EXPECT_LT(largest_value(c.joint, c.A(), c.B()), round_off);
  }
}

// Protects: each of the motions that the joint must prevent violates an equation.
TEST_P(JointTester, forbidden_motions_violate_the_equations) {
  const JointFreedom freedom = joint_freedom(GetParam());
  const JointCase c = random_case(GetParam(), random_);
  for (int k = 0; k < 6; ++k) {
    RelativePose relative{freedom.start, Mat3::Identity()};
    if (k < 3) relative.u[k] += forbidden_size;
    if (k >= 3) relative.R = Eigen::AngleAxisd(forbidden_size, Vec3::Unit(k - 3)).toRotationMatrix();
    const FramePlace B = place(c.joint.b, node_at(c.A(), c.joint.b, relative));
    const double violation = largest_value(c.joint, c.A(), B);
    if (freedom.forbids[k]) {
      EXPECT_GT(violation, clear_violation) << "motion " << k;
    } else if (GetParam() != "distance") {
      EXPECT_LT(violation, round_off) << "motion " << k;
    }
  }
}

// Protects: reactions act along the derivatives of the equations.
TEST_P(JointTester, gradients_match_finite_differences) {
  const JointCase c = random_case(GetParam(), random_);
  const Eigen::MatrixXd gradient = gradients(c.joint, c.A(), c.B());
  const Mat3 frozen = c.A().a;
  for (std::size_t e = 0; e < c.joint.equations.size(); ++e) {
    for (int k = 0; k < 12; ++k) {
      const double expected = derivative([&](double h) {
        const Vec6 variation = h * Vec6::Unit(k % 6);
        const FramePlace A = k < 6 ? place(c.joint.a, varied(c.node_a, variation)) : c.A();
        const FramePlace B = k < 6 ? c.B() : place(c.joint.b, varied(c.node_b, variation));
        JointMotion at = rest(A, B);
        at.frozen = frozen;
        return c.joint.equations[e].value(at, 0.0, 1.0, {});
      });
      EXPECT_NEAR(gradient(e, k), expected, finite_difference_tolerance);
    }
  }
}

/// Force and moment on both nodes add up to nothing; moments count from the origin, `x` are the places they act at.
void expect_balance(const Vec12& wrench, const Vec3& x_a, const Vec3& x_b) {
  const Vec3 force = wrench.segment<3>(0) + wrench.segment<3>(6);
  const Vec3 moment =
      x_a.cross(wrench.segment<3>(0)) + wrench.segment<3>(3) + x_b.cross(wrench.segment<3>(6)) + wrench.segment<3>(9);
  EXPECT_LT(force.norm(), round_off);
  EXPECT_LT(moment.norm(), 10.0 * round_off);
}

// Protects: linear and angular momentum of a mechanism: reactions are opposite and in line, also over a large step.
TEST_P(JointTester, action_equals_reaction) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const JointCase start = random_case(GetParam(), random_);
    JointCase end = start;
    end.node_a = moved(start.node_a, random_.twist());
    end.node_b = node_at(end.A(), end.joint.b, allowed_pose(GetParam(), random_));
    for (const Equation& equation : start.joint.equations) {
      expect_balance(equation.gradient(rest(start.A(), start.B()), 0.0), start.node_a.x, start.node_b.x);
      expect_balance(equation.force(motion_between(start.A(), start.B(), end.A(), end.B()), 0.0),
                     0.5 * (start.node_a.x + end.node_a.x), 0.5 * (start.node_b.x + end.node_b.x));
    }
  }
}

// Protects: reactions do no work in a step of any size between two positions that the joint allows.
TEST_P(JointTester, reactions_do_no_work) {
  for (int sample = 0; sample < n_samples; ++sample) {
    const JointCase start = random_case(GetParam(), random_);
    JointCase end = start;
    end.node_a = moved(start.node_a, random_.twist());
    end.node_b = node_at(end.A(), end.joint.b, allowed_pose(GetParam(), random_));
    Vec12 displacements;
    displacements << displacement(start.node_a, end.node_a), displacement(start.node_b, end.node_b);
    const double largest_displacement = displacements.cwiseAbs().maxCoeff();
    for (const Equation& equation : start.joint.equations) {
      const Vec12 wrench = equation.force(motion_between(start.A(), start.B(), end.A(), end.B()), 0.0);
      EXPECT_NEAR(wrench.dot(displacements), 0.0, 30.0 * round_off * largest_displacement);
    }
  }
}

// Protects: objectivity: a joint does not notice that the whole world is turned and shifted.
TEST_P(JointTester, rigid_motion_of_the_world_changes_nothing) {
  const JointCase c = random_case(GetParam(), random_);
  const Pose world{random_.vector(100.0), random_.rotation()};
  // Off the allowed position, so that the values are not all zero.
  const Pose off_b = moved(c.node_b, random_.twist(0.1));
  const Pose carried_a = carried(world, c.node_a);
  const Pose carried_b = carried(world, off_b);
  const FramePlace A = c.A(), B = place(c.joint.b, off_b);
  const FramePlace A_carried = place(c.joint.a, carried_a), B_carried = place(c.joint.b, carried_b);
  constexpr double round_off_at_100_m = 1e-12;
  for (const Equation& equation : c.joint.equations) {
    const JointMotion here = rest(A, B), there = rest(A_carried, B_carried);
    EXPECT_NEAR(equation.value(here, 0.0, 1.0, {}), equation.value(there, 0.0, 1.0, {}), round_off_at_100_m);
    const Vec12 wrench = equation.gradient(here, 0.0);
    const Vec12 wrench_carried = equation.gradient(there, 0.0);
    for (int part = 0; part < 4; ++part) {
      const Mat3 R = part < 2 ? c.node_a.R : off_b.R;
      const Mat3 R_carried = part < 2 ? carried_a.R : carried_b.R;
      EXPECT_LT(
          (R.transpose() * wrench.segment<3>(3 * part) - R_carried.transpose() * wrench_carried.segment<3>(3 * part))
              .norm(),
          round_off_at_100_m);
    }
  }
}

// Protects: a drive that the type offers holds exactly the motion it is named after.
TEST_P(JointTester, drives_hold_what_they_drive) {
  const auto types = ideal_joint_types();
  const auto type = std::find_if(types.begin(), types.end(), [](const auto& t) { return t.keys.name == GetParam(); });
  const double wanted = 0.4;
  for (const bool angle : {true, false}) {
    if (!(angle ? type->keys.drives_angle : type->keys.drives_displacement)) continue;
    if (type->keys.lead) continue;  // slides as it turns
    JointSpec spec;
    spec.name = spec.type = GetParam();
    (angle ? spec.drive.angle : spec.drive.displacement) = TimeFunction(wanted);
    const Joint joint = make_ideal_joint(spec, random_frame(0, random_), random_frame(1, random_));
    const JointFreedom freedom = joint_freedom(GetParam());
    EXPECT_EQ(static_cast<int>(joint.equations.size()), 6 - freedom.n_free() + (type->keys.length ? 0 : 1));
    EXPECT_TRUE(joint.equations.back().is_driven());
    const FramePlace A = place(joint.a, random_pose(random_));
    for (const double missed : {0.0, 0.1}) {
      RelativePose relative;
      if (angle) relative.R = Eigen::AngleAxisd(wanted + missed, Vec3::UnitZ()).toRotationMatrix();
      if (!angle) relative.u.z() = wanted + missed;
      const FramePlace B = place(joint.b, node_at(A, joint.b, relative));
      if (missed == 0.0) {
        EXPECT_LT(largest_value(joint, A, B), round_off);
      } else {
        EXPECT_GT(largest_value(joint, A, B), clear_violation);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(IdealJoints, JointTester, testing::ValuesIn(joint_type_names()), name_of_joint_test);

// Protects: messages and results name equations; two equations of one joint must not share a name.
TEST(IdealJoint, labels_of_a_joint_differ) {
  for (const std::string& type : joint_type_names()) {
    std::vector<std::string> labels;
    for (const Equation& equation : joint_of_type(type, {0}, {1}).equations) labels.push_back(equation.label());
    std::sort(labels.begin(), labels.end());
    EXPECT_EQ(std::adjacent_find(labels.begin(), labels.end()), labels.end()) << type;
  }
}

// Protects: a label names the motion that its equation hinders: "rotation about x" gives way to a turn about x only.
TEST(IdealJoint, labels_name_the_hindered_motion) {
  const char* const axes[] = {"x", "y", "z"};
  for (const char* const type : {"revolute", "prismatic", "fixed", "cylindrical", "planar", "orientation"}) {
    const Joint joint = joint_of_type(type, {0}, {1});
    for (const Equation& equation : joint.equations) {
      const Vec12 wrench = equation.gradient(rest(place({0}, Pose{}), place({1}, Pose{})), 0.0);
      for (int k = 0; k < 6; ++k) {
        const std::string name = (k < 3 ? "position along " : "rotation about ") + std::string(axes[k % 3]);
        EXPECT_EQ(std::abs(wrench[6 + k]) > 0.5, equation.label() == name) << type << ": " << equation.label();
      }
    }
  }
}

}  // namespace
}  // namespace freeplay
