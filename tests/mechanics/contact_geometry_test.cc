#include "freeplay/mechanics/contact_geometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "mechanics/motion_testing.h"

namespace freeplay {
namespace {

constexpr double round_off = 1e-13;  // positions and gaps of size 1
constexpr double bearing = 1.5, journal = 1.0;
constexpr int n_samples = 200;

struct GeometryExample {
  std::string name;
  std::function<std::unique_ptr<ContactGeometry>()> make;
};

std::vector<GeometryExample> geometries() {
  return {{"planar", [] { return planar_clearance(bearing, journal); }},
          {"spherical", [] { return spherical_clearance(bearing, journal); }},
          {"spatial", [] { return spatial_clearance(bearing, journal); }},
          {"ball_on_ball", [] { return ball_on_ball(bearing, journal); }},
          {"disk_on_disk", [] { return disk_on_disk(bearing, journal); }},
          {"ball_on_plane", [] { return ball_on_plane(journal); }},
          {"point_on_plane", [] { return ball_on_plane(0.0); }},
          {"disk_on_plane", [] { return disk_on_plane(journal); }}};
}

FrameStep<double> frame_step(const Frame& frame, const Pose& start, const Pose& end) {
  const FramePlace i = place(frame, start), f = place(frame, end);
  const Vec6 moved = displacement(start, end);
  return {i.x, i.r, i.a, f.x, f.r, f.a, moved.head<3>(), moved.tail<3>()};
}

FrameStep<double> still(const Pose& pose) {
  return {pose.x, Vec3::Zero(), pose.R, pose.x, Vec3::Zero(), pose.R, {}, {}};
}

Mat3 tilted(double angle, double direction) {
  return Eigen::AngleAxisd(angle, Vec3(std::cos(direction), std::sin(direction), 0.0)).toRotationMatrix();
}

class ContactGeometryTest : public testing::TestWithParam<GeometryExample> {
 protected:
  /// Frames of two bodies that take a step of the given size.
  void sample(double size) {
    frames_ = {random_frame(0, random_), random_frame(1, random_)};
    for (int n = 0; n < 2; ++n) {
      start_[n] = random_pose(random_);
      end_[n] = moved(start_[n], random_.twist(size));
    }
  }
  FrameStep<double> step(int n) const { return frame_step(frames_[n], start_[n], end_[n]); }
  Vec3 middle(int n) const { return 0.5 * (start_[n].x + end_[n].x); }

