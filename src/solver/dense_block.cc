#include "dense_block.h"

#include <Eigen/Core>
#include <cmath>

#include "freeplay/math/packet.h"

namespace freeplay {

namespace {

constexpr int n_packets = block_size / packet_size;

template <bool subtract>
void product(const double* A, const double* B, double* C, int n_columns) {
  constexpr int tile = 4;  // columns: with these, 12 of 16 registers hold results
  for (int c = 0; c < n_columns; c += tile, B += tile * block_size, C += tile * block_size) {
    Packet sum[tile][n_packets] = {};
    if (subtract)
      for (int j = 0; j < tile; ++j)
        for (int p = 0; p < n_packets; ++p) sum[j][p] = packet_at(C + j * block_size + p * packet_size);
    for (int k = 0; k < block_size; ++k) {
      const double* a = A + k * block_size;
      for (int j = 0; j < tile; ++j) {
        const double b = B[j * block_size + k];
        for (int p = 0; p < n_packets; ++p) {
          if (subtract)
            sum[j][p] -= packet_at(a + p * packet_size) * b;
          else
            sum[j][p] += packet_at(a + p * packet_size) * b;
        }
      }
    }
    for (int j = 0; j < tile; ++j)
      for (int p = 0; p < n_packets; ++p) packet_at(C + j * block_size + p * packet_size) = sum[j][p];
  }
}

}  // namespace

void block_product(const double* A, const double* B, double* C, int n_columns) { product<false>(A, B, C, n_columns); }

void subtract_block_product(const double* A, const double* B, double* C, int n_columns) {
  product<true>(A, B, C, n_columns);
}

void block_times_vector(const double* A, const double* x, double* y) {
  Packet even[n_packets] = {}, odd[n_packets] = {};  // two sums: the processor need not wait for one
  for (int c = 0; c < block_size; c += 2, A += 2 * block_size)
    for (int p = 0; p < n_packets; ++p) {
      even[p] += packet_at(A + p * packet_size) * x[c];
      odd[p] += packet_at(A + block_size + p * packet_size) * x[c + 1];
    }
  for (int p = 0; p < n_packets; ++p) packet_at(y + p * packet_size) = even[p] + odd[p];
}

void subtract_block_times_vector(const double* A, const double* x, double* y) {
  Packet even[n_packets], odd[n_packets] = {};
  for (int p = 0; p < n_packets; ++p) even[p] = packet_at(y + p * packet_size);
  for (int c = 0; c < block_size; c += 2, A += 2 * block_size)
    for (int p = 0; p < n_packets; ++p) {
      even[p] -= packet_at(A + p * packet_size) * x[c];
      odd[p] -= packet_at(A + block_size + p * packet_size) * x[c + 1];
    }
  for (int p = 0; p < n_packets; ++p) packet_at(y + p * packet_size) = even[p] + odd[p];
}

bool factorise_block(const double* A, double* lower, double* upper) {
  using Block = Eigen::Matrix<double, block_size, block_size>;
  using Column = Eigen::Matrix<double, block_size, 1>;
  Block U = Eigen::Map<const Block>(A);
  Eigen::Map<Block> L(lower), inverse(upper);
  L.setIdentity();
  for (int k = 0; k < block_size; ++k) {
    Eigen::Index pivot = 0;
    const double size = U.col(k).tail(block_size - k).cwiseAbs().maxCoeff(&pivot);
    if (!(size > 0.0 && std::isfinite(size))) return false;
    if (pivot > 0) {
      U.row(k).swap(U.row(k + pivot));
      L.row(k).swap(L.row(k + pivot));
    }
    Column factor = U.col(k) / U(k, k);
    factor.head(k + 1).setZero();
    for (int c = k + 1; c < block_size; ++c) U.col(c) -= U(k, c) * factor;
    for (int c = 0; c < block_size; ++c) L.col(c) -= L(k, c) * factor;
  }
  for (int c = 0; c < block_size; ++c) {
    Column x = Column::Unit(c);
    for (int r = c; r >= 0; --r) {
      const double value = x[r] / U(r, r);
      x.head(r) -= value * U.col(r).head(r);
      x[r] = value;
    }
    inverse.col(c) = x;
  }
  return true;
}

}  // namespace freeplay
