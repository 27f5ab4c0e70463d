#include "freeplay/assembly/assembly.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/file_testing.h"
#include "freeplay/assembly/reported_joints.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/deck/model_file.h"
#include "paths.h"

namespace freeplay {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double round_off = 1e-12;  // positions of size 1 to 10

Assembled assembled(const std::string& text) { return assemble(read_model_text(text, "test.yaml")); }

std::string input_error(const std::string& text) {
  return message_of<InputError>([&] { assembled(text); });
}

double largest_misfit(const Assembled& a) {
  double largest = 0.0;
  for (const Joint& joint : a.model.joints) {
    const JointMotion at = rest_of(joint, [&](const Frame& frame) { return place_of(frame, a.state); });
    for (const Equation& equation : joint.equations)
      largest = std::max(largest, std::abs(equation.value(at, 0.0, 1.0, a.state.internal)));
  }
  return largest;
}

double largest_velocity_misfit(const Assembled& a) {
  Motion now;
  set_instant(a.state, now);
  double largest = 0.0;
  for (const Joint& joint : a.model.joints) {
    const JointMotion at = motion_of(joint, now);
    for (const Equation& equation : joint.equations)
      largest = std::max(
          largest, std::abs(equation.gradient(at, 0.0).dot(velocity_of(joint, now)) + equation.explicit_rate(at, 0.0)));
  }
  return largest;
}

std::vector<std::string> redundant_names(const Assembled& a) {
  std::vector<std::string> names;
  for (const int equation : a.report.redundant) names.push_back(a.model.equation_name(equation));
  return names;
}

/// A four-bar of 1, 4, 3 m on a base of 4 m. `crank`, `coupler` and `rocker` are further keys of the bodies.
std::string four_bar(const std::string& crank, const std::string& coupler, const std::string& rocker,
                     const std::string& joint_A = "", const std::string& joint_D = "") {
  return R"yaml(freeplay: 1
ground: {points: {A: {at: [0, 0, 0], axis: [0, 0, 1]}, D: {at: [4, 0, 0], axis: [0, 0, 1]}}}
bodies:
  crank: {rigid: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {A: [0, 0, 0], B: [1, 0, 0]})yaml" +
         crank + R"yaml(}}
  coupler: {rigid: {mass: 4, inertia: [6, 6, 6], points: {B: [0, 0, 0], C: [4, 0, 0]})yaml" +
         coupler + R"yaml(}}
  rocker: {rigid: {mass: 3, inertia: [3, 3, 3], points: {D: [0, 0, 0], C: [3, 0, 0]})yaml" +
         rocker + R"yaml(}}
joints:
  A: {revolute: {between: [ground.A, crank.A])yaml" +
         joint_A + R"yaml(}}
  B: {revolute: {between: [crank.B, coupler.B], axis: [0, 0, 1]}}
  C: {revolute: {between: [coupler.C, rocker.C], axis: [0, 0, 1]}}
  D: {revolute: {between: [ground.D, rocker.D])yaml" +
         joint_D + R"yaml(}}
analysis: {dynamic: {end: 1}}
)yaml";
}

const char* const crank_exact = ", at: [0, 0, 0], rotation: {axis: [0, 0, 1], angle: -60 deg}";
const char* const coupler_rough = ", at: [0.4, -0.7, 0.1], rotation: {axis: [0, 0, 1], angle: 50 deg}";
const char* const rocker_rough = ", at: [4.2, 0.1, 0], rotation: {axis: [0, 0, 1], angle: 130 deg}";
const char* const coupler_exact = ", at: [0.5, -0.86602540378443865, 0], rotation: {axis: [0, 0, 1], angle: 60 deg}";
const char* const rocker_exact = ", at: [4, 0, 0], rotation: {axis: [0, 0, 1], angle: 120 deg}";

// Protects: positions given by eye are closed, and the report says how far which body had to move.
TEST(Assembly, approximate_positions_are_closed) {
  const Assembled a = assembled(four_bar(crank_exact, coupler_rough, rocker_rough));
  EXPECT_LT(largest_misfit(a), round_off);
  EXPECT_GT(a.report.position_change, 0.05);
  EXPECT_LT(a.report.position_change, 0.5);
  EXPECT_FALSE(a.report.moved_body.empty());
}

// Protects: what fits stays where it was given, to the bit of the file.
TEST(Assembly, exact_positions_stay) {
  const Assembled a = assembled(four_bar(crank_exact, coupler_exact, rocker_exact));
  EXPECT_LT(largest_misfit(a), round_off);
  constexpr double digits_of_the_file = 1e-14;
  EXPECT_LT(a.report.position_change, digits_of_the_file);
}

// Protects: bodies without positions find their places, and the one that was given stays.
TEST(Assembly, missing_positions_are_found_and_given_ones_kept) {
  const Assembled a = assembled(four_bar(crank_exact, "", ""));
  EXPECT_LT(largest_misfit(a), round_off);
  EXPECT_LT(a.state.pose[0].x.norm(), round_off);
  constexpr double given_moves = 1e-9;  // what was given is a million times harder to move than the rest
  EXPECT_LT((a.state.pose[0].R.col(0) - Vec3(0.5, -0.86602540378443865, 0.0)).norm(), given_moves);
}

// Protects: a body without any place or orientation is put where its joint wants it.
TEST(Assembly, pendulum_without_position_hangs_on_its_joint) {
  const Assembled a = assembled(R"yaml(freeplay: 1
bodies: {bob: {rigid: {mass: 1, inertia: 0.1, points: {hook: [0, 1, 0]}}}}
joints: {pin: {spherical: {between: [ground, bob.hook], at: [3, 2, 1]}}}
analysis: {dynamic: {end: 1}}
)yaml");
  EXPECT_LT((a.state.pose[0].x - Vec3(3.0, 1.0, 1.0)).norm(), round_off);
}

/// Where a joint holds its second body, in the axes of that body.
Vec3 place_on_second(const Assembled& a) { return reported_joints(a.model).back().b.offset; }

// Protects: a body alone is the origin of its axes, also where the file gives it another place than its joint has: it
// is moved there, and the pendulum keeps its length.
TEST(Assembly, body_alone_is_its_origin) {
  const Assembled a = assembled(R"yaml(freeplay: 1
ground: {points: {O: [0, 0, 0]}}
bodies: {p: {rigid: {mass: 1, inertia: 1e-6, at: [0.1, 0, 0], centre: [0, -0.5, 0]}}}
joints: {h: {revolute: {between: [ground.O, p], axis: [0, 0, 1]}}}
analysis: {static: {}}
)yaml");
  EXPECT_EQ(place_on_second(a), Vec3(0, 0, 0));
  EXPECT_LT(a.state.pose[0].x.norm(), round_off);
  EXPECT_NEAR(a.report.position_change, 0.1, round_off);
}

// Protects: a link that is named without a point and placed by assembly has the length that its points give it. With
// the crank at -60 degrees the diagonal of the four-bar is sqrt(21) m, and coupler and rocker of 4 m and 3 m close it.
TEST(Assembly, rocker_alone_has_its_length) {
  std::string text = four_bar(crank_exact, "", "");
  const std::string named = "between: [ground.D, rocker.D]";
  text.replace(text.find(named), named.size(), "between: [ground.D, rocker]");
  const Assembled a = assembled(text);
  EXPECT_EQ(place_on_second(a), Vec3(0, 0, 0));
  EXPECT_LT((a.state.pose[2].x - Vec3(4, 0, 0)).norm(), round_off);
  const Vec3 B = a.state.pose[0].x + a.state.pose[0].R.col(0), C = a.state.pose[2].x + 3.0 * a.state.pose[2].R.col(0);
  EXPECT_NEAR((C - B).norm(), 4.0, round_off);
}

// Protects: `ground` alone is where the other place is, and `at` is where on a body a joint is that names it alone.
TEST(Assembly, ground_alone_and_at) {
  const auto joint_of = [](const std::string& between) {
    return assembled(
               "freeplay: 1\nbodies: {b: {rigid: {mass: 1, inertia: 1, at: [1, 2, 3], rotation: {axis: [0, 0, 1], "
               "angle: 90 deg}, points: {p: [1, 0, 0]}}}}\njoints: {j: {spherical: {between: " +
               between + "}}}\nanalysis: {static: {}}\n")
        .model.joints[0];
  };
  EXPECT_LT((joint_of("[ground, b.p]").a.offset - Vec3(1, 3, 3)).norm(), round_off);
  const Joint attached = joint_of("[ground, b], at: [1, 4, 3]");
  EXPECT_EQ(attached.a.offset, Vec3(1, 4, 3));
  EXPECT_LT((attached.b.offset - Vec3(2, 0, 0)).norm(), round_off);
}

// Protects: the same for joints with clearance: a bearing that names a body alone is in the origin of its axes, not
// where the journal happens to be.
TEST(Assembly, bearing_alone_is_its_origin) {
  const auto bearing_in = [](const std::string& place) {
    return reported_joints(assembled(R"yaml(freeplay: 1
bodies:
  wheel: {rigid: {mass: 1, inertia: 1, at: [1, 0, 0]}}
  pin: {rigid: {mass: 1, inertia: 1, at: [1.0001, 0, 0], free: true}}
contacts: {c: {linear: {stiffness: 1e6}}}
joints:
  axle: {fixed: {between: [ground, wheel], at: [1, 0, 0]}}
  play: {spherical-clearance: {bearing-radius: 10.2 mm, journal-radius: 10 mm, contact: c, between: [)yaml" +
                                     place + R"yaml(, pin]}}
analysis: {dynamic: {end: 1}}
)yaml")
                               .model)
        .back()
        .a.offset;
  };
  EXPECT_EQ(bearing_in("wheel"), Vec3(0, 0, 0));
  EXPECT_EQ(bearing_in("ground"), Vec3(1.0001, 0, 0));
}

// Protects: fixed degrees of freedom do not take part in assembly.
TEST(Assembly, fixed_degrees_of_freedom_stay) {
  const Assembled a = assembled(R"yaml(freeplay: 1
bodies:
  base: {rigid: {mass: 1, inertia: 0.1, at: [0.1, 0.2, 0.3], fix: [x, y, z, rx, ry, rz]}}
  arm: {rigid: {mass: 5, inertia: 1, at: [1, 1, 1], points: {end: [-0.6, 0, 0]}}}
joints: {pin: {spherical: {between: [base, arm.end], at: [0.5, 0.5, 0.5]}}}
analysis: {dynamic: {end: 1}}
)yaml");
  EXPECT_EQ(a.state.pose[0].x, Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(a.state.pose[0].R, Mat3(Mat3::Identity()));
  EXPECT_LT(largest_misfit(a), round_off);
}

/// A slider-crank with crank r = 1 at angle 50 deg and rod l = 3; sizes and masses scaled by a factor.
std::string slider_crank(double size, const std::string& crank_keys, const std::string& rod_keys = "",
                         const std::string& slider_keys = "") {
  const double angle = 50.0 * pi / 180.0;
  const double mass = size * size * size;
  const auto n = [](double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return std::string(text);
  };
  const double x = size * std::cos(angle), y = size * std::sin(angle);
  const double end = x + std::sqrt(9.0 * size * size - y * y);
  const std::string inertia =
      "[" + n(0.1 * mass * size * size) + ", " + n(0.1 * mass * size * size) + ", " + n(0.1 * mass * size * size) + "]";
  const std::string common = "mass: " + n(mass) + ", inertia: " + inertia;
  return "freeplay: 1\nbodies:\n  crank: {rigid: {" + common + ", at: [0, 0, 0]" + crank_keys + "}}\n" +      //
         "  rod: {rigid: {" + common + ", at: [" + n(x) + ", " + n(y) + ", 0]" + rod_keys + "}}\n" +          //
         "  slider: {rigid: {" + common + ", at: [" + n(end) + ", 0, 0]" + slider_keys + "}}\n" +             //
         "joints:\n" + "  shaft: {revolute: {between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}\n" +  //
         "  pin: {revolute: {between: [crank, rod], at: [" + n(x) + ", " + n(y) + ", 0], axis: [0, 0, 1]}}\n" +
         "  wrist: {revolute: {between: [rod, slider], at: [" + n(end) + ", 0, 0], axis: [0, 0, 1]}}\n" +
         "  guide: {prismatic: {between: [ground, slider], at: [" + n(end) + ", 0, 0], axis: [1, 0, 0]}}\n" +
         "analysis: {dynamic: {end: 1}}\n";
}

/// Slider velocity of that slider-crank for a unit crank speed and unit size.
double slider_rate() {
  const double angle = 50.0 * pi / 180.0;
  const double s = std::sin(angle), c = std::cos(angle);
  return -s - s * c / std::sqrt(9.0 - s * s);
}

// Protects: the velocity of one body is enough, for mechanisms of any size: from a watch (0.1 mm) to a bridge (100 m).
TEST(Assembly, velocities_follow_from_one_body) {
  for (const double size : {1e-4, 1e-2, 1.0, 100.0}) {
    const Assembled a = assembled(slider_crank(size, ", angular-velocity: [0, 0, 7]"));
    constexpr double relative = 1e-9;  // what was given may give way by the square of the ease factor, 1e-12
    EXPECT_NEAR(a.state.twist[2][0], 7.0 * size * slider_rate(), relative * size) << "size " << size;
    EXPECT_NEAR(a.state.twist[0][5], 7.0, relative) << "size " << size;
    EXPECT_LT(largest_velocity_misfit(a), relative * size) << "size " << size;
    EXPECT_LT(a.report.velocity_change, relative);
  }
}

// Protects: a very fast mechanism is assembled as well as a slow one.
TEST(Assembly, fast_rotation_is_no_error) {
  const Assembled a = assembled(slider_crank(1.0, ", angular-velocity: [0, 0, 1e6]"));
  constexpr double relative = 1e-9;  // as in the test above
  EXPECT_NEAR(a.state.twist[2][0] / (1e6 * slider_rate()), 1.0, relative);
}

// Protects: without any given velocity everything is at rest.
TEST(Assembly, nothing_given_is_rest) {
  const Assembled a = assembled(slider_crank(1.0, ""));
  for (const Vec6& twist : a.state.twist) EXPECT_EQ(twist, Vec6(Vec6::Zero()));
}

// Protects: velocities that contradict each other are made consistent, and the report says so.
TEST(Assembly, contradicting_velocities_are_reported) {
  const Assembled a = assembled(slider_crank(1.0, ", angular-velocity: [0, 0, 1]", "", ", velocity: [5, 0, 0]"));
  EXPECT_LT(largest_velocity_misfit(a), round_off);
  EXPECT_GT(a.report.velocity_change, 0.1);
  EXPECT_FALSE(a.report.changed_body.empty());
}

// Protects: a plane loop of revolutes in space: three equations too many, named, and one degree of freedom.
TEST(Redundancy, four_bar_has_three_redundant_equations) {
  const Assembled a = assembled(four_bar(crank_exact, coupler_exact, rocker_exact));
  EXPECT_EQ(a.report.degrees_of_freedom, 18);
  EXPECT_EQ(a.report.n_equations, 20);
  EXPECT_EQ(a.report.mobility(), 1);
  const std::vector<std::string> expected{"D: position along z", "D: rotation about y", "D: rotation about x"};
  EXPECT_EQ(redundant_names(a), expected);
  for (const int e : a.report.redundant) EXPECT_TRUE(a.model.dropped[e]);
}

// Protects: the same four-bar of plane bodies has as many equations too many as the planes already fix.
TEST(Redundancy, plane_bodies_make_equations_redundant) {
  const std::string plane = ", fix: [z, rx, ry]";
  const Assembled a = assembled(four_bar(crank_exact + plane, coupler_exact + plane, rocker_exact + plane));
  EXPECT_EQ(a.report.degrees_of_freedom, 9);
  EXPECT_EQ(a.report.redundant.size(), 12u);
  EXPECT_EQ(a.report.mobility(), 1);
}

// Protects: an overconstraint that is not plane: the Bricard mechanism moves although counting says it cannot.
TEST(Redundancy, bricard_has_one_redundant_equation) {
  const std::string file = test::source_directory() + "/input/iftomm/bricard.yaml";
  const Assembled a = assemble(read_model_text(read_model_file(file), file));
  EXPECT_EQ(a.report.mobility(), 1);
  ASSERT_EQ(a.report.redundant.size(), 1u);
  EXPECT_EQ(a.model.joint_of_equation(a.report.redundant[0]).name, "hinge6");
}

// Protects: mobility of mechanisms without redundancy.
TEST(Redundancy, mobility_counts) {
  const auto mobility = [](const std::string& joint) {
    return assembled("freeplay: 1\nbodies: {b: {rigid: {mass: 1, inertia: 0.1, at: [1, 0, 0]}}}\njoints: {j: {" +
                     joint + "}}\nanalysis: {dynamic: {end: 1}}\n")
        .report.mobility();
  };
  EXPECT_EQ(mobility("revolute: {between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}"), 1);
  EXPECT_EQ(mobility("spherical: {between: [ground, b], at: [0, 0, 0]}"), 3);
  EXPECT_EQ(mobility("distance: {between: [ground, b]}"), 5);
  EXPECT_EQ(mobility("revolute: {between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: t}}"), 0);
  EXPECT_EQ(mobility("fixed: {between: [ground, b], at: [0, 0, 0]}"), 0);
}

// Protects: a mechanism that cannot be closed is refused, with the place of the joint in the file.
TEST(Assembly, impossible_assembly_names_the_joint) {
  const std::string message = input_error(R"yaml(freeplay: 1
bodies:
  a: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0], points: {end: [1, 0, 0]}}}
  b: {rigid: {mass: 1, inertia: 0.1, at: [5, 0, 0], points: {end: [-1, 0, 0]}}}
joints:
  left: {spherical: {between: [ground, a], at: [0, 0, 0]}}
  right: {spherical: {between: [ground, b], at: [5, 0, 0]}}
  middle: {spherical: {between: [a.end, b.end]}}
analysis: {dynamic: {end: 1}}
)yaml");
  EXPECT_TRUE(contains(message, "test.yaml:")) << message;
  EXPECT_TRUE(contains(message, "error: joints.")) << message;
  EXPECT_TRUE(contains(message, "cannot be assembled")) << message;
}

// Protects: a drive in a structure that cannot move is refused by name.
TEST(Assembly, drive_of_a_structure_names_the_joint) {
  const std::string message = input_error(R"yaml(freeplay: 1
bodies:
  left: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}
  right: {rigid: {mass: 1, inertia: 0.1, at: [2, 0, 0]}}
joints:
  hinge: {revolute: {between: [ground, left], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "1*t"}}}
  top: {revolute: {between: [left, right], at: [1, 1, 0], axis: [0, 0, 1]}}
  support: {revolute: {between: [ground, right], at: [2, 0, 0], axis: [0, 0, 1]}}
analysis: {dynamic: {end: 1}}
)yaml");
  EXPECT_TRUE(contains(message, "test.yaml:6:3: error: joints.hinge: the drive has nothing to drive")) << message;
}

// Protects: one drive too many is refused, and the one that stands last is named.
TEST(Assembly, second_drive_of_one_freedom_is_refused) {
  const std::string drive = ", drive: {angle: \"1*t\"}";
  const std::string message = input_error(four_bar(crank_exact, coupler_exact, rocker_exact, drive, drive));
  EXPECT_TRUE(contains(message, "error: joints.D: the drive has nothing to drive")) << message;
}

// Protects: a drive that starts at a dead point asks for the impossible and is refused by name.
TEST(Assembly, drive_from_a_dead_point_is_refused) {
  const std::string message = input_error(R"yaml(freeplay: 1
bodies:
  crank: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}
  rod: {rigid: {mass: 1, inertia: 0.1, at: [1, 0, 0]}}
  slider: {rigid: {mass: 1, inertia: 0.1, at: [3, 0, 0]}}
joints:
  shaft: {revolute: {between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}
  pin: {revolute: {between: [crank, rod], at: [1, 0, 0], axis: [0, 0, 1]}}
  wrist: {revolute: {between: [rod, slider], at: [3, 0, 0], axis: [0, 0, 1]}}
  guide: {prismatic: {between: [ground, slider], at: [3, 0, 0], axis: [1, 0, 0], drive: {displacement: "0.1*t"}}}
analysis: {dynamic: {end: 1}}
)yaml");
  EXPECT_TRUE(contains(message, "test.yaml:10:3: error: joints.guide: the drive")) << message;
}

// Protects: drives set positions and velocities at the start.
TEST(Assembly, driven_bodies_start_where_and_as_fast_as_the_drive_says) {
  const Assembled a = assembled(R"yaml(freeplay: 1
bodies:
  wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}
  slider: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}
  weight: {rigid: {mass: 1, inertia: 0.1, at: [0, -1, 0]}}
joints:
  shaft: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "0.5 + 3*t"}}}
  guide: {prismatic: {between: [ground, slider], at: [0, 0, 0], axis: [1, 0, 0], drive: {displacement: "0.2 - 2*t"}}}
  line: {prismatic: {between: [ground, weight], at: [0, -1, 0], axis: [0, 1, 0]}}
  rope: {distance: {between: [ground, weight], drive: {displacement: "1.5 + 4*t"}}}
