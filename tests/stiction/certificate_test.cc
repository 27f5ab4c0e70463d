#include "freeplay/stiction/certificate.h"

#include <gtest/gtest.h>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/model/model_file.h"

namespace freeplay {
namespace {

// Exact solutions of linear programs.
constexpr double round_off = 1e-6;

StictionReport certify_text(const std::string& text, const RestQuestion& question = {}) {
  return certify(assemble(read_model_text(text, "model.yaml")), question);
}

void expect_range(const ForceRange& range, double low, double high, double tolerance = round_off) {
  EXPECT_NEAR(range.low, low, tolerance);
  EXPECT_NEAR(range.high, high, tolerance);
  EXPECT_NEAR(range.least, low, tolerance);
  EXPECT_NEAR(range.most, high, tolerance);
  EXPECT_FALSE(range.has_gaps());
}

/// The two sliders of M. Wojtyra (2017), Example 1, with a rod of this kind, on which P acts at `place`.
std::string loop(const std::string& rod, const std::string& pin1, const std::string& pin2, const std::string& place) {
  return "freeplay: 1\n"
         "bodies:\n"
         "  slider1: {rigid: {mass: 20 kg, inertia: 0.1, at: [0, 0.25, 0], fix: [z, rx, ry]}}\n"
         "  slider2: {rigid: {mass: 20 kg, inertia: 0.1, at: [0.6, 0, 0], fix: [z, rx, ry]}}\n"
         "  rod: " +
         rod +
         "\n"
         "frictions: {dry: {coulomb: {static: 0.5, kinetic: 0.3}}}\n"
         "joints:\n"
         "  slide1: {prismatic: {between: [ground, slider1], at: [0, 0.25, 0], axis: [0, 1, 0], friction: {law: "
         "dry}}}\n"
         "  slide2: {prismatic: {between: [ground, slider2], at: [0.6, 0, 0], axis: [1, 0, 0], friction: {law: dry}}}\n"
         "  pin1: {revolute: {between: [slider1, " +
         pin1 +
         "], at: [0, 0.25, 0], axis: [0, 0, 1]}}\n"
         "  pin2: {revolute: {between: [slider2, " +
         pin2 +
         "], at: [0.6, 0, 0], axis: [0, 0, 1]}}\n"
         "loads:\n"
         "  P: {force: {on: " +
         place +
         ", value: [48, -20, 0]}}\n"
         "  S1: {force: {on: slider1, value: [-5, 0, 0]}}\n"
         "  S2: {force: {on: slider2, value: [0, -20, 0]}}\n"
         "analysis: {dynamic: {end: 1 s}}\n";
}

std::string rigid_loop() {
  return loop("{rigid: {mass: 10 kg, inertia: 2, at: [0.3, 0.125, 0], fix: [z, rx, ry]}}", "rod", "rod", "rod");
}

std::string flexible_loop(const std::string& place) {
  return "sections: {bar: {stiffness: {axial: 1 MN, shear: 1 MN, bending: 100, torsion: 100}, mass: 1, rotary: [1e-4, "
         "1e-4, 2e-4]}}\n" +
         loop("{beam: {section: bar, from: [0, 0.25, 0], to: [0.6, 0, 0], elements: 4, degree: 2}}", "rod.start",
              "rod.end", place);
}

// P is split into 13 p and 13 (4 - p) along the rod. Slider 1: friction 5 p, normal |12 p - 5|; slider 2: friction
// -12 (4 - p), normal |40 - 5 p|. The cones hold for p <= 5/22 or p >= 5/2 in slide 1 and for 56/19 <= p <= 136/29 in
// slide 2, so for the latter in both.
constexpr double least_p = 56.0 / 19.0, most_p = 136.0 / 29.0;

// Protects: the certificate of Example 1, by hand. Solution (16) of the paper (p = 2) is outside, (17) (p = 3) inside.
TEST(Certificate, ClosedLoop) {
  const StictionCertificate certificate = certify_text(rigid_loop()).certificate;
  ASSERT_EQ(certificate.joints.size(), 2u);
  expect_range(certificate.joints[0].friction[0], 5.0 * least_p, 5.0 * most_p);
  expect_range(certificate.joints[0].normal, 12.0 * least_p - 5.0, 12.0 * most_p - 5.0);
  expect_range(certificate.joints[1].friction[0], -12.0 * (4.0 - least_p), -12.0 * (4.0 - most_p));
  expect_range(certificate.joints[1].normal, 40.0 - 5.0 * most_p, 40.0 - 5.0 * least_p);
  EXPECT_GT(certificate.joints[0].friction[0].low, 10.0);
  EXPECT_LT(certificate.joints[0].friction[0].low, 15.0);
  EXPECT_EQ(certificate.n_self_stresses, 1);
  EXPECT_FALSE(certificate.is_elastic);
  EXPECT_EQ(certificate.rest_is_possible, Verdict3::yes);
  EXPECT_EQ(certificate.rest_is_guaranteed, Verdict3::no);
  EXPECT_EQ(certificate.joints[0].may_slip, Verdict3::yes);
  EXPECT_EQ(certificate.joints[1].may_slip, Verdict3::yes);
  EXPECT_EQ(certificate.certain_slip, INFINITY);  // all loads grow, and the forces with them
}

// Protects: load factors of P, by hand. Both limits are reached for the first time with p = 5/22 and 4 f - p = 20/19;
// rest never becomes impossible, because slide 1 jams.
TEST(Certificate, LoadFactors) {
  RestQuestion question;
  question.scaled = {"P"};
  const StictionCertificate certificate = certify_text(rigid_loop(), question).certificate;
  ASSERT_TRUE(certificate.first_possible_slip && certificate.certain_slip);
  constexpr double search_tolerance = 2e-4;
  EXPECT_NEAR(*certificate.first_possible_slip, (5.0 / 22.0 + 20.0 / 19.0) / 4.0, search_tolerance);
  EXPECT_EQ(*certificate.certain_slip, INFINITY);
}

// Protects: a flexible rod makes the forces unique; they are where elasticity puts them (a quarter of the way along the
// rod P is split 3 to 1: p = 3, solution (17)) and inside the interval of the rigid rod.
TEST(Certificate, FlexibleRodIsUnique) {
  RestQuestion question;
  question.rigid_beams = true;
  const StictionReport report = certify_text(flexible_loop("rod@0.25"), question);
  const ForceRange& rigid = report.certificate.joints[0].friction[0];
  expect_range(rigid, 5.0 * least_p, 5.0 * most_p);
  ASSERT_TRUE(report.flexible);
  EXPECT_TRUE(report.flexible->is_elastic);
  const ForceRange& flexible = report.flexible->joints[0].friction[0];
  EXPECT_TRUE(flexible.is_unique);
  EXPECT_EQ(flexible.reason, "springs and beams decide");
  EXPECT_NEAR(flexible.low, 15.0, round_off);
  EXPECT_NEAR(report.flexible->joints[1].friction[0].low, -12.0, round_off);
  EXPECT_GT(flexible.low, rigid.low);
  EXPECT_LT(flexible.low, rigid.high);
  EXPECT_EQ(report.flexible->rest_is_guaranteed, Verdict3::yes);
}

// Protects: in the middle of the rod elasticity puts solution (16), which no cone allows: it slips.
TEST(Certificate, FlexibleRodThatCannotHold) {
  const StictionCertificate certificate = certify_text(flexible_loop("rod@0.5")).certificate;
  EXPECT_EQ(certificate.rest_is_possible, Verdict3::no);
  EXPECT_EQ(certificate.rest_is_guaranteed, Verdict3::no);
  ASSERT_EQ(certificate.joints[0].friction.size(), 1u);
  EXPECT_NEAR(certificate.joints[0].friction[0].low, 10.0, round_off);
  EXPECT_NEAR(certificate.joints[0].normal.low, 19.0, round_off);
}

// Protects: a spatial case with friction in two directions, by hand. A table on three legs, each with a third of the
// weight of 30 N, is pushed towards leg 1 with 2.7 of the 3 times 5 N that friction can take: leg 1 takes at least 0.7
// and at most one limit, and sideways what the circle leaves.
TEST(Certificate, TableOnThreeLegs) {
  const std::string table =
      "freeplay: 1\n"
      "bodies:\n"
      "  table: {rigid: {mass: 3 kg, inertia: 1, at: [0, 0, 0], points: {a: [1, 0, 0], b: [-0.5, \"sqrt(3)/2\", 0], c: "
      "[-0.5, "
      "\"-sqrt(3)/2\", 0]}}}\n"
      "frictions: {dry: {coulomb: {static: 0.5, kinetic: 0.3}}}\n"
      "joints:\n"
      "  leg1: {point-on-plane: {between: [ground, table.a], axis: [0, 0, 1], friction: {law: dry}}}\n"
      "  leg2: {point-on-plane: {between: [ground, table.b], axis: [0, 0, 1], friction: {law: dry}}}\n"
      "  leg3: {point-on-plane: {between: [ground, table.c], axis: [0, 0, 1], friction: {law: dry}}}\n"
      "loads:\n"
      "  weight: {force: {on: table, value: [0, 0, -30]}}\n"
      "  push: {force: {on: table, value: [13.5, 0, 0]}}\n"
      "analysis: {dynamic: {end: 1 s}}\n";
  RestQuestion question;
  question.scaled = {"push"};
  const StictionCertificate certificate = certify_text(table, question).certificate;
  EXPECT_EQ(certificate.n_self_stresses, 3);
  EXPECT_EQ(certificate.rest_is_possible, Verdict3::yes);
  const JointCertificate& leg = certificate.joints[0];
  EXPECT_TRUE(leg.normal.is_unique);
  EXPECT_EQ(leg.normal.reason, "equilibrium alone decides");
  EXPECT_NEAR(leg.normal.low, 10.0, round_off);
  // One of the two directions of slip is along the push or against it, depending on the axes of the joint.
  constexpr double search_tolerance = 1e-4 * 30.0;
  double along = 0.0;
  for (const ForceRange& range : leg.friction)
    if (std::abs(range.low + range.high) > 1.0) {
      along = std::max(std::abs(range.low), std::abs(range.high));
      EXPECT_NEAR(along, 5.0, search_tolerance);
      EXPECT_NEAR(std::min(std::abs(range.low), std::abs(range.high)), 3.5, search_tolerance);
    }
  EXPECT_GT(along, 0.0);
  ASSERT_TRUE(certificate.certain_slip);
  EXPECT_NEAR(*certificate.certain_slip, 15.0 / 13.5, 1e-3);
  EXPECT_EQ(certificate.rest_is_guaranteed, Verdict3::yes);
}

// Protects: a single joint whose force equilibrium alone decides, and its load factor.
TEST(Certificate, BlockOnARail) {
  const std::string block =
      "freeplay: 1\n"
      "bodies: {block: {rigid: {mass: 2 kg, inertia: 1, at: [0, 0, 0]}}}\n"
      "frictions: {dry: {coulomb: {static: 0.5, kinetic: 0.3}}}\n"
      "joints: {rail: {prismatic: {between: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], friction: {law: dry}}}}\n"
      "loads:\n"
      "  pressure: {force: {on: block, value: [0, 3, -4]}}\n"
      "  push: {force: {on: block, value: [\"2 * t\", 0, 0]}}\n"
      "analysis: {dynamic: {end: 1 s}}\n";
  RestQuestion question;
  question.scaled = {"push"};
  question.time = 1.0;
  const StictionCertificate certificate = certify_text(block, question).certificate;
  EXPECT_TRUE(certificate.joints[0].friction[0].is_unique);
  EXPECT_NEAR(certificate.joints[0].friction[0].low, -2.0, round_off);
  EXPECT_NEAR(certificate.joints[0].normal.low, 5.0, round_off);
  EXPECT_EQ(certificate.rest_is_guaranteed, Verdict3::yes);
  EXPECT_NEAR(certificate.first_possible_slip.value(), 1.25, 1e-3);
  EXPECT_NEAR(certificate.certain_slip.value(), 1.25, 1e-3);
}

// Protects: models without a certificate are refused with the reason.
TEST(Certificate, RefusesWhatIsNotAtRest) {
  const std::string moving =
      "freeplay: 1\n"
      "bodies: {block: {rigid: {mass: 2 kg, inertia: 1, at: [0, 0, 0], velocity: [1, 0, 0]}}}\n"
      "frictions: {dry: {coulomb: {static: 0.5, kinetic: 0.3}}}\n"
      "joints: {rail: {prismatic: {between: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], friction: {law: dry}}}}\n"
      "analysis: {dynamic: {end: 1 s}}\n";
  const std::string message = message_of<InputError>([&] { certify_text(moving); });
  EXPECT_TRUE(contains(message, "model.yaml:2:10: error: bodies.block: moves at the start"));
  RestQuestion question;
  question.scaled = {"Q"};
  EXPECT_TRUE(contains(message_of<InputError>([&] { certify_text(rigid_loop(), question); }), "no load 'Q'"));
}

}  // namespace
}  // namespace freeplay
