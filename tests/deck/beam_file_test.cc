#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "deck/beam_testing.h"
#include "freeplay/deck/beam_axis.h"
#include "freeplay/math/rotation.h"

namespace freeplay {
namespace {

using std::numbers::pi;
using test::errors;
using test::expect_reads_back;
using test::rod;

std::string model_of_beam(const std::string& keys) {
  return "freeplay: 1\nanalysis: {static: {}}\nsections: {s: " + rod + "}\nbodies:\n  b: {beam: {section: s, " + keys +
         "}}\n";
}

std::string errors_of_beam(const std::string& keys) { return errors(model_of_beam(keys)); }

/// A beam `b`, a rigid body `r` with a point p, and more lines from line 7 on.
std::string model_with(const std::string& lines) {
  return model_of_beam("from: [0, 0, 0], to: [2, 0, 0]") +
         "  r: {rigid: {mass: 1, at: [0, 0, 0], points: {p: [1, 0, 0]}}}\n" + lines + "\n";
}

std::string errors_with(const std::string& lines) { return errors(model_with(lines)); }

// The values arrive, and the defaults are those of the reference.
TEST(BeamInput, values) {
  const ModelSpec model = read_model_text(
      model_of_beam("from: [0, 1, 0], to: [6 m, 1, 0], first-axis: [0, 3, 4], elements: 8, degree: 2, damping: 1 ms, "
                    "places: [0.25, 1/2], fix: {start: [x, y, z], end: [rx, ry, rz]}, velocity: [1, 2, 3], "
                    "angular-velocity: [60 rpm, 0, 0], free: true"),
      "m");
  ASSERT_EQ(model.beams.size(), 1u);
  EXPECT_TRUE(model.bodies.empty());
  const BeamSpec& beam = model.beams[0];
  EXPECT_EQ(beam.name, "b");
  EXPECT_EQ(beam.where.line, 5);
  ASSERT_EQ(beam.sections.size(), 1u);
  EXPECT_EQ(beam.sections[0].section, "s");
  EXPECT_EQ(beam.to, Vec3(6, 1, 0));
  EXPECT_TRUE(beam.first_axis->isApprox(Vec3(0, 0.6, 0.8)));
  EXPECT_EQ(beam.elements, 8);
  EXPECT_EQ(beam.degree, 2);
  EXPECT_EQ(beam.damping, 1e-3);
  EXPECT_EQ(beam.places, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(beam.fix_start, (std::vector<Dof>{Dof::x, Dof::y, Dof::z}));
  EXPECT_EQ(beam.fix_end, (std::vector<Dof>{Dof::rx, Dof::ry, Dof::rz}));
  EXPECT_EQ(*beam.velocity, Vec3(1, 2, 3));
  EXPECT_DOUBLE_EQ((*beam.angular_velocity)[0], 2 * pi);
  EXPECT_TRUE(beam.free);
  expect_reads_back(model);
  const BeamSpec plain = read_model_text(model_of_beam("from: [0, 0, 0], to: [1, 0, 0]"), "m").beams[0];
  EXPECT_EQ(plain.elements, 4);
  EXPECT_EQ(plain.degree, 3);
  EXPECT_EQ(plain.damping, 0);
  EXPECT_FALSE(plain.free);
}

// Without first-axis the section has the axes of basis_with_third_axis(), exactly, and resolved.yaml says which.
TEST(BeamInput, default_first_axis) {
  for (const Vec3& to : {Vec3(6, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, 2), Vec3(1, 1, 1), Vec3(0.1, -0.3, 0.2)}) {
    const std::string text = number_text(to[0]) + ", " + number_text(to[1]) + ", " + number_text(to[2]);
    const ModelSpec model = read_model_text(model_of_beam("from: [0, 0, 0], to: [" + text + "]"), "m");
    const Vec3 third = to.normalized();
    const Vec3 given = *model.beams[0].first_axis;
    const Vec3 first = (given - given.dot(third) * third).normalized();
    EXPECT_EQ(first, basis_with_third_axis(to).col(0)) << text;
    expect_reads_back(model);
  }
  const ModelSpec model = read_model_text(model_of_beam("from: [0, 0, 0], to: [6, 0, 0]"), "m");
  EXPECT_NE(model.resolved.find("first-axis: [0, 1, 0]\n"), std::string::npos) << model.resolved;
}

// What a beam cannot be.
TEST(BeamInput, errors) {
  EXPECT_EQ(errors_of_beam("from: [1, 0, 0]"), "m:5:3: error: bodies.b.beam: the key 'to' is missing\n");
  EXPECT_EQ(errors_of_beam("from: [1, 0, 0], to: [1, 0, 0], first-axis: [1, 0, 0]"),
            "m:5:43: error: bodies.b.beam.to: must not be the same point as 'from': the beam has no length\n");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], first-axis: [-1, -1, 0]"),
            "m:5:58: error: bodies.b.beam.first-axis: must not be parallel to the beam: it is the first axis of the "
            "section\n");
  EXPECT_EQ(
      errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], first-axis: [0, 0, 0], elements: 0, degree: 9, damping: -1"),
      "m:5:70: error: bodies.b.beam.first-axis: must not be zero: it is a direction\n"
      "m:5:91: error: bodies.b.beam.elements: 0 must be between 1 and 1e+05\n"
      "m:5:102: error: bodies.b.beam.degree: 9 must be between 1 and 8\n"
      "m:5:114: error: bodies.b.beam.damping: -1 must be >= 0\n");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], elements: 100001, degree: 2.5, places: [0, 0.5, 1 m]"),
            "m:5:68: error: bodies.b.beam.elements: 100001 must be between 1 and 1e+05\n"
            "m:5:84: error: bodies.b.beam.degree: 2.5 must be a whole number\n"
            "m:5:98: error: bodies.b.beam.places.0: 0 must be > 0 and < 1; the ends of a beam always have results\n"
            "m:5:106: error: bodies.b.beam.places.2: 1 m is a length [m], but a pure number is needed\n");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], places: [0.5, 0.25, 1/2]"),
            "m:5:66: error: bodies.b.beam.places: names 0.5 twice\n");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 1, 0], fix: {start: [x], end: [x, x]}"),
            "m:5:71: error: bodies.b.beam.fix.start: is not possible: directions in section axes turn with the "
            "section, and fixing these does not restrict its position (not holonomic); use a joint with ground "
            "instead, e.g. point-on-plane\n"
            "m:5:81: error: bodies.b.beam.fix.end: names a direction twice\n");
}