analysis: {dynamic: {end: 1}}
)yaml");
  EXPECT_NEAR(std::atan2(a.state.pose[0].R(1, 0), a.state.pose[0].R(0, 0)), 0.5, round_off);
  EXPECT_NEAR(a.state.twist[0][5], 3.0, round_off);
  EXPECT_NEAR(a.state.pose[1].x.x(), 0.2, round_off);
  EXPECT_NEAR(a.state.twist[1][0], -2.0, round_off);
  EXPECT_NEAR(a.state.pose[2].x.y(), -1.5, round_off);
  EXPECT_NEAR(a.state.twist[2][1], -4.0, round_off);
}

/// A wheel, given at angle zero, with a drive that starts at another angle.
std::string driven_wheel(double degrees) {
  return "freeplay: 1\nbodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}\n"
         "joints:\n  shaft: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: " +
         std::to_string(degrees) + " deg}}}\nanalysis: {dynamic: {end: 1}}\n";
}

// Protects: a drive may start away from the given position.
TEST(Assembly, drive_turns_the_body_to_its_initial_angle) {
  for (const double degrees : {-80.0, -10.0, 50.0, 85.0}) {
    const Assembled a = assembled(driven_wheel(degrees));
    const Mat3 expected = Eigen::AngleAxisd(degrees * pi / 180.0, Vec3::UnitZ()).toRotationMatrix();
    EXPECT_LT((a.state.pose[0].R - expected).norm(), round_off) << degrees;
  }
}

