#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/analysis_testing.h"
#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"

namespace freeplay {
namespace {

constexpr double g = 9.81;
// Newton's method ends at round-off.
constexpr double found = 1e-12;
// Forces of steel that cancel within elements are 1e7 times their sum: so much more of round-off moves beams.
constexpr double found_of_beams = 1e-11;

// Protects: exact equilibrium of a linear spring, from a start far away and to the side.
TEST(StaticAnalysis, hanging_mass_stretches_its_spring) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
ground: {points: {hook: [0, 1, 0]}}
bodies: {mass: {rigid: {mass: 2, inertia: 0.1, at: [0.4, 0.7, 0], points: {eye: [0, 0, 0]}}}}
springs: {spring: {translational: {between: [ground.hook, mass.eye], stiffness: 500, free-length: 0.5}}}
analysis: {static: {}}
)yaml");
  EXPECT_EQ(run.run(), RunEnd::finished);
  ASSERT_EQ(run.observer.rows.size(), 1u);
  EXPECT_LT((run.last().state.pose[0].x - Vec3(0.0, 0.5 - 2.0 * g / 500.0, 0.0)).norm(), found);
  EXPECT_NEAR(run.last().ledger.elastic, 0.5 * 500.0 * std::pow(2.0 * g / 500.0, 2), found);
}

// Protects: a pendulum that starts horizontally ends hanging down, with its weight as reaction.
TEST(StaticAnalysis, pendulum_hangs_down) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: 3, inertia: 0.1, at: [1, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_LT((run.last().state.pose[0].x - Vec3(0.0, -1.0, 0.0)).norm(), found);
  EXPECT_NEAR(std::hypot(run.last().multipliers[0], run.last().multipliers[1]), 3.0 * g, 100.0 * found);
  EXPECT_EQ(run.last().state.twist[0], Vec6(Vec6::Zero()));
}

// Protects: a chain that folds a long way finds its rest.
TEST(StaticAnalysis, chain_hangs_down) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, 0, -9.81]
bodies:
  a: {rigid: {mass: 1, inertia: 0.1, at: [0.5, 0, 0]}}
  b: {rigid: {mass: 1, inertia: 0.1, at: [1.5, 0, 0]}}
  c: {rigid: {mass: 1, inertia: 0.1, at: [2, 0.5, 0]}}
joints:
  one: {spherical: {between: [ground, a], at: [0, 0, 0]}}
  two: {universal: {between: [a, b], at: [1, 0, 0], axis: [0, 1, 0], second-axis: [0, 0, 1]}}
  three: {spherical: {between: [b, c], at: [2, 0, 0]}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_LT((run.last().state.pose[2].x - Vec3(0.0, 0.0, -2.5)).norm(), 10.0 * found);
  // The joints are closed as well as ever.
  constexpr double round_off = 1e-12;
  const State& state = run.last().state;
  for (const Joint& joint : run.model().joints) {
    const JointMotion at = rest_of(joint, [&](const Frame& frame) { return place_of(frame, state); });
    for (const Equation& equation : joint.equations)
      EXPECT_NEAR(equation.value(at, 0.0, 1.0, state.internal), 0.0, round_off) << joint.name;
  }
}

/// A rod on a hinge, 0.5 m long, from its hinge in the given direction.
std::string rod_on_a_hinge(const std::string& to, const std::string& section) {
  return R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
sections: {rod: )yaml" +
         section + R"yaml(}
bodies: {rod: {beam: {section: rod, from: [0, 0, 0], to: )yaml" +
         to + R"yaml(}}}
joints: {pin: {revolute: {between: [ground, rod.start], axis: [0, 0, 1]}}}
analysis: {static: {}}
)yaml";
}

const std::string steel = "{material: {E: 210 GPa, G: 80.77 GPa, density: 7850 kg/m^3}, circle: {radius: 5 mm}}";
const std::string soft =
    "{mass: 1, stiffness: {axial: 1e6, shear: 3.8e5, bending: 1, torsion: 0.77}, rotary: [1e-4, 1e-4, 2e-4]}";

/// Where the end of such a rod hangs: stretched by its own weight, w L^2/(2 EA).
double hanging_end(double weight, double axial_stiffness) { return -0.5 - weight * 0.25 / (2.0 * axial_stiffness); }

// Protects: flexible pendulums find their rest, from the side and from nearly there. Accelerations of steel rods are
// round-off far above 1e-9 of gravity, and half of a step is half of the way for beams.
TEST(StaticAnalysis, flexible_pendulums_hang_down) {
  const double area = std::numbers::pi * 25e-6;
  struct Rod {
    std::string section;
    double end;
  };
  for (const Rod& rod : {Rod{steel, hanging_end(7850.0 * area * g, 210e9 * area)}, Rod{soft, hanging_end(g, 1e6)}})
    for (const std::string to : {"[0.5, 0, 0]", "[0, -0.5, 0]", "[0.14, 0.48, 0]"}) {
      AnalysisRun run(rod_on_a_hinge(to, rod.section));
      EXPECT_EQ(run.run(), RunEnd::finished) << to;
      EXPECT_LT((run.last().state.pose.back().x - Vec3(0.0, rod.end, 0.0)).norm(), found_of_beams) << to;
    }
}

// Protects: a journal falls to the bottom of its bearing: friction, which statics leave out, does not stop it on the
// way, and what happens on the way is no peak of the force.
TEST(StaticAnalysis, rod_hangs_in_a_clearance_with_friction) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
sections: {rod: )yaml" +
                  steel + R"yaml(}
contacts: {steel: {linear: {stiffness: 1e7}}}
frictions: {dry: {lugre: {static: 0.15, kinetic: 0.1, sigma0: 1e5, stribeck-velocity: 1 mm/s}}}
bodies: {rod: {beam: {section: rod, from: [0, 0, 0], to: [0.5, 0, 0]}}}
joints:
  pin: {planar-clearance: {between: [ground, rod.start], axis: [0, 0, 1], bearing-radius: 10.1 mm, journal-radius: 10 mm,
        contact: steel, friction: dry}}
analysis: {static: {}}
)yaml");
  EXPECT_EQ(run.run(), RunEnd::finished);
  const double area = std::numbers::pi * 25e-6, weight = 7850.0 * area * 0.5 * g;
  const State& rest = run.last().state;
  constexpr double stiffness = 1e7;
  EXPECT_LT((rest.pose.front().x - Vec3(0.0, -1e-4 - weight / stiffness, 0.0)).norm(), found_of_beams);
  Motion now;
  set_instant(rest, now);
  for (std::size_t e = 0; e < run.model().elements.size(); ++e) {
    const ForceElement& element = *run.model().elements[e];
    if (!element.is_contact()) continue;
    std::vector<double> values(element.quantities().size());
    element.evaluate(now, internal_of(run.model(), rest, e), values);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (element.quantities()[k].name.starts_with("normal_force")) {
        EXPECT_NEAR(values[k], weight, 1e-3 * stiffness * found_of_beams);
      }
    }
  }
}

