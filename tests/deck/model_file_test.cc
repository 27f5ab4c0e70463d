#include "freeplay/deck/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/deck/joint_type.h"

namespace freeplay {
namespace {

// Uses every kind of thing that a model file can contain.
const char* const everything = R"yaml(freeplay: 1
title: "Everything: at once"
parameters: {L: 1 m, n: 3, a: 30 deg, half: "${L}/2"}
gravity: [0, -9.81, 0]
ground: {points: {support: [0, ${L}, 0], hinge: {at: [0, 0, 0], axis: [0, 0, 2]}}}
bodies:
  crank:
    rigid:
      mass: 1 kg
      inertia: [2, 2, 3, 0.1, 0.2, 0.3]
      at: [${half}, 0, 0]
      rotation: {axis: [0, 0, 1], angle: "${a}"}
      angular-velocity: [0, 0, 100 rpm]
      velocity: [1 km/h, 0, 0]
      points: {tip: [1, 0, 0]}
      shape: {cylinder: {from: [0, 0, 0], to: [1, 0, 0], radius: 5 cm}}
  rod:
    rigid: {mass: 2, inertia: 0.1, at: [0, 0, 0], fix: [z, rx, ry], shape: {sphere: {radius: 1}}}
  box:
    rigid: {mass: 2, centre: [1 mm, 0, 0], free: true, shape: {box: {size: [1, 1, 1]}}}
  shaft:
    beam:
      section: tube
      from: [0, 0, 0]
      to: [6 m, 0, 0]
      first-axis: [0, 2, 0]
      elements: 8
      degree: 4
      damping: 1 ms
      places: [0.25, 1/3]
      fix: {start: [x, y, z, rx, ry], end: [rx, ry, rz]}
      velocity: [1 m/s, 0, 0]
      angular-velocity: [60 rpm, 0, 0]
  bow: {beam: {section: rod, from: [0, 0, 0], to: [0, 0, ${L}]}}
sections:
  tube:
    stiffness: {axial: 30 MN, shear: 2.0 MN, bending: [28.2 kN*m^2, 28.7 kN*m^2], torsion: 22.1 kN*m^2}
    mass: 0.848 kg/m
    centre: [1 mm, 0 mm]
    rotary: [1e-3 kg*m, 1e-3 kg*m, 2e-3 kg*m]
    tube: {outer: 5 cm, inner: 4 cm}
  rod: {material: {E: 207 GPa, G: 79.6 GPa, density: 7800 kg/m^3}, circle: {radius: 5 mm}}
joints:
  string: {distance: {between: [bow.start, bow.end]}}
  hub: {fixed: {between: [shaft@0.5, bow@${L}/4 m]}}
  pin: {revolute: {between: [ground.hinge, crank], drive: {angle: "10 rad/s * t * ramp(t, 0, 1 s)"}}}
  rod: {distance: {between: [crank.tip, rod], length: 1.5 m}}
  cross: {universal: {between: [ground, rod], at: [0, 0, 0], axis: [1, 1, 0], second-axis: [0, 0, 1]}}
springs:
  s:
    translational:
      between: [ground.support, crank.tip]
      damping: 1 N*s/m
      free-length: 1 m
      table: [[-1 mm, -5 N], [0, 0], [2 mm, 9 N]]
  k: {torsional: {between: [ground, crank], axis: [0, 0, 1], stiffness: "${n} * 10 N*m", free-angle: 10 deg}}
  b: {bushing: {between: [ground, crank.tip], stiffness: [1e3 N/m, 1 N/m, 1 kN/m, 1 N*m, 1 N*m, 1 N*m/rad]}}
loads:
  F: {force: {on: crank.tip, value: [0, "10 N * sin(3 rad/s * t)", {table: [[0 s, 0 N], [1 s, 5 N]]}]}}
  G: {force: {on: shaft.end, value: [0, 1 N, 0]}}
  T: {torque: {on: crank, value: [0, 0, "if(t < 2, 1, 0)"], following: true}}
analysis: {dynamic: {end: 10 s, tolerance: 1e-5, max-step: 0.1 s, newton: {iterations: 7}}}
output: {every: 10 ms, paraview: {every: 20 ms}}
)yaml";

const char* const pendulum = R"(freeplay: 1
bodies:
  bob: {rigid: {mass: 1 kg, at: [0, 0, 0], points: {hook: [0, 1, 0]}}}
joints:
  pin: {spherical: {between: [ground, bob.hook]}}
analysis: {dynamic: {end: 1 s}}
)";

