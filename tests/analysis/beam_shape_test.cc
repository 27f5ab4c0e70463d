// Beams that are curved, twisted, bent in corners, or of varying section, and loads along them.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "analysis/analysis_testing.h"
#include "analysis/beam_jacobian_testing.h"
#include "freeplay/scheme/step_equations.h"
#include "mechanics/element_testing.h"

namespace freeplay {
namespace {

using std::numbers::pi;

const std::string section_s =
    "  s: {stiffness: {axial: 1e3, shear: 5e2, bending: [1, 3], torsion: 0.8}, mass: 1, rotary: [0.01, 0.03, 0.04]}\n";
const std::string section_u =
    "  u: {stiffness: {axial: 2e3, shear: [8e2, 6e2], bending: [2, 1], torsion: 1}, mass: 3,\n"
    "      rotary: [0.02, 0.01, 0.03], centre: [0.02, -0.01]}\n";  // not symmetric

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Bodies and further lines, with the sections that they use.
std::string model_of(const std::string& bodies, const std::string& lines) {
  return "freeplay: 1\nsections:\n" + (has(bodies, "section: s") ? section_s : "") +
         (has(bodies, "section: u") ? section_u : "") + "bodies:\n" + bodies + lines + "\n";
}

/// One beam `b`.
std::string model(const std::string& beam, const std::string& lines) {
  return model_of("  b: {beam: {" + beam + "}}\n", lines);
}

const std::string clamp = ", fix: {start: [x, y, z, rx, ry, rz]}";
const std::string tapered = "section: [{at: 0, section: s}, {at: 1, section: u}]";
const std::string at_rest = "analysis: {static: {}}";

struct ShapeCase {
  const char* name;
  std::string beam;
  double length;
};

std::vector<ShapeCase> shapes() {
  return {
      {"twisted", "section: s, from: [0, 0, 0], to: [0, 2, 0], twist: 200 deg", 2.0},
      {"polyline", "section: s, polyline: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 2]]", 4.0},
      {"twisted_polyline", tapered + ", polyline: [[0, 0, 0], [1, 0, 0], [0, 0, 1]], twist: 90 deg, places: [0.3]",
       1.0 + std::sqrt(2.0)},
      {"arc", "section: s, arc: {from: [1, 0, 0], through: [0, 1, 0], to: [-1, 0, 0]}, twist: 30 deg", pi},
      {"circle", tapered + ", arc: {from: [1, 0, 1], centre: [0, 0, 1], axis: [0, 0, 1], angle: 360 deg}", 2.0 * pi},
      {"spline", "section: s, spline: [[0, 0, 0], [1, 0, 0], [2, 1, 0], [2, 2, 1]], twist: -1", 0.0}};
}

class Shapes : public testing::TestWithParam<ShapeCase> {};

// Protects: no shape has strain, force or energy as it is given, also turned as a whole; all have their length and
// mass.
TEST_P(Shapes, reference_is_free_of_force) {
  Assembled assembled = assemble(read_model_text(model(GetParam().beam, at_rest), "test.yaml"));
  const Model& mechanism = assembled.model;
  const Mat3 rotation = Eigen::AngleAxisd(1.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Pose& pose : assembled.state.pose) pose = {rotation * pose.x + Vec3(3, 2, 1), rotation * pose.R};
  Motion now;
  set_instant(assembled.state, now);
  std::vector<Vec6> forces(mechanism.nodes.size(), Vec6::Zero());
  constexpr double round_off = 1e-12;  // of positions of size 5, divided by the distance of nodes
  for (std::size_t e = 0; e < mechanism.elements.size(); ++e) {
    const std::span<double> internal = internal_of(mechanism, assembled.state, e);
    mechanism.elements[e]->initialise(now, internal);
    for (const double strain : internal) EXPECT_NEAR(strain, 0.0, round_off);
    mechanism.elements[e]->add_forces(now, internal, forces);
  }
  constexpr double stiffness = 2e4;  // with the derivatives of the shape functions
  for (const Vec6& force : forces) EXPECT_LT(force.norm(), stiffness * round_off);
  if (GetParam().length == 0.0) return;
  double mass = 0.0;
  for (const Node& node : mechanism.nodes) mass += node.mass(0, 0);
  const double mean = has(GetParam().beam, "section: u") ? 2.0 : 1.0;
  EXPECT_NEAR(mass, mean * GetParam().length, 10.0 * round_off);
}

// Protects: the tangents of the elements at corners, with damping, far from the reference, and of following loads.
TEST_P(Shapes, jacobian_matches_finite_differences) {
  const std::string load = "loads: {w: {line-load: {on: b, force: [1, 2, 3], moment: [1, 0, 2], following: true}}}\n";
  expect_jacobian_matches_finite_differences(
      read_model_text(model(GetParam().beam + ", elements: 1, degree: 2, damping: 0.03", load + at_rest), "test.yaml"));
}

// Protects: the ledger, with loads along the beam that change in time and follow it, through large motion.
TEST_P(Shapes, ledger_is_closed_with_line_loads) {
  Simulation simulation(model(GetParam().beam + ", damping: 1 ms",
                              "loads:\n"
                              "  w: {line-load: {on: b, force: [\"3*sin(5*t)\", 0, \"2*t\"], moment: [0, 0.5, 0]}}\n"
                              "  f: {line-load: {on: b, force: [1, 0, \"cos(3*t)\"], moment: [0, 0, 1], following: "
                              "true}}\n" +
                                  at_rest));
  constexpr double round_off = 1e-12;
  simulation.run(0.02, 25, [&] { EXPECT_LT(simulation.ledger().relative_residual(), round_off); });
  EXPECT_GT(simulation.ledger().load_work, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Beams, Shapes, testing::ValuesIn(shapes()),
                         [](const auto& info) { return std::string(info.param.name); });

/// Equilibrium of a model without joints, clamped at its first node, by Newton's method with dense matrices: for
/// loads so small that the answer is linear, and for large ones in steps.
class DenseStatics {
 public:
  explicit DenseStatics(const std::string& text) : assembled_(assemble(read_model_text(text, "test.yaml"))) {}

  /// Displacement and rotation of the last node by the linear equations of the reference state.
  Vec6 linear_answer() { return -solution(1.0).tail<6>(); }

  /// Position of the last node after loading in steps.
  Vec3 loaded(int n_steps) {
    constexpr double equilibrium = 1e-10;
    constexpr int most_iterations = 50;
    for (int step = 1; step <= n_steps; ++step) {
      double change = 1.0;
      for (int k = 0; k < most_iterations && change > equilibrium; ++k) {
        const Eigen::VectorXd u = -solution(static_cast<double>(step) / n_steps);
        for (std::size_t n = 1; n < state().pose.size(); ++n)
          state().pose[n] = varied(state().pose[n], u.segment<6>(6 * n));
        change = u.norm();
      }
      EXPECT_LT(change, equilibrium) << "load step " << step;
    }
    return state().pose.back().x;
  }

 private:
  State& state() { return assembled_.state; }

  /// K^-1 times the resisting forces.
  Eigen::VectorXd solution(double load_factor) {
    const Model& model = assembled_.model;
    const int n = static_cast<int>(model.nodes.size());
    Motion step;
    step.dt = 1.0;
    for (const Pose& pose : state().pose) step.nodes.push_back({pose});
    DenseSink sink(n);
    std::vector<Vec6> forces(n, Vec6::Zero()), loads(n, Vec6::Zero());
    for (std::size_t e = 0; e < model.elements.size(); ++e) {
      const ForceElement& element = *model.elements[e];
      const std::span<double> internal = internal_of(model, state(), e);
      element.initialise(step, internal);
      element.add_forces(step, internal, element.n_internal() > 0 ? forces : loads);
      element.add_tangent(step, internal, sink);
    }
    Eigen::VectorXd right(6 * n);
    for (int k = 0; k < n; ++k) right.segment<6>(6 * k) = forces[k] + load_factor * loads[k];
    // The scheme varies the end of a step, on which half of its mean forces depend.
    const Eigen::MatrixXd K = 2.0 * sink.matrix().topLeftCorner(6 * n, 6 * n);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(6 * n);
    const int free = 6 * n - 6;
    u.tail(free) = K.bottomRightCorner(free, free).partialPivLu().solve(right.tail(free));
    return u;
  }

  Assembled assembled_;
};

const std::string force_along_z = "loads: {F: {force: {on: b.end, value: [0, 0, 1]}}}\n" + at_rest;

/// Relative error of hand formulas that are exact: what the elements leave.
constexpr double by_elements = 1e-7;

// Protects: a line load of mass times g is the weight, exactly.
TEST(LineLoad, uniform_force_is_weight) {
  const Assembled assembled =
      assemble(read_model_text(model("section: s, polyline: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], elements: 3",
                                     "loads: {w: {line-load: {on: b, force: [0, 0, -9.81]}}}\n" + at_rest),
                               "test.yaml"));
  Motion now;
  set_instant(assembled.state, now);
  now.load_factor = 1.0;  // statics begin without loads
  std::vector<Vec6> forces(assembled.model.nodes.size(), Vec6::Zero());
  assembled.model.elements.back()->add_forces(now, {}, forces);
  constexpr double round_off = 1e-15;
  for (std::size_t n = 0; n < forces.size(); ++n)
    EXPECT_NEAR(forces[n][2], 9.81 * assembled.model.nodes[n].mass(0, 0), 10.0 * round_off);
}

// Protects: loads along a beam by the textbook: m L^2 / (2 G J), and w L^4 / (8 E I) + w L^2 / (2 G A).
TEST(LineLoad, answer_by_hand) {
  const std::string beam = "section: s, from: [0, 0, 0], to: [2, 0, 0], first-axis: [0, 1, 0]";
  const Vec6 answer =
      DenseStatics(model(beam, "loads: {w: {line-load: {on: b, force: [0, 0, 5], moment: [3, 0, 0]}}}\n" + at_rest))
          .linear_answer();
  EXPECT_NEAR(answer[3], 3.0 * 4.0 / (2.0 * 0.8), by_elements);
  EXPECT_NEAR(answer[2], 5.0 * (16.0 / 8.0 + 4.0 / (2.0 * 5e2)), 10.0 * by_elements);
}

// Protects: a right-angle frame by the textbook: bending of both arms, torsion of the first, shear.
TEST(Corner, right_angle_frame_by_hand) {
  constexpr double a = 1.0, b = 0.7;
  const Vec6 answer =
      DenseStatics(
          model("section: s, polyline: [[0, 0, 0], [1, 0, 0], [1, 0.7, 0]], first-axis: [0, 1, 0]", force_along_z))
          .linear_answer();
  // The first axis is y along the first arm and -x along the second: EI = 1 bends both out of the plane.
  constexpr double EI = 1.0, GJ = 0.8, GA = 5e2;
  const double expected = a * a * a / (3.0 * EI) + b * b * b / (3.0 * EI) + b * b * a / GJ + (a + b) / GA;
  EXPECT_NEAR(answer[2], expected, by_elements * expected);
}

/// A right-angle frame as one beam, and as two beams with a fixed joint, `c` being the second.
const std::string frame =
    "  b: {beam: {section: u, polyline: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], first-axis: [0, 1, 0]" + clamp + "}}\n";
const std::string two_beams = "  b: {beam: {section: u, from: [0, 0, 0], to: [1, 0, 0], first-axis: [0, 1, 0]" + clamp +
                              "}}\n"
                              "  c: {beam: {section: u, from: [1, 0, 0], to: [1, 1, 0], first-axis: [-1, 0, 0]}}\n"
                              "joints: {weld: {fixed: {between: [b.end, c.start]}}}\n";

// Protects: a corner is as rigid as a fixed joint, and has the right inertia: the frame moves like two beams joined.
TEST(Corner, moves_like_two_beams_joined) {
  Simulation one(model_of(frame, "gravity: [0, 0, -3]\n" + at_rest));
  Simulation two(model_of(two_beams, "gravity: [0, 0, -3]\n" + at_rest));
  one.run(1e-3, 200);
  two.run(1e-3, 200);
  constexpr double of_the_joint = 1e-4;  // its velocities are corrected after each step, with an error of dt^3
  EXPECT_LT((one.state().pose.back().x - two.state().pose.back().x).norm(), of_the_joint);
  EXPECT_GT((one.state().pose.back().x - Vec3(1, 1, 0)).norm(), 0.05);
}

// Protects: a joint inside a beam, at a place that is no node of an even mesh, joins what it would join at the ends of
// two beams that are one.
TEST(InnerPlace, joint_acts_like_between_two_beams) {
  const std::string arm = "  arm: {beam: {section: s, from: [0.35, 0, 0], to: [0.35, 0, -0.5], elements: 2}}\n";
  const auto hinge = [](const std::string& place) {
    return "gravity: [0, 1, -3]\njoints:\n"
           "  cross: {universal: {between: [" +
           place + ", arm.start], axis: [0, 1, 0], second-axis: [1, 0, 0]}}\n";
  };
  const std::string whole = "  b: {beam: {section: s, from: [0, 0, 0], to: [1, 0, 0], elements: 4" + clamp + "}}\n";
  const std::string halves = "  a: {beam: {section: s, from: [0, 0, 0], to: [0.35, 0, 0], elements: 2" + clamp +
                             "}}\n  b: {beam: {section: s, from: [0.35, 0, 0], to: [1, 0, 0], elements: 2}}\n";
  AnalysisRun one(model_of(whole + arm, hinge("b@0.35") + "analysis: {dynamic: {end: 0.3, step: 1 ms}}\n"));
  AnalysisRun two(model_of(halves + arm, hinge("a.end") + "  weld: {fixed: {between: [a.end, b.start]}}\n" +
                                             "analysis: {dynamic: {end: 0.3, step: 1 ms}}\n"));
  for (AnalysisRun* run : {&one, &two}) ASSERT_EQ(run->run(), RunEnd::finished);
  constexpr double of_mesh_and_joint = 1e-4;
  for (const std::string place : {"b.end", "arm.end"}) {
    const Vec3 start = place == "b.end" ? Vec3(1.0, 0.0, 0.0) : Vec3(0.35, 0.0, -0.5);
    const Vec3 here = one.position(place, one.last());
    EXPECT_LT((here - two.position(place, two.last())).norm(), of_mesh_and_joint) << place;
    EXPECT_GT((here - start).norm(), 0.03) << place;
  }
}

// Protects: stiffness that couples: a force along the beam also twists it, as a helically wound one.
TEST(Coupling, force_along_the_beam_twists_it) {
  constexpr double a = 1e3, t = 0.8, c = 20.0, force = 0.5;
  AnalysisRun run(R"yaml(freeplay: 1
sections:
  wound:
    stiffness: {matrix: [[500, 0, 0, 0, 0, 0], [0, 500, 0, 0, 0, 0], [0, 0, 1000, 0, 0, 20],
                         [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 3, 0], [0, 0, 20, 0, 0, 0.8]]}
    mass: 1
    rotary: [0.01, 0.03, 0.04]
bodies: {b: {beam: {section: wound, from: [0, 0, 0], to: [2, 0, 0], elements: 4, fix: {start: [x, y, z, rx, ry, rz]}}}}
loads: {pull: {force: {on: b.end, value: [0.5, 0, 0]}}}
analysis: {static: {}}
)yaml");
  ASSERT_EQ(run.run(), RunEnd::finished);
  const Pose tip = run.last().state.pose.back();
  const double stretch = force * t / (a * t - c * c), twist = -force * c / (a * t - c * c);
  EXPECT_LT((tip.x - Vec3(2.0 * (1.0 + stretch), 0.0, 0.0)).norm(), 1e-9);
  const Mat3 rotation = tip.R * run.observer.rows.front().state.pose.front().R.transpose();
  EXPECT_NEAR(std::atan2(rotation(2, 1), rotation(1, 1)), 2.0 * twist, 1e-9);
}

// Protects: a pre-twisted cantilever: in fixed axes its flexibility is turned with the section along the beam.
TEST(Twist, deflection_by_hand) {
  constexpr double L = 2.0, twist = pi / 2.0;
  const Vec6 answer =
      DenseStatics(model("section: s, from: [0, 0, 0], to: [2, 0, 0], first-axis: [0, 1, 0], twist: 90 deg, degree: 5",
                         force_along_z))
          .linear_answer();
  // A force along z bends about y: at the start about the first axis (EI = 1), at the end about the second (EI = 3).
  const auto integral = [](auto f) { return boost::math::quadrature::gauss<double, 30>::integrate(f, 0.0, L); };
  const double along = integral([](double s) {
    const double c = std::cos(twist * s / L), S = std::sin(twist * s / L);
    return (L - s) * (L - s) * (c * c / 1.0 + S * S / 3.0) + 1.0 / 5e2;
  });
  const double across = integral([](double s) {
    const double c = std::cos(twist * s / L), S = std::sin(twist * s / L);
    return (L - s) * (L - s) * c * S * (1.0 / 1.0 - 1.0 / 3.0);
  });
  EXPECT_NEAR(answer[2], along, by_elements * along);
  EXPECT_NEAR(answer[1], -across, by_elements * along);
}

// Protects: stiffness is linear between sections without an outline.
TEST(Taper, deflection_by_hand) {
  constexpr double L = 2.0;
  const Vec6 answer =
      DenseStatics(model(tapered + ", from: [0, 0, 0], to: [2, 0, 0], first-axis: [0, 1, 0], degree: 5", force_along_z))
          .linear_answer();
  const double expected = boost::math::quadrature::gauss<double, 30>::integrate(
      [](double s) { return (L - s) * (L - s) / (1.0 + s / L) + 1.0 / (5e2 + 1e2 * s / L); }, 0.0, L);
  EXPECT_NEAR(answer[2], expected, by_elements * expected);
}

// Protects: where two sections have the same place, the beam changes suddenly, in stiffness and in mass.
TEST(Taper, sudden_change_by_hand) {
  constexpr double L = 2.0, l = 0.6;
  const std::string text = model(
      "section: [{at: 0, section: s}, {at: 0.3, section: s}, {at: 0.3, section: u}, {at: 1, section: u}], from: [0, 0, "
      "0], to: [2, 0, 0], first-axis: [0, 1, 0]",
      force_along_z);
  const double rest = std::pow(L - l, 3) / 3.0;
  const double expected = (std::pow(L, 3) / 3.0 - rest) / 1.0 + rest / 2.0 + l / 5e2 + (L - l) / 6e2;
  EXPECT_NEAR(DenseStatics(text).linear_answer()[2], expected, by_elements * expected);
  double mass = 0.0;
  for (const Node& node : assemble(read_model_text(text, "test.yaml")).model.nodes) mass += node.mass(0, 0);
  constexpr double round_off = 1e-14;
  EXPECT_NEAR(mass, 1.0 * l + 3.0 * (L - l), 10.0 * round_off);
}

// Protects: large deformation of a curved beam in space: the 45 degree bend of K. J. Bathe and S. Bolourchi, Large
// displacement analysis of three-dimensional beam structures, Int. J. Numer. Meth. Eng. 14 (1979) 961-986, where the
// tip moves by (-23.5, -13.4, 53.4). More digits are from shooting with 4000 Runge-Kutta steps for the rod equations n
// = F, m' = -x' x n, x' = R (e_3 + C_n^-1 R^T n), R' = R (K_0 + C_m^-1 R^T m)~.
TEST(Arc, bend_of_bathe_and_bolourchi) {
  const Vec3 tip = DenseStatics(
                       "freeplay: 1\n"
                       "sections:\n"
                       "  q: {stiffness: {axial: 1e7, shear: 5e6, bending: 1e7/12, torsion: 1e7/12}, mass: 1,\n"
                       "      rotary: [1, 1, 2]}\n"
                       "bodies:\n"
                       "  b: {beam: {section: q, elements: 4, degree: 4,\n"
                       "      arc: {from: [0, 0, 0], centre: [0, 100, 0], axis: [0, 0, 1], angle: 45 deg}}}\n"
                       "loads: {F: {force: {on: b.end, value: [0, 0, 600]}}}\n" +
                       at_rest)
                       .loaded(12);
  const Vec3 start(100.0 * std::sqrt(0.5), 100.0 - 100.0 * std::sqrt(0.5), 0.0);
  const Vec3 expected(-23.5602395450, -13.6045213473, 53.4748587918);
  constexpr double by_four_elements = 2e-5;
  EXPECT_LT((tip - start - expected).norm(), by_four_elements);
}

// Protects: places along a curve: @s is the fraction of its length.
TEST(Arc, place_along_it) {
  AnalysisRun run(
      model("section: s, arc: {from: [1, 0, 0], centre: [0, 0, 0], axis: [0, 0, 1], angle: 180 deg}, places: "
            "[1/3]" +
                clamp,
            at_rest));
  ASSERT_EQ(run.run(), RunEnd::finished);
  constexpr double round_off = 1e-14;
  EXPECT_LT((run.position("b@0.333333", run.last()) - Vec3(0.5, std::sqrt(0.75), 0)).norm(), round_off);
}

}  // namespace
}  // namespace freeplay
