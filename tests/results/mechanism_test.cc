#include "freeplay/results/mechanism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "freeplay/deck/model_file.h"

namespace freeplay {
namespace {

// Points are sums of a few numbers of size one.
constexpr double rounding = 1e-12;

const std::string model_text =
    "freeplay: 1\n"
    "ground: {points: {wall: [0, 0, 5]}}\n"
    "contacts: {soft: {linear: {stiffness: 10 kN/m}}}\n"
    "bodies:\n"
    "  pin: {rigid: {mass: 1 kg, inertia: [1, 1, 1], at: [1, 2, 3], points: {end: [0, 0, 1]}}}\n"
    "  roll: {rigid: {mass: 1 kg, inertia: [1, 1, 1], at: [9, 0, 0], points: {end: [1, 0, 0]},\n"
    "         shape: {cylinder: {from: [0, 0, 0], to: [1, 0, 0], radius: 0.2}}}}\n"
    "joints:\n"
    "  hole: {journal-bearing: {between: [ground, pin], axis: [0, 0, 1], bearing-radius: 11 mm, journal-radius: 10 "
    "mm,\n"
    "         length: 30 mm, contact: soft}}\n"
    "springs:\n"
    "  coil: {translational: {between: [ground.wall, pin.end], stiffness: 1 N/m}}\n"
    "  film: {bearing-coefficients: {between: [ground, roll.end], axis: [1, 0, 0], stiffness: [[1, 0], [0, 1]],\n"
    "         damping: [[0, 0], [0, 0]]}}\n"
    "analysis: {dynamic: {end: 1 s}}\n";

class MechanismTest : public testing::Test {
 protected:
  /// Of all corners of the polygons of a kind.
  std::vector<Vec3> corners_of(int kind) {
    const std::span<const Vec3> points = mechanism_.points(assembled_.state);
    std::vector<Vec3> corners;
    std::size_t next = 0;
    for (std::size_t polygon = 0; polygon < mechanism_.kinds().size(); ++polygon)
      for (int k = 0; k < mechanism_.surface().corner_numbers[polygon]; ++k, ++next)
        if (mechanism_.kinds()[polygon] == kind) corners.push_back(points[mechanism_.surface().corners[next]]);
    return corners;
  }
  ModelSpec spec_ = read_model_text(model_text, "test.yaml");
  Assembled assembled_ = assemble(spec_);
  Mechanism mechanism_{spec_, assembled_};
};

TEST_F(MechanismTest, BearingsAndJournalsHaveTheirRadii) {
  double inner = INFINITY, outer = 0.0, low = INFINITY, high = -INFINITY;
  for (const Vec3& corner : corners_of(Mechanism::bearing)) {
    if (corner.x() > 5.0) continue;  // of the film
    inner = std::min(inner, std::hypot(corner.x() - 1.0, corner.y() - 2.0));
    low = std::min(low, corner.z());
    high = std::max(high, corner.z());
  }
  for (const Vec3& corner : corners_of(Mechanism::journal))
    outer = std::max(outer, std::hypot(corner.x() - 1.0, corner.y() - 2.0));
  EXPECT_NEAR(inner, 0.011, rounding);
  EXPECT_NEAR(outer, 0.010, rounding);
  EXPECT_NEAR(high - low, 0.030, rounding);
}

TEST_F(MechanismTest, PartsMoveWithTheirBodies) {
  assembled_.state.pose[0].x += Vec3(0.5, 0.0, 0.0);
  Vec3 journal = Vec3::Zero(), bearing = Vec3::Zero();
  const std::vector<Vec3> of_journal = corners_of(Mechanism::journal);
  std::vector<Vec3> of_bearing = corners_of(Mechanism::bearing);
  std::erase_if(of_bearing, [](const Vec3& corner) { return corner.x() > 5.0; });  // of the film
  for (const Vec3& corner : of_journal) journal += corner / static_cast<double>(of_journal.size());
  for (const Vec3& corner : of_bearing) bearing += corner / static_cast<double>(of_bearing.size());
  EXPECT_NEAR(journal.x(), 1.5, rounding);
  EXPECT_NEAR(bearing.x(), 1.0, rounding) << "ground stays";
}

TEST_F(MechanismTest, SpringsReachFromPlaceToPlace) {
  const Vec3 wall(0.0, 0.0, 5.0), end(1.0, 2.0, 4.0);
  double to_wall = INFINITY, to_end = INFINITY;
  for (const Vec3& corner : corners_of(Mechanism::spring)) {
    to_wall = std::min(to_wall, (corner - wall).norm());
    to_end = std::min(to_end, (corner - end).norm());
  }
  const double wire = 0.07 * 0.2 * (end - wall).norm();  // its radius
  EXPECT_NEAR(to_wall, wire, 1e-9);
  EXPECT_NEAR(to_end, wire, 1e-9);
  EXPECT_EQ(mechanism_.part_names(), (std::vector<std::string>{"hole", "coil", "film", "ground.wall"}));
}

TEST_F(MechanismTest, BearingsByCoefficientsAreShellsAroundWhatTurns) {
  double inner = INFINITY, low = INFINITY, high = -INFINITY;
  for (const Vec3& corner : corners_of(Mechanism::bearing)) {
    if (corner.x() < 5.0) continue;
    inner = std::min(inner, std::hypot(corner.y(), corner.z()));
    low = std::min(low, corner.x());
    high = std::max(high, corner.x());
  }
  EXPECT_GT(inner, 0.2) << "the cylinder fits in";
  EXPECT_LT(inner, 0.25);
  EXPECT_NEAR(0.5 * (low + high), 10.0, rounding);
}

}  // namespace
}  // namespace freeplay