std::string errors(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    read_model_text(text, "m", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A model with one body `b`, and the rest as given.
std::string errors_of_body(const std::string& keys) {
  return errors("freeplay: 1\nanalysis: {static: {}}\nbodies:\n  b: {rigid: {mass: 1, " + keys + "}}\n");
}

/// A model with bodies `b` (with a point p) and `c`, and the given joint.
std::string errors_of_joint(const std::string& joint) {
  return errors(
      "freeplay: 1\nanalysis: {static: {}}\nbodies:\n  b: {rigid: {mass: 1, fix: [x, y, z], points: {p: [1, 0, 0], q: "
      "{at: [0, 0, 0], axis: [1, 0, 0]}}}}\n  c: {rigid: {mass: 1, fix: [x, y, z]}}\njoints:\n  j: " +
      joint + "\n");
}

// The values arrive, in SI units.
TEST(ModelFile, reads_everything) {
  const ModelSpec model = read_model_text(everything, "m");
  EXPECT_EQ(model.title, "Everything: at once");
  ASSERT_EQ(model.bodies.size(), 3u);
  const RigidBodySpec& crank = model.bodies[0];
  EXPECT_EQ(crank.inertia, (std::array<double, 6>{2, 2, 3, 0.1, 0.2, 0.3}));
  EXPECT_EQ(*crank.at, Vec3(0.5, 0, 0));
  EXPECT_DOUBLE_EQ((*crank.angular_velocity)[2], 100 * 2 * std::numbers::pi / 60);
  EXPECT_DOUBLE_EQ((*crank.velocity)[0], 1 / 3.6);
  EXPECT_DOUBLE_EQ((*crank.rotation)(1, 0), 0.5);
  EXPECT_EQ(crank.where.line, 7);
  EXPECT_EQ(model.bodies[1].inertia, (std::array<double, 6>{0.1, 0.1, 0.1, 0, 0, 0}));
  EXPECT_EQ(model.bodies[1].fix, (std::vector<Dof>{Dof::z, Dof::rx, Dof::ry}));
  EXPECT_EQ(model.ground_points[1].axis, Vec3(0, 0, 1));
  ASSERT_EQ(model.joints.size(), 5u);
  EXPECT_EQ(model.joints[2].type, "revolute");
  EXPECT_EQ(model.joints[2].between[0].point, "hinge");
  EXPECT_EQ((*model.joints[2].drive.angle)(2), 20);
  EXPECT_EQ(*model.joints[3].length, 1.5);
  EXPECT_DOUBLE_EQ((*model.joints[4].axis)[0], std::sqrt(0.5));
  ASSERT_EQ(model.springs.size(), 3u);
  EXPECT_EQ(model.springs[0].table[2][1], 9);
  EXPECT_EQ(model.springs[1].stiffness, 30);
  EXPECT_EQ(model.springs[2].bushing_stiffness, (std::array<double, 6>{1000, 1, 1000, 1, 1, 1}));
  EXPECT_EQ(model.loads[0].value[2](0.5), 2.5);
  EXPECT_EQ(model.loads[2].value[2].corners(), std::vector<double>{2.0});
  EXPECT_TRUE(model.loads[2].following);
  EXPECT_EQ(model.analysis.tolerance, 1e-5);
  EXPECT_EQ(model.analysis.newton_iterations, 7);
  EXPECT_EQ(*model.output.paraview_every, 0.02);
}

// resolved.yaml is a model file of the same model, with every default in it.
TEST(ModelFile, resolved_reads_back) {
  const auto content = [](const std::string& text) { return text.substr(text.find("freeplay: 1")); };
  for (const char* text : {everything, pendulum}) {
    const ModelSpec model = read_model_text(text, "m");
    const ModelSpec again = read_model_text(model.resolved, "resolved");
    EXPECT_EQ(content(again.resolved), content(model.resolved));
  }
  const ModelSpec model = read_model_text(everything, "m");
  const ModelSpec again = read_model_text(model.resolved, "resolved");
  EXPECT_EQ(*again.bodies[0].rotation, *model.bodies[0].rotation);
  EXPECT_EQ(*again.joints[4].axis, *model.joints[4].axis);
  EXPECT_EQ((*again.joints[2].drive.angle)(0.3), (*model.joints[2].drive.angle)(0.3));
  EXPECT_NE(read_model_text(pendulum, "m").resolved.find("tolerance: 1e-04\n    alpha: 1\n"), std::string::npos);
  EXPECT_NE(model.resolved.find("# ${half} = 0.5 m\n"), std::string::npos);
}

// A model with a fixed step has no tolerance in resolved.yaml, which would exclude it.
TEST(ModelFile, resolved_of_fixed_step_reads_back) {
  const ModelSpec model = read_model_text(pendulum, "m", {{"analysis.dynamic.step", "1 ms"}});
  EXPECT_EQ(*read_model_text(model.resolved, "resolved").analysis.step, 1e-3);
}

// Six mistakes give six messages, in the order of the file.
TEST(ModelFile, all_errors_in_one_pass) {
  EXPECT_EQ(
      errors(R"(freeplay: 2
gravity: [0, 9.81 m, 0]
bodies:
  bob: {rigid: {mass: -1 kg, pints: {hook: [0, 1, 0]}}}
joints:
  pin: {spherical: {between: [ground, bop]}}
analysis: {dynamic: {end: 1 s, step: 1 ms, tolerance: 1e-3}}
)"),
      "m:1:11: error: freeplay: must be 1, not '2'\n"
      "m:2:14: error: gravity.1: 9.81 m is a length [m], but an acceleration [m/s^2] is needed\n"
      "m:4:23: error: bodies.bob.rigid.mass: -1 kg must be > 0\n"
      "m:4:30: error: bodies.bob.rigid.pints: unknown key, did you mean 'points'? (possible here: mass, inertia, "
      "centre, at, rotation, velocity, angular-velocity, fix, points, shape, free)\n"
      "m:6:39: error: joints.pin.spherical.between.1: there is no body 'bop', did you mean 'bob'? (bodies: ground, "
      "bob)\n"
      "m:7:44: error: analysis.dynamic.tolerance: is for error-controlled steps and excludes 'step'; remove one of "
      "the two\n");
}

// What a model cannot do without is asked for.
TEST(ModelFile, missing_keys) {
  EXPECT_EQ(errors("title: x\n"),
            "m:1:1: error: the key 'analysis' is missing\n"
            "m:1:1: error: the key 'bodies' is missing\n"
            "m:1:1: error: the key 'freeplay' is missing\n");
  EXPECT_EQ(errors("freeplay: 1\nbodies: {}\nanalysis: {static: {}}\n"),
            "m:2:1: error: bodies: a model needs at least one body\n");
  EXPECT_EQ(errors("freeplay: 1\nbodies: {b: {rigid: }}\nanalysis: {static: }\n"),
            "m:2:10: error: bodies.b.rigid: the key 'mass' is missing\n");
}

// Inertia that no body can have is refused; limits are allowed.
TEST(ModelFile, inertia) {
  EXPECT_EQ(
      errors_of_body("inertia: [1, 1, 2.5]"),
      "m:4:33: error: bodies.b.rigid.inertia: is impossible: its principal moments are 1, 1 and 2.5 kg*m^2, but 1 + 1 "
      "< 2.5: no moment can exceed the sum of the other two\n");
  EXPECT_EQ(
      errors_of_body("inertia: [1, 1, 1, 2, 0, 0]"),
      "m:4:33: error: bodies.b.rigid.inertia: is impossible: its principal moments are -1, 1 and 3 kg*m^2, but none "
      "can be negative\n");
  EXPECT_EQ(errors_of_body("inertia: [1, 1, 1, 2]"),
            "m:4:33: error: bodies.b.rigid.inertia: must be 1, 3 or 6 numbers, not 4\n");
  for (const char* allowed : {"0", "[0, 0, 0]", "[0, 1, 1]", "[0.1, 0.2, 0.3]", "2 kg*cm^2"}) {
    EXPECT_EQ(errors_of_body(std::string("inertia: ") + allowed), "") << allowed;
  }
}

// Only holonomic sets of fixed directions in body axes are possible.
TEST(ModelFile, fix) {
  for (const char* allowed : {"", "x, y, z", "rx, ry", "rx, ry, z", "rx, ry, x, y", "ry, rz, x", "rx, ry, x, y, z",
                              "rx, ry, rz", "rx, ry, rz, x", "x, y, z, rx, ry, rz"}) {
    EXPECT_EQ(errors_of_body("fix: [" + std::string(allowed) + "]"), "") << allowed;
  }
  for (const char* refused : {"x", "x, y", "rx", "x, y, z, rx", "rx, ry, x", "rx, ry, x, z", "rx, rz, x"}) {
    EXPECT_NE(errors_of_body("fix: [" + std::string(refused) + "]").find("not holonomic"), std::string::npos)
        << refused;
  }
  EXPECT_EQ(errors_of_body("fix: [x, x]"), "m:4:29: error: bodies.b.rigid.fix: names a direction twice\n");
  EXPECT_EQ(errors_of_body("fix: [a]"),
            "m:4:30: error: bodies.b.rigid.fix.0: must be one of x, y, z, rx, ry, rz, not 'a'\n");
}

// Joints are told what they lack, and nothing is asked for twice.
TEST(ModelFile, joints) {
  EXPECT_EQ(
      errors_of_joint("{revolute: {between: [c, b]}}"),
      "m:7:3: error: joints.j.revolute: it is not known where this is: add 'at: [x, y, z]', or name a point in "
      "'between', such as b.tip\n"
      "m:7:3: error: joints.j.revolute: needs an axis: add 'axis: [x, y, z]', or give one to a point that 'between' "
      "names\n");
  EXPECT_EQ(
      errors_of_joint("{revolute: {between: [c, b.p]}}"),
      "m:7:3: error: joints.j.revolute: needs an axis: add 'axis: [x, y, z]', or give one to a point that 'between' "
      "names\n");
  EXPECT_EQ(errors_of_joint("{revolute: {between: [c, b.q]}}"), "");
  EXPECT_EQ(errors_of_joint("{distance: {between: [c, b]}}"), "");
  EXPECT_EQ(errors_of_joint("{orientation: {between: [c, b]}}"), "");
  EXPECT_EQ(errors_of_joint("{spherical: {between: [b.q, b.p]}}"),
            "m:7:34: error: joints.j.spherical.between: connects 'b' with itself; name two different bodies\n");
  EXPECT_EQ(errors_of_joint("{spherical: {between: [b.r, c], axis: [1, 0, 0]}}"),
            "m:7:29: error: joints.j.spherical.between.0: 'b' has no point 'r' (its points: p, q)\n"
            "m:7:38: error: joints.j.spherical.axis: unknown key (possible here: between, at, friction)\n");
  EXPECT_EQ(errors_of_joint("{universal: {between: [b.p, c], axis: [1, 0, 0], second-axis: [2, 0, 0]}}"),
            "m:7:55: error: joints.j.universal: 'axis' and 'second-axis' must not be parallel\n");
  EXPECT_EQ(errors_of_joint("{revolute: {between: [b.p, c], axis: [0, 0, 0]}}"),
            "m:7:43: error: joints.j.revolute.axis: must not be zero: it is a direction\n");
  EXPECT_EQ(errors_of_joint("{prismatic: {between: [b.q, c], drive: {angle: t}}}"),
            "m:7:46: error: joints.j.prismatic.drive.angle: unknown key (possible here: displacement)\n");
  EXPECT_EQ(
      errors_of_joint("{spherical: {between: [b@0.5, c]}}"),
      "m:7:29: error: joints.j.spherical.between.0: 'b' is not a beam: only beams have places with @ (its points: "
      "p, q)\n");
  EXPECT_EQ(errors_of_joint("{spherical: {between: [b.p.q, c]}}"),
            "m:7:29: error: joints.j.spherical.between.0: 'b.p.q' is not the name of a place, such as ground, crank, "
            "crank.tip or shaft@0.5\n");
}

// Where a joint is on a body, or on ground, is not known if it depends on a body without position: nothing is guessed.
TEST(ModelFile, joints_of_bodies_without_position) {
  const auto errors_of = [](const std::string& things) {
    return errors(
        "freeplay: 1\nanalysis: {static: {}}\nbodies: {b: {rigid: {mass: 1, points: {p: [1, 0, 0]}}}, c: {rigid: "
        "{mass: "
        "1, at: [0, 0, 0]}}}\n" +
        things + "\n");
  };
  const std::string of_ground =
      "it is not known where on ground this is, since 'b' has no position: add 'at: [x, y, z]' here or in bodies.b, or "
      "name a point of ground\n";
  const std::string of_body =
      "it is not known where on 'b' the place 'at' is, since 'b' has no position: add 'at: [x, y, z]' (and 'rotation') "
      "in bodies.b, or name a point of it, such as b.tip\n";
  const std::string c = "c: {spherical: {between: [ground, c], at: [0, 0, 0]}}";
  EXPECT_EQ(errors_of("joints: {j: {spherical: {between: [ground, b.p]}}, " + c + "}"),
            "m:4:10: error: joints.j.spherical: " + of_ground);
  EXPECT_EQ(errors_of("joints: {j: {spherical: {between: [ground, b], at: [1, 0, 0]}}, " + c + "}"),
            "m:4:44: error: joints.j.spherical.between.1: " + of_body);
  EXPECT_EQ(errors_of("joints: {j: {spherical: {between: [b, c], at: [1, 0, 0]}}, " + c + "}"),
            "m:4:36: error: joints.j.spherical.between.0: " + of_body);
  EXPECT_EQ(errors_of("springs: {j: {bushing: {between: [b.p, ground], stiffness: [1, 1, 1, 1, 1, 1]}}}\njoints: {" +
                      c + "}"),
            "m:4:11: error: springs.j.bushing: " + of_ground);
  // Assembly can place these.
  for (const char* between : {"[ground, b.p], at: [1, 0, 0]", "[c, b]", "[b.p, c]", "[b, c]"})
    EXPECT_EQ(errors_of("ground: {points: {o: [0, 0, 0]}}\njoints: {j: {fixed: {between: " + std::string(between) +
                        "}}, k: {spherical: {between: [ground.o, c]}}}")
                  .find("position"),
              std::string::npos)
        << between;
}

std::string warnings_of_text(const std::string& keys) {
  return joined(
      read_model_text("freeplay: 1\nanalysis: {static: {}}\nbodies: {b: {rigid: {mass: 1, " + keys + "}}}\n", "m")
          .warnings,
      "\n");
}

// Degrees without a unit count as radians: an angle of more than a turn is hardly meant.
TEST(ModelFile, warns_of_angles_without_unit) {
  EXPECT_EQ(
      warnings_of_text("rotation: {axis: [0, 0, 1], angle: 90}"),
      "m:3:66: warning: bodies.b.rigid.rotation.angle: 90 has no unit and counts as rad, which is more than a turn: "
      "write '90 deg' or '90 rad'");
  EXPECT_EQ(warnings_of_text("rotation: {axis: [0, 0, 1], angle: 90 rad}"), "");
  EXPECT_EQ(warnings_of_text("rotation: {axis: [0, 0, 1], angle: 2*pi}"), "");
}

// A number whose unit was forgotten counts as SI: that is hardly meant where the other components have theirs.
TEST(ModelFile, warns_of_forgotten_units_in_lists) {
  EXPECT_EQ(
      warnings_of_text("at: [100 mm, 0, 20]"),
      "m:3:47: warning: bodies.b.rigid.at.2: 20 has no unit and counts as [m], but others of this list have a unit: "
      "write it here too");
  EXPECT_EQ(warnings_of_text("at: [100 mm, 0, 20 mm], centre: [1, 2, 3], velocity: [0, 0, 0]"), "");
  EXPECT_EQ(warnings_of_text("points: {p: {at: [1, 1, 1], axis: [sin(30 deg), 1, 0]}}"), "");
}

// A forgotten joint is found; a body that is meant to fly says so; a model without joints is about flying bodies.
TEST(ModelFile, disconnected_body) {
  const std::string with_second = std::string(pendulum) + "title: two\n";
  EXPECT_EQ(
      errors(with_second, {{"bodies.ball.rigid.mass", "1"}}),
      "--set bodies.ball.rigid.mass=1: error: bodies.ball: is not connected to anything: add a joint or spring, or "
      "'free: true' if it is meant to fly freely\n");
  EXPECT_EQ(errors(with_second, {{"bodies.ball.rigid", "{mass: 1, free: true}"}}), "");
  EXPECT_EQ(errors("freeplay: 1\nbodies: {b: {rigid: {mass: 1}}}\nanalysis: {static: {}}\n"), "");
}

// A parameter that is never used is most likely a mistake; one used in a wrong place is not reported as unused.
TEST(ModelFile, unused_parameters) {
  EXPECT_EQ(errors(std::string(pendulum) + "parameters: {c: 1 mm, d: 2}\ngravty: [\"${d}\", 0, 0]\n"),
            "m:7:14: error: parameters.c: is never used; write ${c} where it is meant, or remove it\n"
            "m:8:1: error: gravty: unknown key, did you mean 'gravity'? (possible here: freeplay, title, parameters, "
            "gravity, ground, sections, bodies, contacts, frictions, joints, springs, loads, analysis, output)\n");
  EXPECT_EQ(errors(std::string(pendulum) + "parameters: {width: 1 mm}\ngravity: [\"${width}/1 m * 1 m/s^2\", 0, 0]\n",
                   {{"parameters.widht", "2 mm"}}),
            "--set parameters.widht=2 mm: error: parameters.widht: the model has no such parameter, did you mean "
            "'width'?\n");
}

// Protects: what --set replaces may be the only place where a parameter is used; a table in a message has one line.
TEST(ModelFile, overrides_with_tables) {
  const std::string model = std::string(pendulum) + "parameters: {g: 9.81}\ngravity: [0, \"-${g}\", 0]\n";
  EXPECT_EQ(errors(model), "");
  EXPECT_EQ(errors(model, {{"gravity", "[0, -1, 0]"}}), "");
  EXPECT_EQ(errors(model, {{"analysis", "dynamic:\n  end: -1 s\n"}}),
            "--set analysis={dynamic: {end: -1 s}}: error: analysis.dynamic.end: -1 s must be > 0\n");
}

// --set replaces, adds and reaches into lists; its errors name the option.
TEST(ModelFile, overrides) {
  const ModelSpec model = read_model_text(
      everything, "m", {{"parameters.L", "2 m"}, {"gravity.1", "-1"}, {"analysis.dynamic.alpha", "0.5"}});
  EXPECT_EQ((*model.bodies[0].at)[0], 1.0);
  EXPECT_EQ(model.gravity[1], -1);
  EXPECT_EQ(model.analysis.alpha, 0.5);
  EXPECT_EQ(errors(pendulum, {{"analysis.dynamic.end", "-1 s"}}),
            "--set analysis.dynamic.end=-1 s: error: analysis.dynamic.end: -1 s must be > 0\n");
  EXPECT_EQ(errors(pendulum, {{"analysis.dynamic.ned", "1 s"}}).substr(0, 100),
            "--set analysis.dynamic.ned=1 s: error: analysis.dynamic.ned: unknown key, did you mean 'end'? (possi");
  EXPECT_EQ(
      errors(everything, {{"gravity.3", "1"}}),
      "--set gravity.3=1: error: gravity: '3' is not the number of an element of this list; they are counted from 0 "
      "to 2\n");
  EXPECT_EQ(errors(pendulum, {{"freeplay.x", "1"}}),
            "--set freeplay.x=1: error: freeplay: is '1' in the file and has no key 'x'\n");
  EXPECT_EQ(errors(pendulum, {{"a..b", "1"}}).substr(0, 20), "--set a..b=1: error:");
  EXPECT_EQ(errors(pendulum, {{"title", "[1"}}).substr(0, 31), "--set title=[1: error: title: t");
}

// Loads act on bodies and have a value at t = 0.
TEST(ModelFile, loads) {
  EXPECT_EQ(errors(std::string(pendulum) + "loads: {f: {force: {on: ground, value: [1, log(t), 2 N*m]}}}\n"),
            "m:7:25: error: loads.f.force.on: a load on ground has no effect; name a body\n"
            "m:7:44: error: loads.f.force.value.1: log(t) has no finite value at t = 0\n"
            "m:7:52: error: loads.f.force.value.2: 2 N*m is a moment or energy [N*m], but a force [N] is needed\n");
}

// A spring needs one law.
TEST(ModelFile, springs) {
  const std::string start = std::string(pendulum) + "springs: {s: {translational: {between: [ground, bob]";
  EXPECT_EQ(errors(start + "}}}\n"),
            "m:7:11: error: springs.s.translational: needs 'stiffness', 'damping' or 'table'\n");
  EXPECT_EQ(errors(start + ", stiffness: 1, table: [[0, 0], [1, 1]]}}}\n"),
            "m:7:69: error: springs.s.translational: 'table' and 'stiffness' exclude each other\n");
  EXPECT_EQ(errors(start + ", stiffness: -1}}}\n"),
            "m:7:66: error: springs.s.translational.stiffness: -1 must be >= 0\n");
}

// What is no model file is said so.
TEST(ModelFile, files_that_are_no_models) {
  namespace fs = std::filesystem;
  const auto message = [](const std::string& file) -> std::string {
    try {
      read_model_file(file);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string directory = ::testing::TempDir();
  EXPECT_EQ(message("missing.yaml"), "missing.yaml: error: there is no such file\n");
  EXPECT_EQ(message(directory), directory + ": error: this is a directory, not a model file\n");
  const std::string big = directory + "freeplay_big_model.yaml";
  std::ofstream(big).put('x');
  fs::resize_file(big, (8u << 20) + 1);
  EXPECT_EQ(message(big), big + ": error: the file has 8388609 bytes, the limit is 8388608 bytes\n");
  fs::remove(big);
  EXPECT_EQ(errors(""), "m:1:1: error: the file is empty; a model begins with 'freeplay: 1'\n");
  EXPECT_EQ(errors("# only a comment\n"), "m:1:1: error: the file is empty; a model begins with 'freeplay: 1'\n");
  EXPECT_EQ(errors("hello"), "m:1:1: error: must be a table of keys, not 'hello'\n");
  EXPECT_EQ(errors(std::string("a\0b", 3)), "m:1:2: error: this is not a text file (it contains the byte 0)\n");
}

// Numbers that are no numbers are refused.
TEST(ModelFile, numbers) {
  for (const char* text :
       {".nan", ".inf", "nan", "inf", "-inf", "1e999", "1e200 * 1e200", "0/0", "1_000", "0x10", "~", "''"}) {
    EXPECT_NE(errors("freeplay: 1\nbodies: {b: {rigid: {mass: " + std::string(text) + "}}}\nanalysis: {static: {}}\n"),
              "")
        << text;
  }
}

// The schema is JSON and, like the reference, knows every joint type.
TEST(ModelFile, schema_and_reference) {
  const auto schema = nlohmann::json::parse(model_json_schema());
  const auto& joints = schema["properties"]["joints"]["additionalProperties"]["properties"];
  const std::string reference = model_reference();
  for (const JointTypeKeys& type : joint_type_keys()) {
    EXPECT_TRUE(joints.contains(type.name));
    EXPECT_NE(reference.find("`joints.NAME." + type.name + "`"), std::string::npos);
  }
  EXPECT_EQ(schema["required"], nlohmann::json::array({"freeplay", "bodies", "analysis"}));
}

/// All names of properties below a schema.
void collect_keys(const nlohmann::json& schema, std::vector<std::string>& keys) {
  if (schema.is_object() && schema.contains("properties")) {
    for (const auto& [key, value] : schema["properties"].items()) keys.push_back(key);
  }
  if (!schema.is_structured()) return;
  for (const auto& value : schema) collect_keys(value, keys);
}

// The schema does not forget what the reader knows: each key of a resolved file is in it.
TEST(ModelFile, schema_mentions_every_key) {
  std::vector<std::string> keys;
  collect_keys(nlohmann::json::parse(model_json_schema()), keys);
  for (const char* key : {"freeplay",
                          "title",
                          "parameters",
                          "gravity",
                          "ground",
                          "points",
                          "mass",
                          "inertia",
                          "centre",
                          "at",
                          "rotation",
                          "matrix",
                          "rxyz",
                          "angle",
                          "velocity",
                          "angular-velocity",
                          "fix",
                          "shape",
                          "sphere",
                          "box",
                          "cylinder",
                          "radius",
                          "size",
                          "from",
                          "to",
                          "free",
                          "sections",
                          "axial",
                          "shear",
                          "bending",
                          "torsion",
                          "rotary",
                          "material",
                          "E",
                          "G",
                          "density",
                          "circle",
                          "tube",
                          "outer",
                          "inner",
                          "rectangle",
                          "width",
                          "height",
                          "shear-correction",
                          "beam",
                          "section",
                          "first-axis",
                          "elements",
                          "degree",
                          "places",
                          "start",
                          "between",
                          "axis",
                          "second-axis",
                          "length",
                          "drive",
                          "displacement",
                          "stiffness",
                          "damping",
                          "free-length",
                          "free-angle",
                          "table",
                          "on",
                          "value",
                          "following",
                          "end",
                          "step",
                          "tolerance",
                          "max-step",
                          "min-step",
                          "initial-step",
                          "alpha",
                          "max-steps",
                          "newton",
                          "iterations",
                          "every",
                          "paraview",
                          "checkpoint-every"}) {
    EXPECT_NE(std::find(keys.begin(), keys.end(), key), keys.end()) << key;
  }
}

// Whatever is done to a file, the result is a model or an InputError.
TEST(ModelFile, survives_mutations) {
  std::mt19937 random(20240607);
  const std::string alphabet = "{}[]:,&*!|>'\"%@`#-+^/()$ \n\t0123456789.eabtxyz_\x80\xff";
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int i = 0; i < 2000; ++i) {
    std::string text = everything;
    for (std::size_t edits = 1 + below(6); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      const char c = below(10) == 0 ? static_cast<char>(below(256)) : alphabet[below(alphabet.size())];
      switch (below(4)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        case 2:
          text.erase(at, 1 + below(20));
          break;
        default:
          text.insert(below(text.size()), text.substr(at, 1 + below(40)));
      }
    }
    try {
      read_model_text(text, "m");
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("error: "), std::string::npos);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace freeplay