// Protects: the sine of the difference vanishes half a turn away too; that position must never be taken silently.
TEST(Assembly, drive_that_starts_far_from_the_given_angle_is_refused) {
  for (const double degrees : {-170.0, -100.0, 120.0, 180.0, 250.0}) {
    const std::string message = input_error(driven_wheel(degrees));
    EXPECT_TRUE(contains(message, "test.yaml:4:3: error: joints.shaft: the drive starts")) << degrees << message;
  }
}

// Protects: a body that could spin without inertia is refused by name; held by a joint it is accepted.
TEST(Assembly, spin_without_inertia_is_refused) {
  const auto rod_between = [](const std::string& second_joint) {
    return R"yaml(freeplay: 1
bodies:
  rod: {rigid: {mass: 1, inertia: [0, 0.1, 0.1], at: [0, 0, 0], points: {left: [-1, 0, 0], right: [1, 0, 0]}}}
  slider: {rigid: {mass: 1, inertia: 0.1, at: [1, 0, 0]}}
joints:
  ball: {spherical: {between: [ground, rod.left], at: [-1, 0, 0]}}
  end: {)yaml" +
           second_joint + R"yaml(}
  guide: {planar: {between: [ground, slider], at: [1, 0, 0], axis: [0, 0, 1]}}
analysis: {dynamic: {end: 1}}
)yaml";
  };
  const std::string message = input_error(rod_between("spherical: {between: [rod.right, slider]}"));
  EXPECT_TRUE(contains(message, "test.yaml:3:3: error: bodies.rod: can turn about an axis")) << message;
  EXPECT_EQ(
      input_error(rod_between("universal: {between: [rod.right, slider], axis: [0, 1, 0], second-axis: [0, 0, 1]}")),
      "");
}

// Protects: the point mass of a pendulum on a hinge needs no inertia of its own.
TEST(Assembly, point_mass_on_a_hinge_is_accepted) {
  EXPECT_EQ(input_error(R"yaml(freeplay: 1
bodies: {bob: {rigid: {mass: 1, at: [1, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}}
analysis: {dynamic: {end: 1}}
)yaml"),
            "");
}

// Protects: kinematics in steps: a state that is nearly right is moved onto the constraints at its own time.
TEST(Assembly, follow_constraints_at_a_later_time) {
  Assembled a = assembled(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}
joints: {shaft: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1], drive: {angle: "t^2"}}}}
analysis: {dynamic: {end: 1}}
)yaml");
  a.state.time = 0.5;
  EXPECT_FALSE(follow_constraints(a.model, a.state).has_value());
  EXPECT_NEAR(std::atan2(a.state.pose[0].R(1, 0), a.state.pose[0].R(0, 0)), 0.25, round_off);
  EXPECT_NEAR(a.state.twist[0][5], 1.0, round_off);
}

}  // namespace
}  // namespace freeplay
