#include "freeplay/analysis/stiction/certificate.h"

#include <gtest/gtest.h>

#include "base/file_testing.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/deck/model_file.h"

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

/// A table with a weight of 100 N and a push of 1 N on upright cranks of 300 mm at these places, with friction in their
/// hinges of radius 10 mm.
std::string table_on_cranks(const std::vector<double>& places) {
  std::string bodies, joints, points;
  for (std::size_t c = 0; c < places.size(); ++c) {
    const std::string n = std::to_string(c + 1), x = std::to_string(places[c]);
    bodies += "  crank" + n + ": {rigid: {mass: 1 kg, inertia: 0.1, at: [" + x +
              ", 0, 0], points: {tip: [0, 0.3, 0]}, fix: [z, rx, ry]}}\n";
    points += std::string(c > 0 ? ", " : "") + "p" + n + ": [" + x + ", 0, 0]";
    const std::string end = ", axis: [0, 0, 1], friction: {law: dry, radius: 0.01}}}\n";
    joints += "  low" + n + ": {revolute: {between: [ground, crank" + n + "], at: [" + x + ", 0, 0]" + end;
    joints += "  high" + n + ": {revolute: {between: [crank" + n + ".tip, table.p" + n + "]" + end;
  }
  return "freeplay: 1\nbodies:\n" + bodies + "  table: {rigid: {mass: 10 kg, inertia: 0.1, at: [0, 0.3, 0], points: {" +
         points + "}, fix: [z, rx, ry]}}\nfrictions: {dry: {coulomb: {static: 0.2, kinetic: 0.15}}}\njoints:\n" +
         joints +
         "loads:\n"
         "  W: {force: {on: table, value: [0, -100, 0]}}\n"
         "  P: {force: {on: table, value: [1, 0, 0]}}\n"
         "analysis: {dynamic: {end: 1 s}}\n";
}

/// Friction circles: a crank without weight pushes along a line that touches the circle of radius mu r of each of its
/// hinges, on opposite sides, and so leans by the sine 2 mu r/L. With all cranks pressed, W tan of this balances P.
const double crank_limit = 100.0 * std::tan(std::asin(2.0 * 0.2 * 0.01 / 0.3));

RestQuestion scaling(const std::string& load) {
  RestQuestion question;
  question.scaled = {load};
  return question;
}

constexpr double factor_tolerance = 2e-4;  // of the search, beside loads of 100 N and factors of order 1

// Protects: friction at hinges whose reactions lie anywhere in the plane, by friction circles: two cranks carry given
// shares of the weight, so that slip is possible and certain at the same push.
TEST(Certificate, FrictionCirclesOfAParallelogram) {
  const StictionCertificate certificate = certify_text(table_on_cranks({-0.2, 0.2}), scaling("P")).certificate;
  EXPECT_TRUE(certificate.open_questions.empty());
  EXPECT_EQ(certificate.rest_is_guaranteed, Verdict3::yes);
  ASSERT_TRUE(certificate.first_possible_slip && certificate.certain_slip);
  EXPECT_NEAR(*certificate.first_possible_slip, crank_limit, factor_tolerance * crank_limit);
  EXPECT_NEAR(*certificate.certain_slip, crank_limit, factor_tolerance * crank_limit);
  EXPECT_LE(*certificate.first_possible_slip, *certificate.certain_slip);
}

// Protects: six hinges decide. A third crank can be squeezed between the others without limit, and friction with it, so
// that rest is always possible; slip is possible from where it is with all three just pressed.
TEST(Certificate, SixHingesDecide) {
  const StictionCertificate certificate = certify_text(table_on_cranks({-0.2, 0.0, 0.2}), scaling("P")).certificate;
  EXPECT_TRUE(certificate.open_questions.empty());
  EXPECT_EQ(certificate.rest_is_guaranteed, Verdict3::yes);
  ASSERT_TRUE(certificate.first_possible_slip && certificate.certain_slip);
  EXPECT_NEAR(*certificate.first_possible_slip, crank_limit, factor_tolerance * crank_limit);
  EXPECT_EQ(*certificate.certain_slip, INFINITY);
  for (const JointCertificate& joint : certificate.joints) {
    EXPECT_EQ(joint.friction[0].low, -INFINITY) << joint.name;
    EXPECT_EQ(joint.friction[0].high, INFINITY) << joint.name;
    EXPECT_NEAR(joint.normal.low, 0.0, round_off) << joint.name;
  }
}

