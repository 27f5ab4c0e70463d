#include "freeplay/math/block_matrix.h"

#include <gtest/gtest.h>

#include "math/numerics_testing.h"

namespace freeplay {
namespace {

using Dense = Eigen::MatrixXd;

// A node without freedom has a block of size 0.
const std::vector<int> sizes{3, 0, 6, 1, 2};
const std::vector<std::pair<int, int>> couplings{{4, 0}, {0, 0}, {2, 2}, {2, 0}, {0, 2}, {3, 3},
                                                 {2, 2}, {4, 4}, {3, 4}, {1, 1}, {1, 2}, {2, 1}};

Dense random_block(int rows, int columns, Random& random) {
  return Dense::NullaryExpr(rows, columns, [&] { return random(); });
}

Dense dense(BlockMatrix& matrix) {
  Dense result = Dense::Zero(matrix.size(), matrix.size());
  for (int r = 0; r < matrix.size(); ++r)
    for (int k = matrix.row_start()[r]; k < matrix.row_start()[r + 1]; ++k)
      result(r, matrix.column()[k]) += matrix.value()[k];
  return result;
}

// Protects: a block may cover neighbours that are coupled to the same blocks, as the two twists of a node are.
TEST(BlockMatrix, add_covers_neighbours) {
  Random random;
  std::vector<std::pair<int, int>> all;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) all.emplace_back(row, column);
  all.emplace_back(2, 4);
  all.emplace_back(3, 4);
  BlockMatrix matrix({6, 6, 6, 6, 2}, all);
  using Twins = Eigen::Matrix<double, 12, 12, Eigen::RowMajor>;
  Dense expected = Dense::Zero(26, 26);
  for (const int row : {0, 2})
    for (const int column : {0, 2}) {
      const Twins block = random_block(12, 12, random);
      matrix.add(row, column, block);
      expected.block(6 * row, 6 * column, 12, 12) += block;
    }
  EXPECT_EQ(dense(matrix), expected);
}

// Protects: every element's block lands in its place, and contributions add up.
TEST(BlockMatrix, add_puts_blocks_in_their_places) {
  Random random;
  BlockMatrix matrix(sizes, couplings);
  ASSERT_EQ(matrix.size(), 12);
  Dense expected = Dense::Zero(12, 12);
  for (int pass = 0; pass < 2; ++pass)
    for (const auto& [row, column] : couplings) {
      EXPECT_EQ(matrix.block_size(row), sizes[row]);
      const Dense block = random_block(sizes[row], sizes[column], random);
      matrix.add(row, column, block);
      expected.block(matrix.first(row), matrix.first(column), block.rows(), block.cols()) += block;
    }
  EXPECT_EQ(dense(matrix), expected);
  matrix.set_zero();
  EXPECT_EQ(dense(matrix), Dense(Dense::Zero(12, 12)));
}

// Protects: the product that Krylov methods and residual checks use.
TEST(BlockMatrix, multiply_matches_the_dense_product) {
  Random random;
  BlockMatrix matrix(sizes, couplings);
  for (const auto& [row, column] : couplings) matrix.add(row, column, random_block(sizes[row], sizes[column], random));
  const Eigen::VectorXd x = random_block(12, 1, random);
  Eigen::VectorXd y(12);
  matrix.multiply({x.data(), 12}, {y.data(), 12});
  constexpr double round_off = 1e-14;  // sums of at most 12 products of numbers below 1
  EXPECT_LT((y - dense(matrix) * x).norm(), round_off);
}

// Protects: linear solvers rely on sorted columns without duplicates in every row.
TEST(BlockMatrix, columns_of_each_row_ascend) {
  BlockMatrix matrix(sizes, couplings);
  for (int r = 0; r < matrix.size(); ++r)
    for (int k = matrix.row_start()[r] + 1; k < matrix.row_start()[r + 1]; ++k)
      EXPECT_LT(matrix.column()[k - 1], matrix.column()[k]);
}

}  // namespace
}  // namespace freeplay