ArcSpec read_arc(const std::string& keys) {
  const ModelSpec model = read_model_text(model_of_beam("arc: {" + keys + "}"), "m");
  expect_reads_back(model);
  return *model.beams[0].arc;
}

// Three ways to give an arc are one arc; three points may also be more than half a circle.
TEST(BeamInput, arc_in_three_ways) {
  constexpr double digits = 1e-14;
  const std::string from = "from: [3, 1, 0], ";
  const ArcSpec by_angle = read_arc(from + "centre: [1, 1, 0], axis: [0, 0, 2], angle: 90 deg");
  EXPECT_EQ(by_angle.axis, Vec3(0, 0, 1));
  EXPECT_EQ(by_angle.angle, pi / 2);
  for (const std::string& rest : {std::string("through: [1 + sqrt(2), 1 + sqrt(2), 0], to: [1, 3, 0]"),
                                  std::string("centre: [1, 1, 0], to: [1, 3, 0]")}) {
    const ArcSpec arc = read_arc(from + rest);
    EXPECT_LT((arc.centre - by_angle.centre).norm(), digits) << rest;
    EXPECT_LT((arc.axis - by_angle.axis).norm(), digits) << rest;
    EXPECT_NEAR(arc.angle, by_angle.angle, digits) << rest;
  }
  const ArcSpec long_way = read_arc(from + "through: [1 - sqrt(2), 1 - sqrt(2), 0], to: [1, 3, 0]");
  EXPECT_NEAR(long_way.angle, 1.5 * pi, digits);
  EXPECT_LT((long_way.axis - Vec3(0, 0, -1)).norm(), digits);
}