// Protects: what is given up says what is missing, keeps bounds that are true, and never lets the first possible slip
// exceed the certain one; more search decides it.
TEST(Certificate, SaysWhatIsMissing) {
  RestQuestion question = scaling("P");
  question.search = 1e-3;
  const StictionCertificate certificate = certify_text(table_on_cranks({-0.2, 0.2}), question).certificate;
  ASSERT_FALSE(certificate.open_questions.empty());
  EXPECT_FALSE(certificate.open_questions[0].what.empty());
  EXPECT_FALSE(certificate.open_questions[0].joint.empty());
  const Interval &first = certificate.first_possible_slip_bounds, &certain = certificate.certain_slip_bounds;
  EXPECT_LE(first.low, first.high);
  EXPECT_LE(first.high, certain.high);
  EXPECT_LE(first.low, crank_limit * (1.0 + factor_tolerance));
  EXPECT_GE(first.high, crank_limit * (1.0 - factor_tolerance));
  EXPECT_LE(certain.low, crank_limit * (1.0 + factor_tolerance));
  EXPECT_GE(certain.high, crank_limit * (1.0 - factor_tolerance));
}

// Protects: as much search as anybody can ask for is more search, not none.
TEST(Certificate, SearchWithoutLimit) {
  RestQuestion question = scaling("P");
  question.search = 1e300;
  const StictionCertificate certificate = certify_text(table_on_cranks({-0.2, 0.2}), question).certificate;
  EXPECT_TRUE(certificate.open_questions.empty());
  EXPECT_TRUE(certificate.first_possible_slip && certificate.certain_slip);
}

const std::string dry_contact =
    "contacts: {c: {linear: {stiffness: 1e6, damping: 0}}}\n"
    "frictions:\n"
    "  rough: {regularised-coulomb: {coefficient: 0.5, velocity: 1 mm/s}}\n";

/// Stands with two corners, 0.4 m apart, on a plane through the origin at this angle; centre of mass at `height`.
std::string block_on_plane(double angle, double height, const std::string& height_of_plane = "0") {
  const auto number = [](double value) { return std::to_string(value); };
  const std::string normal = "[" + number(-std::sin(angle)) + ", " + number(std::cos(angle)) + ", 0]";
  const auto point = [&](double along, double up) {
    return "[" + number(along * std::cos(angle) - up * std::sin(angle)) + ", " +
           number(along * std::sin(angle) + up * std::cos(angle)) + ", 0]";
  };
  const std::string foot =
      ", at: [0, " + height_of_plane + ", 0], normal: " + normal + ", contact: c, friction: rough}}\n";
  return "freeplay: 1\nbodies: {block: {rigid: {mass: 10 kg, inertia: 1, points: {l: " + point(-0.2, 0.0) +
         ", r: " + point(0.2, 0.0) + ", centre: " + point(0.0, height) + "}, fix: [z, rx, ry]}}}\n" + dry_contact +
         "joints:\n"
         "  left: {ball-on-plane: {between: [ground, block.l]" +
         foot + "  right: {ball-on-plane: {between: [ground, block.r]" + foot +
         "loads:\n"
         "  W: {force: {on: block.centre, value: [0, -100, 0]}}\n"
         "  P: {force: {on: block.centre, value: [10, 0, 0]}}\n"
         "analysis: {dynamic: {end: 1 s}}\n";
}

// Protects: contacts that touch are part of the certificate. A push at the centre of mass slides a low block at mu W
// and tips a high one over its right corner at W b/(2 h); the left corner opens.
TEST(Certificate, BlockSlidesOrTips) {
  const StictionCertificate low = certify_text(block_on_plane(0.0, 0.1), scaling("P")).certificate;
  ASSERT_EQ(low.joints.size(), 2u);
  EXPECT_EQ(low.rest_is_guaranteed, Verdict3::yes);
  EXPECT_NEAR(low.joints[0].normal.low, 50.0 - 10.0 * 0.1 / 0.4, round_off);
  EXPECT_TRUE(low.joints[0].normal.is_unique);
  // One corner at its limit forwards leaves the rest of the push to the other.
  expect_range(low.joints[1].friction[0], -0.5 * 52.5, 0.5 * 47.5 - 10.0);
  EXPECT_NEAR(low.first_possible_slip.value(), 5.0, round_off);
  EXPECT_NEAR(low.certain_slip.value(), 5.0, round_off);

  const StictionCertificate high = certify_text(block_on_plane(0.0, 0.8), scaling("P")).certificate;
  EXPECT_NEAR(high.first_possible_slip.value(), 2.5, round_off);
  EXPECT_NEAR(high.certain_slip.value(), 2.5, round_off);
}

// Protects: on a slope a block rests as long as the tangent of its angle is below the coefficient.
TEST(Certificate, BlockOnASlope) {
  for (const double tangent : {0.49, 0.51}) {
    const std::string model = block_on_plane(std::atan(tangent), 0.1);
    RestQuestion question = scaling("W");
    const std::string without_push = std::string(model).replace(model.find("[10, 0, 0]"), 10, "[0, 0, 0]");
    const StictionCertificate certificate = certify_text(without_push, question).certificate;
    EXPECT_EQ(certificate.rest_is_possible, tangent < 0.5 ? Verdict3::yes : Verdict3::no);
    EXPECT_EQ(certificate.rest_is_guaranteed, tangent < 0.5 ? Verdict3::yes : Verdict3::no);
  }
}

