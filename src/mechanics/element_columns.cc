#include "element_columns.h"

#include "freeplay/math/packet.h"

namespace freeplay {

namespace {

// Sums stay in registers over the whole depth: that takes a third of the time of Eigen's general product for matrices
// as small as these.
template <int n_packets>
void multiply_packets(const double* rows, Eigen::Index row_stride, const double* columns, Eigen::Index column_stride,
                      int depth, double factor, double* result) {
  Packet sums[3][n_packets] = {};
  for (int s = 0; s < depth; ++s, rows += row_stride, columns += column_stride)
    for (int p = 0; p < n_packets; ++p) {
      const Packet column = packet_at(columns + p * packet_size);
      for (int i = 0; i < 3; ++i) sums[i][p] += rows[i] * column;
    }
  for (int i = 0; i < 3; ++i)
    for (int p = 0; p < n_packets; ++p) packet_at(result + i * max_columns + p * packet_size) = factor * sums[i][p];
}

}  // namespace

void multiply(double factor, const StrainColumns::Columns& rows, int first_row, const StrainColumns::Columns& columns,
              int depth, ThreeRows& result) {
  const double* row = rows.data() + first_row;
  int rest = static_cast<int>(columns.rows()) / packet_size;
  for (int first = 0; rest > 0; first += 4 * packet_size, rest -= 4) {
    const double* column = columns.data() + first;
    double* target = result.data() + first;
    const auto run = [&]<int n>(std::integral_constant<int, n>) {
      multiply_packets<n>(row, rows.rows(), column, columns.rows(), depth, factor, target);
    };
    switch (std::min(rest, 4)) {
      case 1:
        run(std::integral_constant<int, 1>{});
        break;
      case 2:
        run(std::integral_constant<int, 2>{});
        break;
      case 3:
        run(std::integral_constant<int, 3>{});
        break;
      default:
        run(std::integral_constant<int, 4>{});
    }
  }
}

}  // namespace freeplay
