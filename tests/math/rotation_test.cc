#include "freeplay/math/rotation.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "math/numerics_testing.h"

namespace freeplay {
namespace {

constexpr int n_samples = 50;
constexpr double round_off = 1e-14;  // a few operations on numbers of size 1

// Protects: a step of any size ends on a rotation, the one of the definition.
TEST(Rotation, cayley_is_the_rotation_of_its_definition) {
  Random random;
  for (int k = 0; k < n_samples; ++k) {
    const Vec3 a = random.vector(6.0);
    const Mat3 R = cayley(a);
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), round_off);
    EXPECT_NEAR(R.determinant(), 1.0, round_off);
    EXPECT_LT(((Mat3::Identity() - 0.5 * skew(a)) * R - (Mat3::Identity() + 0.5 * skew(a))).norm(), 10.0 * round_off);
    const Eigen::AngleAxisd expected(2.0 * std::atan(0.5 * a.norm()), a.normalized());
    EXPECT_LT((R - expected.toRotationMatrix()).norm(), round_off);
  }
}

// Protects: R_f - R_i = (R_i xi_w)~ (R_i + R_f)/2, on which every energy identity of the scheme rests.
TEST(Rotation, difference_of_directors_is_a_cross_product_with_their_mean) {
  Random random;
  for (int k = 0; k < n_samples; ++k) {
    const Mat3 start = random.rotation();
    const Vec3 xi = random.vector(3.0);
    const Mat3 end = start * cayley(xi);
    EXPECT_LT((end - start - skew(start * xi) * 0.5 * (start + end)).norm(), round_off);
    EXPECT_LT((start * xi - end * xi).norm(), round_off);
  }
}

// Protects: the tangent of the Cayley map in every Jacobian.
TEST(Rotation, cayley_tangent_matches_finite_differences) {
  Random random;
  for (int k = 0; k < n_samples; ++k) {
    const Vec3 a = random.vector(2.0);
    const Vec3 da = random.vector();
    const Mat3 expected = cayley(a).transpose() * derivative([&](double h) -> Mat3 { return cayley(a + h * da); });
    EXPECT_LT((skew(cayley_tangent(a) * da) - expected).norm(), finite_difference_tolerance);
  }
  EXPECT_EQ(cayley_tangent(Vec3::Zero()), Mat3(Mat3::Identity()));
}

// Protects: the work of torques, which needs the step rotation back from the poses.
TEST(Rotation, inverse_cayley_inverts) {
  Random random;
  for (int k = 0; k < n_samples; ++k) {
    const Vec3 a = random.vector(4.0);
    EXPECT_LT((inverse_cayley(cayley(a)) - a).norm(), 100.0 * round_off * (1.0 + a.squaredNorm()));
  }
  EXPECT_EQ(inverse_cayley(Mat3::Identity()), Vec3(Vec3::Zero()));
}

// Protects: the drift of summed steps off SO(3) is removed quadratically, and what is a rotation already stays.
TEST(Rotation, nearest_rotation_removes_drift) {
  Random random;
  const Mat3 R = random.rotation();
  Mat3 error;
  error << random.vector(), random.vector(), random.vector();
  for (const double size : {1e-3, 1e-4, 1e-5}) {
    const Mat3 repaired = nearest_rotation(R + size * error);
    EXPECT_LT((repaired.transpose() * repaired - Mat3::Identity()).norm(), 10.0 * size * size);
    EXPECT_LT((repaired - R).norm(), 3.0 * size);
  }
  EXPECT_EQ(nearest_rotation(Mat3::Identity()), Mat3(Mat3::Identity()));
}

// Protects: joint axes given in any direction and length make a right-handed basis.
TEST(Rotation, basis_is_right_handed_and_orthonormal) {
  Random random;
  std::vector<Vec3> directions;
  for (int k = 0; k < n_samples; ++k) directions.push_back(random.vector(5.0));
  for (int k = 0; k < 3; ++k) {
    directions.push_back(Vec3::Unit(k));
    directions.push_back(-1e-3 * Vec3::Unit(k));
  }
  directions.push_back({1.0, 1.0, 1.0});
  directions.push_back({1.0, 1.0 + 1e-15, 0.0});
  for (const Vec3& direction : directions) {
    const Mat3 basis = basis_with_third_axis(direction);
    EXPECT_LT((basis.transpose() * basis - Mat3::Identity()).norm(), round_off);
    EXPECT_NEAR(basis.determinant(), 1.0, round_off);
    EXPECT_LT((basis.col(2) - direction.normalized()).norm(), round_off);
  }
}

// Protects: a joint along a coordinate axis has the axes that its documentation promises.
TEST(Rotation, basis_along_coordinate_axes_is_cyclic) {
  EXPECT_EQ(basis_with_third_axis(2.0 * Vec3::UnitZ()), Mat3(Mat3::Identity()));
  for (int k = 0; k < 3; ++k) {
    const Mat3 basis = basis_with_third_axis(Vec3::Unit(k));
    EXPECT_EQ(basis.col(0), Vec3(Vec3::Unit((k + 1) % 3)));
    EXPECT_EQ(basis.col(1), Vec3(Vec3::Unit((k + 2) % 3)));
  }
}

}  // namespace
}  // namespace freeplay