// The axes of sections begin with first-axis, turn with the axis of the beam and with the twist.
TEST(BeamInput, axes_along_curves) {
  constexpr double digits = 1e-14;
  const auto axis = [](const std::string& keys) {
    const ModelSpec model = read_model_text(model_of_beam(keys), "m");
    expect_reads_back(model);
    return BeamAxis(model.beams[0]);
  };
  const BeamAxis frame = axis("polyline: [[0, 0, 0], [1, 0, 0], [1, 2, 0]], first-axis: [0, 1, 0]");
  EXPECT_EQ(frame.n_pieces(), 2);
  EXPECT_DOUBLE_EQ(frame.length(), 3.0);
  EXPECT_LT((frame.at(0, 1.0).R.col(0) - Vec3(0, 1, 0)).norm(), digits);
  EXPECT_LT((frame.at(1, 1.0).R.col(0) - Vec3(-1, 0, 0)).norm(), digits);
  EXPECT_LT((frame.at(1, 1.0).R.col(2) - Vec3(0, 1, 0)).norm(), digits);
  EXPECT_EQ(frame.at(1, 3.0).x, Vec3(1, 2, 0));
  const BeamAxis arc =
      axis("arc: {from: [1, 0, 0], centre: [0, 0, 0], axis: [0, 0, 1], angle: 180 deg}, first-axis: [1, 0, 0]");
  EXPECT_LT((arc.at(0, pi / 2).R.col(0) - Vec3(0, 1, 0)).norm(), digits);
  EXPECT_LT((arc.at(0, pi / 2).R.col(2) - Vec3(-1, 0, 0)).norm(), digits);
  const BeamAxis twisted = axis("from: [0, 0, 0], to: [0, 0, 4], twist: 90 deg");
  EXPECT_LT((twisted.at(0, 0.0).R - Mat3::Identity()).norm(), digits);
  EXPECT_LT((twisted.at(0, 4.0).R.col(0) - Vec3(0, 1, 0)).norm(), digits);
  EXPECT_LT((twisted.at(0, 2.0).R.col(0) - Vec3(std::sqrt(0.5), std::sqrt(0.5), 0)).norm(), digits);
}

// An axis is given in one way, and is one.
TEST(BeamInput, errors_of_axes) {
  EXPECT_EQ(errors_of_beam("elements: 2"),
            "m:5:3: error: bodies.b.beam: needs an axis: 'from' and 'to', or 'polyline', 'arc' or 'spline'\n");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], spline: [[0, 0, 0], [1, 0, 0], [2, 0, 1]]"),
            "m:5:3: error: bodies.b.beam: can have only one of 'from' with 'to' and 'spline'\n");
  EXPECT_EQ(errors_of_beam("polyline: [[0, 0, 0]]"),
            "m:5:36: error: bodies.b.beam.polyline: needs at least 2 values, has 1\n");
  EXPECT_EQ(errors_of_beam("spline: [[0, 0, 0], [1, 0, 0]]"),
            "m:5:34: error: bodies.b.beam.spline: needs at least 3 values, has 2\n");
  EXPECT_EQ(errors_of_beam("polyline: [[0, 0, 0], [1, 0, 0], [1, 0, 0]]"),
            "m:5:36: error: bodies.b.beam.polyline: the points 2 and 3 are the same\n");
  EXPECT_EQ(errors_of_beam("spline: [[0, 0, 0], [1, 0, 0], [0.5, 0, 0]]"),
            "m:5:34: error: bodies.b.beam.spline: goes straight back at its point 2; make two beams of it\n");
  EXPECT_EQ(errors_of_beam("polyline: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], first-axis: [1, 0, 0]"),
            "m:5:71: error: bodies.b.beam.first-axis: must not be parallel to the beam: it is the first axis of the "
            "section\n");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1, 0, 0], twist: 1 m"),
            "m:5:65: error: bodies.b.beam.twist: 1 m is a length [m], but an angle [rad] is needed\n");
  EXPECT_EQ(errors_of_beam("from: [0, 0, 0], to: [1e300, 0, 0]"),
            "m:5:3: error: bodies.b.beam: its axis is inf m long; look at the units\n");
  EXPECT_EQ(errors_of_beam("spline: [[0, 0, 0], [1, 0, 0], [1e300, 0, 1]]"),
            "m:5:34: error: bodies.b.beam.spline: the points 2 and 3 are 1e+300 m apart; look at the units\n");
  const auto arc = [](const std::string& keys) { return errors_of_beam("arc: {from: [1, 0, 0], " + keys + "}"); };
  EXPECT_EQ(arc("to: [0, 1, 0]"),
            "m:5:26: error: bodies.b.beam.arc: needs, beside 'from', either 'through' and 'to', or 'centre' and 'to', "
            "or 'centre', 'axis' and 'angle'\n");
  EXPECT_EQ(arc("through: [2, 0, 0], to: [3, 0, 0]"),
            "m:5:26: error: bodies.b.beam.arc: 'from', 'through' and 'to' are on one line: no circle goes through "
            "them\n");
  EXPECT_EQ(arc("through: [2, 0, 0], to: [1, 0, 0]"),
            "m:5:26: error: bodies.b.beam.arc: 'from', 'through' and 'to' are on one line: no circle goes through "
            "them\n");
  EXPECT_EQ(arc("centre: [0, 0, 0], to: [0, 2, 0]"),
            "m:5:49: error: bodies.b.beam.arc: 'centre' is 1 m from 'from', but 2 m from 'to'\n");
  EXPECT_EQ(
      arc("centre: [0, 0, 0], to: [-1, 0, 0]"),
      "m:5:26: error: bodies.b.beam.arc: 'from', 'centre' and 'to' are on one line: it is not known which way the "
      "arc goes; give 'through' instead of 'centre', or 'axis' and 'angle' instead of 'to'\n");
  EXPECT_EQ(
      arc("centre: [0, 0, 0], axis: [1, 0, 1], angle: 400 deg"),
      "m:5:68: error: bodies.b.beam.arc: 'axis' must be normal to the line from 'centre' to 'from'\n"
      "m:5:85: error: bodies.b.beam.arc: 'angle' must be > 0 and at most 360 deg; turn 'axis' round for the other "
      "way\n");
}

