#include <gtest/gtest.h>

#include <limits>

#include "freeplay/mechanics/gauss_lanes.h"

namespace freeplay {
namespace {

// Protects: elements share Gauss points only where they differ by the round-off of arc lengths, not where a mesh is
// graded ever so slightly or a section changes.
TEST(GaussPoints, agree_up_to_the_round_off_of_arc_lengths) {
  const double third = 1.0 / 3.0;
  const LineMesh mesh = make_line_mesh({0.0, third, 2.0 * third, 1.0, 1.0 + third * (1.0 + 1e-12)}, 5);
  const std::vector<Mat6> stiffness(5, Mat6(7.0 * Mat6::Identity()));
  const auto points = [&](int element) { return GaussPoints(mesh.elements[element], stiffness); };
  constexpr double round_off = 4.0 * std::numeric_limits<double>::epsilon();
  EXPECT_TRUE(points(0).agree_with(points(0), 0.0));
  EXPECT_TRUE(points(0).agree_with(points(2), 3.0 * round_off));
  EXPECT_FALSE(points(0).agree_with(points(3), 3.0 * round_off));
  std::vector<Mat6> other = stiffness;
  other.back()(5, 5) += 1e-12;
  EXPECT_FALSE(points(0).agree_with(GaussPoints(mesh.elements[0], other), 1.0));
  const LineMesh coarse = make_line_mesh({0.0, third}, 2);
  EXPECT_FALSE(points(0).agree_with(GaussPoints(coarse.elements[0], stiffness), 1.0));
}

}  // namespace
}  // namespace freeplay
