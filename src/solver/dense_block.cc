#include "dense_block.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/math/packet_vector.h"
#include "freeplay/math/prefetch.h"

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

/// Four numbers of single precision, which keep their value.
static Packet packet_at(const float* numbers) {
#ifdef __AVX__
  return _mm256_cvtps_pd(_mm_loadu_ps(numbers));  // one instruction; g++ 12 makes five of what follows
#else
  using SinglePacket = float __attribute__((vector_size(16), aligned(4), may_alias));
  return __builtin_convertvector(*reinterpret_cast<const SinglePacket*>(numbers), Packet);
#endif
}

namespace {

/// Solutions read one block after the other and compute little with each. Those in single precision are of matrices
/// that no cache holds: the next few of them should be on their way.
void prefetch_later_block(const float* A) {
  constexpr int distance = 768;  // numbers
  prefetch<Purpose::read>(*A, distance, block_area);
}
void prefetch_later_block(const double*) {}

}  // namespace

template <class Number>
void block_times_vector(const Number* A, const double* x, double* y) {
  prefetch_later_block(A);
  Packet even[n_packets] = {}, odd[n_packets] = {};  // two sums: the processor need not wait for one
  for (int c = 0; c < block_size; c += 2, A += 2 * block_size)
    for (int p = 0; p < n_packets; ++p) {
      even[p] += packet_at(A + p * packet_size) * x[c];
      odd[p] += packet_at(A + block_size + p * packet_size) * x[c + 1];
    }
  for (int p = 0; p < n_packets; ++p) packet_at(y + p * packet_size) = even[p] + odd[p];
}

template <class Number>
void subtract_block_times_vector(const Number* A, const double* x, double* y) {
  prefetch_later_block(A);
  Packet even[n_packets], odd[n_packets] = {};
  for (int p = 0; p < n_packets; ++p) even[p] = packet_at(y + p * packet_size);
  for (int c = 0; c < block_size; c += 2, A += 2 * block_size)
    for (int p = 0; p < n_packets; ++p) {
      even[p] -= packet_at(A + p * packet_size) * x[c];
      odd[p] -= packet_at(A + block_size + p * packet_size) * x[c + 1];
    }
  for (int p = 0; p < n_packets; ++p) packet_at(y + p * packet_size) = even[p] + odd[p];
}

template void block_times_vector(const double*, const double*, double*);
template void block_times_vector(const float*, const double*, double*);
template void subtract_block_times_vector(const double*, const double*, double*);
template void subtract_block_times_vector(const float*, const double*, double*);

void add_transposed_block(const double* rows, int width, double* columns) {
  for (int r = 0; r < block_size; r += packet_size)
    for (int c = 0; c < block_size; c += packet_size) {
      Packet part[packet_size];
      for (int k = 0; k < packet_size; ++k) part[k] = packet_at(rows + (r + k) * width + c);
      transpose(part[0], part[1], part[2], part[3]);
      for (int k = 0; k < packet_size; ++k) packet_at(columns + (c + k) * block_size + r) += part[k];
    }
}

namespace {

/// Ones below row k, else zeros.
struct BelowDiagonal {
  double rows[block_size][block_size] = {};
  constexpr BelowDiagonal() {
    for (int k = 0; k < block_size; ++k)
      for (int row = k + 1; row < block_size; ++row) rows[k][row] = 1.0;
  }
};
constexpr BelowDiagonal below_diagonal;

/// y += factor x, for the rows from `first_row` (or a few more) on.
void add_column(double factor, const double* x, double* y, int first_row = 0) {
  for (int p = first_row / packet_size; p < n_packets; ++p)
    packet_at(y + p * packet_size) += factor * packet_at(x + p * packet_size);
}

}  // namespace

bool factorise_block(const double* A, double* lower, double* upper) {
  double U[block_area], inverse_pivot[block_size], factors[block_size];
  std::copy_n(A, block_area, U);
  std::fill_n(lower, block_area, 0.0);
  int origin[block_size];  // of the rows: the column in which `lower` has a one in this row at the beginning
  for (int k = 0; k < block_size; ++k) {
    lower[k * block_size + k] = 1.0;
    origin[k] = k;
  }
  for (int k = 0; k < block_size; ++k) {
    double* column = U + k * block_size;
    int pivot = k;
    for (int row = k + 1; row < block_size; ++row)
      if (!(std::abs(column[row]) <= std::abs(column[pivot]))) pivot = row;
    if (!(std::abs(column[pivot]) > 0.0 && std::isfinite(column[pivot]))) return false;
    if (pivot != k) {
      for (int c = k; c < block_size; ++c) std::swap(U[c * block_size + k], U[c * block_size + pivot]);
      for (int c = 0; c < block_size; ++c) std::swap(lower[c * block_size + k], lower[c * block_size + pivot]);
      std::swap(origin[k], origin[pivot]);
    }
    inverse_pivot[k] = 1.0 / column[k];
    for (int p = 0; p < block_size; p += packet_size)
      packet_at(factors + p) = inverse_pivot[k] * packet_at(column + p) * packet_at(below_diagonal.rows[k] + p);
    for (int c = k + 1; c < block_size; ++c) add_column(-U[c * block_size + k], factors, U + c * block_size, k + 1);
    for (int j = 0; j <= k; ++j) {
      double* of_row = lower + origin[j] * block_size;
      add_column(-of_row[k], factors, of_row, k + 1);
    }
  }
  // U^-1 column by column: U^-1 e_c = (e_c - sum_j U(j, c) U^-1 e_j) / U(c, c)
  std::fill_n(upper, block_area, 0.0);
  for (int c = 0; c < block_size; ++c) {
    double* column = upper + c * block_size;
    for (int j = 0; j < c; ++j) add_column(-U[c * block_size + j] * inverse_pivot[c], upper + j * block_size, column);
    column[c] = inverse_pivot[c];
  }
  return true;
}

}  // namespace freeplay
