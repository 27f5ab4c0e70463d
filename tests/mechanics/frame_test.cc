#include "freeplay/mechanics/frame.h"

#include <gtest/gtest.h>

#include "mechanics/motion_testing.h"

namespace freeplay {
namespace {

// Protects: the change of a pose is that of its end, closer than the difference of two poses far from the origin, for
// steps from the smallest to half a turn.
TEST(Moved, change_is_end_minus_start) {
  Random random(3);
  for (const double size : {1e-12, 1e-3, 1.0, 30.0}) {
    const Pose start{random.vector(), random.rotation()};
    const Vec6 xi = random.twist(size);
    const Mat34 change = change_of(start, displacement_of(xi.head<3>(), xi.tail<3>()), cayley_change(xi.tail<3>()));
    const Pose end = moved(start, xi);
    // x1 = x0 + (R0 + R1)/2 xi_V, R1 = R0 cay(xi_w)
    const double round_off = 1e-15 * (1.0 + size);
    EXPECT_LT((end.R - start.R * cayley(xi.tail<3>())).norm(), 10.0 * round_off);
    EXPECT_LT((end.x - start.x - 0.5 * (start.R + end.R) * xi.head<3>()).norm(), 10.0 * round_off);
    EXPECT_LT((change.col(0) - (end.x - start.x)).norm(), 10.0 * round_off);
    EXPECT_LT((change.rightCols<3>() - (end.R - start.R)).norm(), 10.0 * round_off);
    // To first order the change is that of a small motion, without the round-off of the pose.
    if (size > 1e-6) continue;
    EXPECT_LT((change.col(0) - start.R * xi.head<3>()).norm(), 10.0 * size * size);
    EXPECT_LT((change.rightCols<3>() - start.R * skew(xi.tail<3>())).norm(), 10.0 * size * size);
  }
}

}  // namespace
}  // namespace freeplay
