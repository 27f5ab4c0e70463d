#pragma once

#include <algorithm>
#include <array>

#include "freeplay/math/packet.h"
#include "freeplay/math/types.h"

// Vectors and matrices of four things at a time, one per lane.

namespace freeplay {

inline double sum_of(const Packet& packet) { return (packet[0] + packet[1]) + (packet[2] + packet[3]); }

struct PacketVec3 {
  Packet component[3];

  Packet& operator[](int i) { return component[i]; }
  const Packet& operator[](int i) const { return component[i]; }
  Vec3 at(int lane) const { return {component[0][lane], component[1][lane], component[2][lane]}; }
  void set(int lane, const Vec3& vector) {
    for (int i = 0; i < 3; ++i) component[i][lane] = vector[i];
  }
};

inline PacketVec3 operator+(const PacketVec3& a, const PacketVec3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline PacketVec3 operator-(const PacketVec3& a, const PacketVec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline PacketVec3 operator*(const Packet& factor, const PacketVec3& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
inline PacketVec3 operator*(double factor, const PacketVec3& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
/// Component by component.
inline PacketVec3 product(const PacketVec3& a, const PacketVec3& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2]}; }
inline Packet dot(const PacketVec3& a, const PacketVec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline PacketVec3 cross(const PacketVec3& a, const PacketVec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct PacketMat3 {
  PacketVec3 row[3];

  const Packet& operator()(int i, int k) const { return row[i][k]; }
  Mat3 at(int lane) const {
    Mat3 matrix;
    for (int i = 0; i < 3; ++i) matrix.row(i) = row[i].at(lane).transpose();
    return matrix;
  }
  void set(int lane, const Mat3& matrix) {
    for (int i = 0; i < 3; ++i) row[i].set(lane, matrix.row(i).transpose());
  }
};

inline PacketVec3 operator*(const PacketMat3& A, const PacketVec3& b) {
  return {dot(A.row[0], b), dot(A.row[1], b), dot(A.row[2], b)};
}
/// A^T b.
inline PacketVec3 transposed_times(const PacketMat3& A, const PacketVec3& b) {
  return b[0] * A.row[0] + b[1] * A.row[1] + b[2] * A.row[2];
}
inline PacketMat3 operator*(const PacketMat3& A, const PacketMat3& B) {
  return {transposed_times(B, A.row[0]), transposed_times(B, A.row[1]), transposed_times(B, A.row[2])};
}

/// Lane k of packet i becomes lane i of packet k.
inline void transpose(Packet& a, Packet& b, Packet& c, Packet& d) {
  const Packet ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Packet cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

/// Number k of each of four lists becomes packet k.
template <int n>
void read_lanes(const std::array<const double*, packet_size>& lists, Packet (&packets)[n]) {
  static_assert(n >= packet_size);
  for (int k = 0; k < n; k += packet_size) {
    const int first = std::min(k, n - packet_size);
    Packet part[packet_size];
    for (int lane = 0; lane < packet_size; ++lane) part[lane] = packet_at(lists[lane] + first);
    transpose(part[0], part[1], part[2], part[3]);
    for (int i = 0; i < packet_size; ++i) packets[first + i] = part[i];
  }
}

/// And back.
template <int n>
void write_lanes(const Packet (&packets)[n], const std::array<double*, packet_size>& lists) {
  static_assert(n >= packet_size);
  for (int k = 0; k < n; k += packet_size) {
    const int first = std::min(k, n - packet_size);
    Packet part[packet_size];
    for (int i = 0; i < packet_size; ++i) part[i] = packets[first + i];
    transpose(part[0], part[1], part[2], part[3]);
    for (int lane = 0; lane < packet_size; ++lane) packet_at(lists[lane] + first) = part[lane];
  }
}

}  // namespace freeplay