// Protects: a ladder, whose forces are not unique, slips where both ends reach their limit: with k = mu (tan phi +
// mu)/(1 + mu^2), under a load Q at the top of a ladder of weight W, Q (1 - k) = W (k - 1/2).
TEST(Certificate, Ladder) {
  const std::string ladder =
      "freeplay: 1\n"
      "bodies: {ladder: {rigid: {mass: 10 kg, inertia: 1, at: [0.5, 0.7, 0], points: {foot: [0.5, -0.7, 0], top: "
      "[-0.5, "
      "0.7, 0]}, fix: [z, rx, ry]}}}\n" +
      dry_contact +
      "joints:\n"
      "  floor: {ball-on-plane: {between: [ground, ladder.foot], at: [0, 0, 0], normal: [0, 1, 0], contact: c, "
      "friction: rough}}\n"
      "  wall: {ball-on-plane: {between: [ground, ladder.top], at: [0, 0, 0], normal: [1, 0, 0], contact: c, friction: "
      "rough}}\n"
      "loads:\n"
      "  W: {force: {on: ladder, value: [0, -100, 0]}}\n"
      "  Q: {force: {on: ladder.top, value: [0, -50, 0]}}\n"
      "analysis: {dynamic: {end: 1 s}}\n";
  const StictionCertificate certificate = certify_text(ladder, scaling("Q")).certificate;
  const double k = 0.5 * (1.4 + 0.5) / 1.25;
  const double limit = 100.0 * (k - 0.5) / (1.0 - k) / 50.0;
  EXPECT_EQ(certificate.n_self_stresses, 1);
  EXPECT_EQ(certificate.rest_is_guaranteed, Verdict3::yes);
  EXPECT_NEAR(certificate.first_possible_slip.value(), limit, factor_tolerance);
  EXPECT_NEAR(certificate.certain_slip.value(), limit, factor_tolerance);
  // Moments about the foot: 1.4 N + f = 100. Least where the friction of the wall is at its limit upwards, most where
  // that of the floor is, which carries 150 - f: N = (150 - f)/2.
  const JointCertificate& wall = certificate.joints[1];
  EXPECT_FALSE(wall.normal.is_unique);
  EXPECT_NEAR(wall.normal.low, 100.0 / (1.4 + 0.5), round_off);
  EXPECT_NEAR(wall.normal.high, 0.5 * (150.0 - 100.0) / (1.0 - 0.5 * 1.4), round_off);
}

// Protects: in a joint with clearance the normal is where the journal touches: a shaft that cannot turn rests there if
// the friction cone contains its load. A journal that does not touch has no certificate.
TEST(Certificate, JournalInItsClearance) {
  for (const double tangent : {0.45, 0.55}) {
    const double angle = std::atan(tangent);
    const std::string place =
        "[" + std::to_string(0.01 * std::sin(angle)) + ", " + std::to_string(-0.01 * std::cos(angle)) + ", 0]";
    const auto journal = [&](const std::string& bearing_radius) {
      return "freeplay: 1\n"
             "ground: {points: {o: [0, 0, 0]}}\n"
             "bodies: {shaft: {rigid: {mass: 1 kg, inertia: 1, at: " +
             place + ", points: {o: [0, 0, 0]}, fix: [z, rx, ry, rz]}}}\n" + dry_contact +
             "joints: {bearing: {planar-clearance: {between: [ground.o, shaft.o], axis: [0, 0, 1], bearing-radius: " +
             bearing_radius +
             ", journal-radius: 20 mm, contact: c, friction: rough}}}\n"
             "loads: {W: {force: {on: shaft, value: [0, -10, 0]}}}\n"
             "analysis: {dynamic: {end: 1 s}}\n";
    };
    const std::string with_gap = journal("30.01 mm");
    EXPECT_TRUE(contains(message_of<InputError>([&] { certify_text(with_gap); }), "There is a gap in bearing"));
    const StictionCertificate certificate = certify_text(journal("29.99 mm")).certificate;
    ASSERT_EQ(certificate.joints.size(), 1u);
    EXPECT_EQ(certificate.rest_is_possible, tangent < 0.5 ? Verdict3::yes : Verdict3::no);
    constexpr double of_place = 1e-3;  // six decimals in the model
    EXPECT_NEAR(certificate.joints[0].normal.low, 10.0 * std::cos(angle), of_place);
    EXPECT_NEAR(std::abs(certificate.joints[0].friction[0].low), 10.0 * std::sin(angle), of_place);
  }
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