// Protects: the way downhill leaves an unstable position of rest that it begins close to, also beside a motion that
// nothing opposes.
TEST(StaticAnalysis, nearly_upright_pendulums_fall) {
  for (const char* joint : {"spherical: {between: [ground, bob], at: [0, 0, 0]}",
                            "revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}"}) {
    AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: 3, inertia: 0.1, at: [0.001, 1, 0]}}}
joints: {pin: {)yaml" +
                    std::string(joint) + "}}\nanalysis: {static: {}}\n");
    EXPECT_EQ(run.run(), RunEnd::finished) << joint;
    EXPECT_LT((run.last().state.pose[0].x - Vec3(0.0, -std::hypot(1.0, 0.001), 0.0)).norm(), found) << joint;
  }
}

/// Where the end of a steel rod of 5 mm radius hangs that turns about an axis through its start: in the plane of the
/// axis and the vertical, as low as the axis lets it, bent and sheared by the part of its weight that is across it and
/// stretched by the other part. Small deflections of a beam that is clamped against bending in this plane.
Vec3 end_on_tilted_hinge(const Vec3& start, const Vec3& end, Vec3 axis) {
  const double r = 0.005, E = 210e9, nu = 0.3, G = E / (2.0 * (1.0 + nu)), k = 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu);
  const double A = std::numbers::pi * r * r, I = A * r * r / 4.0, weight = 7850.0 * A * g;
  axis.normalize();
  const Vec3 down(0.0, -1.0, 0.0), rod = end - start;
  const double L = rod.norm(), along_axis = rod.dot(axis);
  const Vec3 lowest = (down - down.dot(axis) * axis).normalized();
  const Vec3 straight = along_axis * axis + std::sqrt(L * L - along_axis * along_axis) * lowest;
  const Vec3 along = down.dot(straight) / (L * L) * straight, across = down - along;
  return start + straight + weight * (std::pow(L, 4) / (8.0 * E * I) + L * L / (2.0 * k * G * A)) * across +
         weight * L * L / (2.0 * E * A) * along;
}

// Protects: free motions of beams are found wherever the beams are: positions far from the origin round off to strains.
TEST(StaticAnalysis, hinged_rods_anywhere_hang_down) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
sections: {rod: {material: {E: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}, circle: {radius: 0.005}}}
bodies: {rod: {beam: {section: rod, from: [-1.61, 0.81, 4.58], to: [-1.744, 0.4785, 4.9295], elements: 1}}}
joints: {pin: {revolute: {between: [ground, rod.start], axis: [-0.218, 0.808, 0.548]}}}
analysis: {static: {}}
)yaml");
  EXPECT_EQ(run.run(), RunEnd::finished);
  const Vec3 expected = end_on_tilted_hinge({-1.61, 0.81, 4.58}, {-1.744, 0.4785, 4.9295}, {-0.218, 0.808, 0.548});
  // The deflection is 0.4 mm: its square over the length, by which small deflections differ from finite ones.
  constexpr double second_order = 0.4e-3 * 0.4e-3 / 0.5;
  EXPECT_LT((run.last().state.pose.back().x - expected).norm(), second_order);
}

