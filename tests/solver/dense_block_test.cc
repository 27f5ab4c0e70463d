#include "solver/dense_block.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

namespace freeplay {
namespace {

using Block = Eigen::Matrix<double, block_size, block_size>;
using Column = Eigen::Matrix<double, block_size, 1>;
using Columns = Eigen::Matrix<double, block_size, 20>;

constexpr double round_off = 1e-13;

// Protects: the products against Eigen's, also in place.
TEST(DenseBlock, products) {
  const Block A = Block::Random();
  const Columns B = Columns::Random(), C = Columns::Random();
  Columns result = B;
  block_product(A.data(), result.data(), result.data(), 20);
  EXPECT_LT((result - A * B).norm(), round_off);
  result = C;
  subtract_block_product(A.data(), B.data(), result.data(), 20);
  EXPECT_LT((result - (C - A * B)).norm(), round_off);
}

TEST(DenseBlock, products_with_vectors) {
  const Eigen::Matrix<float, block_size, block_size> single = decltype(single)::Random();
  const Block A = single.cast<double>();
  const Column x = Column::Random(), y = Column::Random();
  Column result = x;
  block_times_vector(A.data(), result.data(), result.data());
  EXPECT_LT((result - A * x).norm(), round_off);
  result = y;
  subtract_block_times_vector(A.data(), x.data(), result.data());
  EXPECT_LT((result - (y - A * x)).norm(), round_off);
  // Numbers of single precision are not rounded any further.
  result = x;
  block_times_vector(single.data(), result.data(), result.data());
  EXPECT_LT((result - A * x).norm(), round_off);
  result = y;
  subtract_block_times_vector(single.data(), x.data(), result.data());
  EXPECT_LT((result - (y - A * x)).norm(), round_off);
}

// Protects: blocks out of matrices that are stored row by row.
TEST(DenseBlock, transposed) {
  using Rows = Eigen::Matrix<double, block_size, 17, Eigen::RowMajor>;
  const Rows rows = Rows::Random();
  const Block before = Block::Random();
  Block result = before;
  add_transposed_block(rows.data() + 3, 17, result.data());
  EXPECT_EQ(result, before + rows.middleCols<block_size>(3));
}

// Protects: row exchanges (the first pivot is zero) and the meaning of the two factors.
TEST(DenseBlock, factors) {
  Block A = Block::Random();
  A(0, 0) = 0.0;
  Block lower, upper;
  ASSERT_TRUE(factorise_block(A.data(), lower.data(), upper.data()));
  EXPECT_LT((lower * A * upper - Block::Identity()).norm(), 100.0 * round_off);
  EXPECT_TRUE(upper.isUpperTriangular());
}

// Protects: soft directions beside stiff ones. A x = b is solved with a small backward error although the condition of
// A is 1e14; products with the inverse of A have one that is a million times as large.
TEST(DenseBlock, soft_beside_stiff) {
  Column size = Column::Ones();
  size.tail<6>().setConstant(1e-14);
  const Block Q = Eigen::PartialPivLU<Block>(Block::Random()).matrixLU().triangularView<Eigen::UnitLower>();
  const Block A = Q * size.asDiagonal() * Q.transpose();
  const Column b = A * Column::Ones();
  Block lower, upper;
  ASSERT_TRUE(factorise_block(A.data(), lower.data(), upper.data()));
  Column x;
  block_times_vector(lower.data(), b.data(), x.data());
  block_times_vector(upper.data(), x.data(), x.data());
  EXPECT_LT((A * x - b).norm(), 1e-14 * (A.norm() * x.norm() + b.norm()));
}

TEST(DenseBlock, finds_singular_blocks) {
  Block A = Block::Random(), lower, upper;
  A.row(7).setZero();
  EXPECT_FALSE(factorise_block(A.data(), lower.data(), upper.data()));
  A.row(7).setConstant(NAN);
  EXPECT_FALSE(factorise_block(A.data(), lower.data(), upper.data()));
}

}  // namespace
}  // namespace freeplay