// A section may change along the beam.
TEST(BeamInput, section_along_it) {
  const auto text = [](const std::string& list) {
    return "freeplay: 1\nanalysis: {static: {}}\nsections: {a: " + rod + ", c: " + rod +
           "}\nbodies: {b: {beam: {from: [0, 0, 0], to: [1, 0, 0], section: [" + list + "]}}}\n";
  };
  const std::string good = "{at: 0, section: a}, {at: 0.5, section: a}, {at: 0.5, section: c}, {at: 1, section: c}";
  const ModelSpec model = read_model_text(text(good), "m");
  ASSERT_EQ(model.beams[0].sections.size(), 4u);
  EXPECT_EQ(model.beams[0].sections[2].at, 0.5);
  EXPECT_EQ(model.beams[0].sections[2].section, "c");
  expect_reads_back(model);
  const auto list_errors = [&](const std::string& list) { return errors(text(list)); };
  EXPECT_EQ(list_errors("{at: 0, section: a}, {at: 0.9, section: c}"),
            "m:4:62: error: bodies.b.beam.section: must begin with 'at: 0' and end with 'at: 1'\n");
  EXPECT_EQ(list_errors("{at: 0, section: a}, {at: 0.5, section: c}, {at: 0.3, section: c}, {at: 1, section: c}"),
            "m:4:62: error: bodies.b.beam.section: must be in the order of 'at'\n");
  EXPECT_EQ(list_errors("{at: 0, section: a}, {at: 0, section: c}, {at: 1, section: c}"),
            "m:4:62: error: bodies.b.beam.section: has too many sections at 0; a sudden change has two, and there is "
            "none at the ends\n");
  EXPECT_EQ(list_errors("{at: 0, section: a}, {at: 1.5, section: b}"),
            "m:4:89: error: bodies.b.beam.section.1.at: 1.5 must be between 0 and 1\n"
            "m:4:103: error: bodies.b.beam.section.1.section: there is no section 'b' (sections: a, c)\n");
  EXPECT_EQ(list_errors("a, {at: 1, section: c}"),
            "m:4:63: error: bodies.b.beam.section.0: must be a table of keys, not 'a'\n");
}