// Protects: a position of rest that nothing keeps is called what it is.
TEST(StaticAnalysis, upright_pendulum_is_said_to_be_unstable) {
  for (const char* start : {"[0, 1, 0]", "[1, 0, 0]"}) {
    AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {bob: {rigid: {mass: 3, inertia: 0.1, at: )yaml" +
                    std::string(start) + R"yaml(}}}
joints: {pin: {revolute: {between: [ground, bob], at: [0, 0, 0], axis: [0, 0, 1]}}}
analysis: {static: {}}
)yaml");
    run.run();
    const bool said = std::ranges::any_of(run.observer.messages,
                                          [](const std::string& message) { return contains(message, "unstable"); });
    EXPECT_EQ(said, run.last().state.pose[0].x.y() > 0.0) << start;
    EXPECT_EQ(said, std::string(start) == "[0, 1, 0]");
  }
}

// Protects: a torsional spring against gravity: k angle = m g l cos(angle).
TEST(StaticAnalysis, torsional_spring_carries_an_arm) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {arm: {rigid: {mass: 1, inertia: 0.1, at: [1, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}}}
springs: {torsion: {torsional: {between: [ground, arm], axis: [0, 0, 1], stiffness: 20, damping: 1}}}
analysis: {static: {}}
)yaml");
  run.run();
  double angle = 0.4;
  for (int k = 0; k < 50; ++k) angle -= (20.0 * angle - g * std::cos(angle)) / (20.0 + g * std::sin(angle));
  const Pose& pose = run.last().state.pose[0];
  EXPECT_NEAR(std::atan2(pose.x.y(), pose.x.x()), -angle, found);
  EXPECT_NEAR(run.last().state.internal[0], -angle, found);
}

// Protects: a torsional spring is wound up by more than a turn on the way to equilibrium, and counts it.
TEST(StaticAnalysis, torsional_spring_is_wound_up_by_several_turns) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}}
springs: {torsion: {torsional: {between: [ground, wheel], axis: [0, 0, 1], stiffness: 2}}}
loads: {wind: {torque: {on: wheel, value: [0, 0, 30]}}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_NEAR(run.last().state.internal[0], 15.0, 15.0 * found);
}

// Protects: loads are taken at t = 0, and bushings carry them as their stiffness says.
TEST(StaticAnalysis, bushing_gives_way_linearly) {
  AnalysisRun run(R"yaml(freeplay: 1
ground: {points: {base: [0, 0, 0]}}
bodies: {block: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0], points: {foot: [0, 0, 0]}}}}
springs: {mount: {bushing: {between: [ground.base, block.foot], stiffness: [100, 200, 400, 10, 10, 10]}}}
loads:
  push: {force: {on: block, value: ["3 + 5*t", "-4*cos(t)", "8*exp(t)"]}}
  turn: {torque: {on: block, value: [0, 0, 2]}}
analysis: {static: {}}
)yaml");
  run.run();
  const Pose& pose = run.last().state.pose[0];
  EXPECT_LT((pose.x - Vec3(0.03, -0.02, 0.02)).norm(), found);
  // Its energy is k sin(angle)^2 / 2, and so the moment k sin(angle) cos(angle).
  EXPECT_NEAR(std::atan2(pose.R(1, 0), pose.R(0, 0)), 0.5 * std::asin(0.4), found);
}

// Protects: a body that nothing holds is reported by name, not iterated for ever.
TEST(StaticAnalysis, falling_body_is_a_numerical_failure) {
  AnalysisRun run(R"yaml(freeplay: 1
gravity: [0, -9.81, 0]
bodies: {stone: {rigid: {mass: 1, inertia: 0.1, free: true}}}
analysis: {static: {}}
)yaml");
  const std::string message = message_of<NumericalFailure>([&] { run.run(); });
  EXPECT_TRUE(contains(message, "stone")) << message;
}

// Protects: a model without any load is at rest where it is.
TEST(StaticAnalysis, nothing_to_do_is_rest) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {stone: {rigid: {mass: 1, inertia: 0.1, at: [1, 2, 3], free: true}}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_EQ(run.last().state.pose[0].x, Vec3(1.0, 2.0, 3.0));
}

// Protects: where no load path begins, because the assembled position is far from any without loads, the way goes
// downhill. The spring turns the wheel by 1.5 rad, more than Newton's method dares at once.
TEST(StaticAnalysis, tight_spring_turns_back) {
  AnalysisRun run(R"yaml(freeplay: 1
bodies: {wheel: {rigid: {mass: 1, inertia: 0.1, at: [0, 0, 0]}}}
joints: {pin: {revolute: {between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}}
springs: {torsion: {torsional: {between: [ground, wheel], axis: [0, 0, 1], stiffness: 2, free-angle: 1.5}}}
analysis: {static: {}}
)yaml");
  run.run();
  EXPECT_NEAR(run.last().state.internal[0], 1.5, found);
  EXPECT_EQ(run.last().state.load_factor, 1.0);
  ASSERT_EQ(run.observer.messages.size(), 1u);
  EXPECT_EQ(run.observer.messages[0], "no load path begins here: going downhill under the full loads");
}

}  // namespace
}  // namespace freeplay
