#include "freeplay/math/packet_vector.h"

#include <gtest/gtest.h>

#include "freeplay/math/rotation.h"

namespace freeplay {
namespace {

constexpr double round_off = 1e-15;

template <int n>
void expect_lanes_are_lists() {
  double lists[packet_size][n], back[packet_size][n] = {};
  for (int lane = 0; lane < packet_size; ++lane)
    for (int k = 0; k < n; ++k) lists[lane][k] = 100.0 * lane + k;
  Packet packets[n];
  read_lanes({lists[0], lists[1], lists[2], lists[3]}, packets);
  for (int lane = 0; lane < packet_size; ++lane)
    for (int k = 0; k < n; ++k) EXPECT_EQ(packets[k][lane], lists[lane][k]);
  write_lanes(packets, {back[0], back[1], back[2], back[3]});
  for (int lane = 0; lane < packet_size; ++lane)
    for (int k = 0; k < n; ++k) EXPECT_EQ(back[lane][k], lists[lane][k]);
}

// Protects: four lists become packets and packets lists again, also where their length is not a multiple of four.
TEST(PacketVector, lanes_are_lists) {
  expect_lanes_are_lists<4>();
  expect_lanes_are_lists<6>();
  expect_lanes_are_lists<12>();
}

// Protects: in each lane vectors and matrices are what they are one at a time.
TEST(PacketVector, calculates_like_single_vectors) {
  PacketVec3 a, b;
  PacketMat3 A, B;
  Vec3 single_a[packet_size], single_b[packet_size];
  Mat3 single_A[packet_size], single_B[packet_size];
  for (int lane = 0; lane < packet_size; ++lane) {
    single_a[lane] = Vec3(1.0, -2.0, 0.5) + lane * Vec3(0.3, 0.2, -0.1);
    single_b[lane] = Vec3(-0.4, 0.7, 2.0) - lane * Vec3(0.5, -0.3, 0.2);
    single_A[lane] = Mat3::Identity() + cayley_change(single_a[lane]);
    single_B[lane] = skew(single_b[lane]) + 0.1 * Mat3::Ones();
    a.set(lane, single_a[lane]);
    b.set(lane, single_b[lane]);
    A.set(lane, single_A[lane]);
    B.set(lane, single_B[lane]);
  }
  const auto expect_vector = [](const Vec3& is, const Vec3& wanted) {
    EXPECT_LT((is - wanted).norm(), 10.0 * round_off) << is.transpose() << " instead of " << wanted.transpose();
  };
  for (int lane = 0; lane < packet_size; ++lane) {
    const Vec3 &u = single_a[lane], &v = single_b[lane];
    const Mat3 &M = single_A[lane], &N = single_B[lane];
    expect_vector((a + b).at(lane), u + v);
    expect_vector((a - b).at(lane), u - v);
    expect_vector((2.0 * a).at(lane), 2.0 * u);
    expect_vector(product(a, b).at(lane), u.cwiseProduct(v));
    expect_vector(cross(a, b).at(lane), u.cross(v));
    EXPECT_NEAR(dot(a, b)[lane], u.dot(v), 10.0 * round_off);
    expect_vector((A * b).at(lane), M * v);
    expect_vector(transposed_times(A, b).at(lane), M.transpose() * v);
    EXPECT_LT(((A * B).at(lane) - M * N).norm(), 10.0 * round_off);
  }
  EXPECT_EQ(sum_of(Packet{1.0, 2.0, 3.0, 4.0}), 10.0);
}

}  // namespace
}  // namespace freeplay