// A line load acts on a whole beam.
TEST(BeamInput, line_load) {
  const ModelSpec model = read_model_text(
      model_of_beam("from: [0, 0, 0], to: [1, 0, 0]") +
          "loads: {w: {line-load: {on: b, force: [0, 2 kN/m * t / 1 s, 1], moment: [1 kN*m/m, 0, 0]}}}\n",
      "m");
  ASSERT_EQ(model.line_loads.size(), 1u);
  const LineLoadSpec& load = model.line_loads[0];
  EXPECT_EQ(load.on.body, "b");
  EXPECT_EQ(load.force[1](2.0), 4000.0);
  EXPECT_EQ(load.moment[0](0.0), 1000.0);
  EXPECT_FALSE(load.following);
  expect_reads_back(model);
  const auto load_errors = [](const std::string& keys) {
    return errors_with("loads: {w: {line-load: {" + keys + "}}}");
  };
  EXPECT_EQ(load_errors("on: b"), "m:7:9: error: loads.w.line-load: needs 'force' or 'moment'\n");
  EXPECT_EQ(load_errors("on: b@0.5, force: [1, 0, 0]"),
            "m:7:29: error: loads.w.line-load.on: a line load acts on the whole beam: write 'b'\n");
  EXPECT_EQ(load_errors("on: r, force: [1 N, 0, 0]"),
            "m:7:29: error: loads.w.line-load.on: 'r' is not a beam; a line load acts on a beam\n"
            "m:7:40: error: loads.w.line-load.force.0: 1 N is a force [N], but a stiffness or force per length [N/m] "
            "is needed\n");
  EXPECT_EQ(load_errors("on: c, force: [1, 0, 0]"),
            "m:7:29: error: loads.w.line-load.on: there is no body 'c' (bodies: ground, r, b)\n");
}

// Places on a beam are its ends and @s; a place on a beam says where a joint is.
TEST(BeamInput, places) {
  const ModelSpec model = read_model_text(
      model_with("joints: {j: {fixed: {between: [b@0.50, r]}}, k: {spherical: {between: [ground, b.start]}}}\n"
                 "springs: {s: {translational: {between: [b.end, b@1/3], stiffness: 1}}}\n"
                 "loads: {F: {force: {on: b.end, value: [1, 0, 0]}}}"),
      "m");
  const FrameRef& middle = model.joints[0].between[0];
  EXPECT_EQ(middle.body, "b");
  EXPECT_EQ(middle.point, "");
  EXPECT_EQ(middle.s, 0.5);
  EXPECT_EQ(middle.text(), "b@0.5");
  EXPECT_EQ(model.joints[0].between[1].s, std::nullopt);
  const FrameRef& start = model.joints[1].between[1];
  EXPECT_EQ(start.point, "start");
  EXPECT_EQ(start.s, 0.0);
  EXPECT_EQ(start.text(), "b.start");
  EXPECT_EQ(model.springs[0].between[0].s, 1.0);
  EXPECT_EQ(model.springs[0].between[1].s, 1.0 / 3);
  EXPECT_EQ(model.loads[0].on.s, 1.0);
  expect_reads_back(model);
}

// A rigid body may have points with the names of the ends of a beam.
TEST(BeamInput, start_of_a_rigid_body) {
  const ModelSpec model = read_model_text(
      "freeplay: 1\nanalysis: {static: {}}\nbodies: {r: {rigid: {mass: 1, at: [0, 0, 0], points: {start: [1, 0, "
      "0]}}}}\n"
      "joints: {j: {spherical: {between: [ground, r.start]}}}\n",
      "m");
  EXPECT_EQ(model.joints[0].between[1].s, std::nullopt);
}