  std::unique_ptr<ContactGeometry> geometry_ = GetParam().make();
  Random random_{81};
  std::array<Frame, 2> frames_;
  std::array<Pose, 2> start_, end_;
};

// Protects: the energy ledger: a unit normal force does the work gap_f - gap_i, over steps of any size, open or closed.
TEST_P(ContactGeometryTest, work_of_the_gradient_is_the_change_of_the_gap) {
  for (const double size : {1e-6, 1e-3, 0.1, 1.0})
    for (int k = 0; k < n_samples; ++k) {
      sample(size);
      const FrameStep<double> a = step(0), b = step(1);
      const ContactKinematics<double> c = geometry_->kinematics(a, b);
      const double work =
          c.force_b.dot(b.displacement - a.displacement) + c.moment_b.dot(b.rotation) + c.moment_a.dot(a.rotation);
      EXPECT_NEAR(work, c.gap_f - c.gap_i, 10.0 * round_off);
    }
}

// Protects: momenta: the moments of the contact about a common point balance (the forces are opposite by definition).
TEST_P(ContactGeometryTest, moments_balance) {
  for (int k = 0; k < n_samples; ++k) {
    sample(0.5);
    const ContactKinematics<double> c = geometry_->kinematics(step(0), step(1));
    EXPECT_LT((c.moment_a + c.moment_b + (middle(1) - middle(0)).cross(c.force_b)).norm(), 10.0 * round_off);
    // Friction acts at one place of both bodies.
    EXPECT_LT((middle(1) + c.arm_b - middle(0) - c.arm_a).norm(), 10.0 * round_off);
  }
}

// Protects: friction acts in the plane of contact, whose normal has unit length.
TEST_P(ContactGeometryTest, normal_is_a_unit_vector_along_the_force_at_an_instant) {
  for (int k = 0; k < n_samples; ++k) {
    sample(0.0);
    const ContactKinematics<double> c = geometry_->kinematics(step(0), step(1));
    EXPECT_NEAR(c.normal.norm(), 1.0, round_off);
    EXPECT_LT((c.force_b - c.normal).norm(), 10.0 * round_off);
    EXPECT_EQ(c.gap_i, c.gap_f);
  }
}

// Protects: where the axes of the world point, and where its origin is, does not matter.
TEST_P(ContactGeometryTest, is_objective) {
  for (int k = 0; k < n_samples; ++k) {
    sample(0.5);
    const Pose world{random_.vector(10.0), random_.rotation()};
    const ContactKinematics<double> here = geometry_->kinematics(step(0), step(1));
    for (int n = 0; n < 2; ++n) start_[n] = carried(world, start_[n]), end_[n] = carried(world, end_[n]);
    const ContactKinematics<double> there = geometry_->kinematics(step(0), step(1));
    constexpr double far = 1e-11;  // 10 m from the origin; the angle of the spatial clearance has fewer digits
    EXPECT_NEAR(here.gap_i, there.gap_i, far);
    EXPECT_NEAR(here.gap_f, there.gap_f, far);
    for (const auto part : {&ContactKinematics<double>::force_b, &ContactKinematics<double>::moment_a,
                            &ContactKinematics<double>::moment_b, &ContactKinematics<double>::normal,
                            &ContactKinematics<double>::arm_a, &ContactKinematics<double>::arm_b})
      EXPECT_LT((world.R * (here.*part) - there.*part).norm(), 1e3 * far);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ContactGeometryTest, testing::ValuesIn(geometries()),
                         [](const auto& test) { return test.param.name; });

// Protects: gaps of simple positions, their sign and the side on which the contact pushes.
TEST(ContactGeometries, simple_positions) {
  const Pose here, aside{Vec3(0.4, 0.0, 0.3), Mat3::Identity()};
  const auto round = planar_clearance(bearing, journal)->kinematics(still(here), still(aside));
  EXPECT_NEAR(round.gap_i, 0.1, round_off);  // the axial offset does not count
  EXPECT_LT((round.normal + Vec3::UnitX()).norm(), round_off);
  const auto ball = spherical_clearance(bearing, journal)->kinematics(still(here), still(aside));
  EXPECT_NEAR(ball.gap_i, 0.0, round_off);
  const auto disk = spatial_clearance(bearing, journal)->kinematics(still(here), still(aside));
  EXPECT_NEAR(disk.gap_i, 0.1, round_off);
  const auto on_plane = ball_on_plane(0.2)->kinematics(still(here), still(aside));
  EXPECT_NEAR(on_plane.gap_i, 0.1, round_off);
  EXPECT_LT((on_plane.normal - Vec3::UnitZ()).norm(), round_off);
  // A disk that leans by 30 degrees reaches down by half of its radius.
  const Pose leaning{Vec3(0.0, 0.0, 0.3), tilted(M_PI / 6.0, 0.7)};
  const auto rim = disk_on_plane(0.2)->kinematics(still(here), still(leaning));
  EXPECT_NEAR(rim.gap_i, 0.2, round_off);
  EXPECT_NEAR(rim.arm_b.z(), -0.1, round_off);
}

// Protects: a journal in the very centre of its bearing, where the direction is undefined.
TEST(ContactGeometries, centre_is_harmless) {
  const Pose here;
  for (const auto& geometry : {planar_clearance(bearing, journal), spherical_clearance(bearing, journal),
                               spatial_clearance(bearing, journal)}) {
    const auto c = geometry->kinematics(still(here), still(here));
    EXPECT_NEAR(c.gap_i, bearing - journal, round_off);
    EXPECT_TRUE(c.force_b.allFinite() && c.moment_a.allFinite() && c.moment_b.allFinite() && c.normal.allFinite());
  }
}

/// Eq (11) of Bauchau and Ju 2006 for one angle.
double distance_at(const Pose& disk, double phi) {
  const Vec3 d1(std::cos(phi), std::sin(phi), 0.0);
  return bearing - journal * d1.cross(disk.R.col(2)).norm() - d1.dot(disk.x);
}

/// Its least value: the best of many angles, refined by ternary search between its neighbours.
double least_distance(const Pose& disk) {
  constexpr int n_angles = 360;
  constexpr double spacing = 2.0 * M_PI / n_angles;
  int best = 0;
  for (int n = 1; n < n_angles; ++n)
    if (distance_at(disk, n * spacing) < distance_at(disk, best * spacing)) best = n;
  double low = (best - 1) * spacing, high = (best + 1) * spacing;
  while (high - low > 1e-8) {  // the distance is flat there: an error of 1e-16
    const double third = (high - low) / 3.0;
    if (distance_at(disk, low + third) < distance_at(disk, high - third))
      high -= third;
    else
      low += third;
  }
  return distance_at(disk, 0.5 * (low + high));
}

// Protects: the disk in the cylinder: the gap is the least distance over all angles, also for large tilt, where there
// are two places of contact to choose from.
TEST(SpatialClearance, gap_is_the_least_distance_over_all_angles) {
  Random random(82);
  const auto geometry = spatial_clearance(bearing, journal);
  const double largest_tilt = 85.0 * M_PI / 180.0;
  for (int k = 0; k < n_samples; ++k) {
    const double offset = k % 10 == 0 ? 1e-9 : random(0.0, 1.0);
    const double side = random(0.0, 2.0 * M_PI);
    Pose disk{offset * Vec3(std::cos(side), std::sin(side), random()),
              tilted(largest_tilt * random(), random(0.0, 7.0))};
    const double gap = geometry->kinematics(still({}), still(disk)).gap_i;
    EXPECT_NEAR(gap, least_distance(disk), round_off);
  }
}

// Protects: a disk that is not tilted is the planar joint.
TEST(SpatialClearance, aligned_disk_is_the_planar_joint) {
  Random random(83);
  const auto spatial = spatial_clearance(bearing, journal);
  const auto planar = planar_clearance(bearing, journal);
  for (int k = 0; k < n_samples; ++k) {
    const Pose disk{random.vector(), Eigen::AngleAxisd(random(), Vec3::UnitZ()).toRotationMatrix()};
    const auto s = spatial->kinematics(still({}), still(disk));
    const auto p = planar->kinematics(still({}), still(disk));
    EXPECT_NEAR(s.gap_i, p.gap_i, round_off);
    constexpr double angle = 1e-12;  // of the angle that Newton's method finds
    EXPECT_LT((s.force_b - p.force_b).norm(), angle);
    EXPECT_LT((s.moment_a - p.moment_a).norm(), angle);
    EXPECT_LT((s.arm_b - p.arm_b).norm(), angle);
  }
}

}  // namespace
}  // namespace freeplay