// A wrong place is told what would be right.
TEST(BeamInput, errors_of_places) {
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b, r]}}}"),
            "m:7:32: error: joints.j.fixed.between.0: 'b' is a beam, name a place on it (its places: b.start, b.end, "
            "and b@s with s from 0 to 1)\n");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b.strat, r]}}}"),
            "m:7:32: error: joints.j.fixed.between.0: 'b' is a beam and has no point 'strat', did you mean 'start'? "
            "(its places: b.start, b.end, and b@s with s from 0 to 1)\n");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@1.5, r@0.5]}}}"),
            "m:7:32: error: joints.j.fixed.between.0: 'b@1.5' is not on the beam: @ goes from 0 (start) to 1 (end)\n");
  EXPECT_EQ(
      errors_with("joints: {j: {fixed: {between: [b@0, r@0.5]}}}"),
      "m:7:37: error: joints.j.fixed.between.1: 'r' is not a beam: only beams have places with @ (its points: p)\n");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@, b@0.5 m]}}}"),
            "m:7:32: error: joints.j.fixed.between.0: 'b@' is not the name of a place, such as ground, crank, "
            "crank.tip or shaft@0.5\n"
            "m:7:38: error: joints.j.fixed.between.1: 0.5 m is a length [m], but a pure number is needed\n");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@x, b.end@1]}}}"),
            "m:7:34: error: joints.j.fixed.between.0: 'x' has an unknown name 'x'\n"
            "m:7:37: error: joints.j.fixed.between.1: 'b.end@1' is not the name of a place, such as ground, crank, "
            "crank.tip or shaft@0.5\n");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [b@1, b.end]}}}"),
            "m:7:37: error: joints.j.fixed.between: connects 'b.end' with itself; name two different places\n");
  EXPECT_EQ(errors_with("joints: {j: {revolute: {between: [b@1, r]}}}"),
            "m:7:10: error: joints.j.revolute: needs an axis: add 'axis: [x, y, z]', or give one to a point that "
            "'between' names\n");
  EXPECT_EQ(errors_with("joints: {j: {fixed: {between: [c@1, ground@1]}}}"),
            "m:7:32: error: joints.j.fixed.between.0: there is no body 'c' (bodies: ground, r, b)\n"
            "m:7:37: error: joints.j.fixed.between.1: 'ground' is not a beam: only beams have places with @\n");
  EXPECT_EQ(errors_with("loads: {F: {force: {on: b, value: [1, 0, 0]}}}"),
            "m:7:25: error: loads.F.force.on: 'b' is a beam, name a place on it (its places: b.start, b.end, and b@s "
            "with s from 0 to 1)\n");
}

// A beam that nothing holds is most likely a forgotten joint.
TEST(BeamInput, disconnected) {
  EXPECT_EQ(errors_with("joints: {j: {spherical: {between: [ground, r.p]}}}"),
            "m:5:3: error: bodies.b: is not connected to anything: add a joint or spring, or 'free: true' if it is "
            "meant to fly freely\n");
  const auto with_free_body = [](const std::string& keys) {
    return errors(
        model_of_beam("from: [0, 0, 0], to: [2, 0, 0], " + keys) +
        "  r: {rigid: {mass: 1, at: [0, 0, 0]}}\njoints: {j: {spherical: {between: [ground, r], at: [0, 0, 0]}}}\n");
  };
  EXPECT_EQ(with_free_body("free: true"), "");
  EXPECT_EQ(with_free_body("fix: {end: [x, y, z]}"), "");
}

// A beam is a body: its name is taken.
TEST(BeamInput, shares_the_names_of_bodies) {
  EXPECT_EQ(errors(model_of_beam("from: [0, 0, 0], to: [2, 0, 0]") + "  b: {rigid: {mass: 1}}\n"),
            "m:6:3: error: bodies.b: given twice, first in line 5\n");
}

// The schema and the reference know beams and sections.
TEST(BeamInput, schema_and_reference) {
  const auto schema = nlohmann::json::parse(model_json_schema());
  const auto& types = schema["properties"]["bodies"]["additionalProperties"]["properties"];
  EXPECT_TRUE(types.contains("rigid"));
  EXPECT_EQ(types["beam"]["required"], nlohmann::json::array({"section"}));
  const auto& section = schema["properties"]["sections"]["additionalProperties"]["properties"];
  EXPECT_TRUE(section["stiffness"]["properties"].contains("matrix"));
  const std::string reference = model_reference();
  for (const char* table :
       {"`sections.NAME`", "`sections.NAME.stiffness`", "`sections.NAME.material`", "`sections.NAME.circle`",
        "`sections.NAME.tube`", "`sections.NAME.rectangle`", "`sections.NAME.box`", "`bodies.NAME.beam`",
        "`bodies.NAME.beam.arc`", "`bodies.NAME.beam.fix`", "`loads.NAME.line-load`"}) {
    EXPECT_NE(reference.find(table), std::string::npos) << table;
  }
}

}  // namespace
}  // namespace freeplay
