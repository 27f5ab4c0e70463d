#include "solver/frontal_factorisation.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>

namespace freeplay {
namespace {

/// Two chains of elements with `inner` nodes between the ones they share, six unknowns per node, and three multipliers
/// that join the ends of the chains. Numbers are arbitrary, the diagonal is not zero.
BlockMatrix joined_chains(int n_elements, int inner) {
  const int per_chain = n_elements * (inner + 1) + 1;
  std::vector<int> sizes(2 * per_chain, 6);
  sizes.push_back(3);
  const int joint = 2 * per_chain;
  std::vector<std::pair<int, int>> couplings;
  for (const int first : {0, per_chain})
    for (int e = 0; e < n_elements; ++e)
      for (int a = 0; a <= inner + 1; ++a)
        for (int b = 0; b <= inner + 1; ++b)
          couplings.emplace_back(first + e * (inner + 1) + a, first + e * (inner + 1) + b);
  for (const int end : {per_chain - 1, per_chain}) {
    couplings.emplace_back(end, joint);
    couplings.emplace_back(joint, end);
  }
  BlockMatrix matrix(sizes, couplings);
  for (std::size_t k = 0; k < matrix.value().size(); ++k)
    matrix.value()[k] = std::sin(1.0 + 3.7 * static_cast<double>(k * k % 1013));
  for (int n = 0; n < 2 * per_chain; ++n) matrix.add(n, n, 10.0 * Mat6::Identity());
  return matrix;
}

Eigen::MatrixXd dense(const BlockMatrix& matrix) {
  Eigen::MatrixXd result(matrix.size(), matrix.size());
  for (int r = 0; r < matrix.size(); ++r)
    for (int c = 0; c < matrix.size(); ++c) result(r, c) = matrix.at(r, c);
  return result;
}

using Precision = FrontalFactorisation::Precision;

void expect_solution(FrontalFactorisation& factorisation, BlockMatrix& matrix, Precision precision = Precision::full) {
  ASSERT_TRUE(factorisation.factorise(matrix, precision));
  std::vector<double> x(matrix.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::cos(static_cast<double>(k));
  const Eigen::VectorXd expected =
      dense(matrix).partialPivLu().solve(Eigen::Map<Eigen::VectorXd>(x.data(), matrix.size()));
  factorisation.solve(x);
  const double round_off = precision == Precision::full ? 1e-10 : 1e-4;
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], expected[k], round_off * expected.cwiseAbs().maxCoeff());
}

class JoinedChains : public testing::TestWithParam<std::pair<int, int>> {};

// Protects: the solution with fronts against a dense one, for elements with no, one and several inner nodes, and again
// with other numbers in the same pattern.
TEST_P(JoinedChains, solution_is_that_of_a_dense_matrix) {
  BlockMatrix matrix = joined_chains(GetParam().first, GetParam().second);
  FrontalFactorisation factorisation(matrix);
  expect_solution(factorisation, matrix);
  for (double& value : matrix.value()) value *= 1.0 + 0.1 * value;
  expect_solution(factorisation, matrix);
  for (double& value : matrix.value()) value *= 1e12;
  expect_solution(factorisation, matrix);
  expect_solution(factorisation, matrix, Precision::single);
  expect_solution(factorisation, matrix);
}

INSTANTIATE_TEST_SUITE_P(ElementsAndInnerNodes, JoinedChains,
                         testing::Values(std::pair{5, 0}, std::pair{3, 1}, std::pair{3, 3}, std::pair{1, 5}),
                         [](const auto& info) {
                           return std::to_string(info.param.first) + "_of_" + std::to_string(info.param.second);
                         });

// Protects: unknowns that only multipliers hold (two bodies without inertia, joined to each other) are not eliminated
// before them.
TEST(FrontalFactorisation, held_by_multipliers) {
  BlockMatrix matrix({6, 6, 6}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 0}, {1, 2}, {2, 1}});
  Mat6 mass = Mat6::Zero();
  mass.diagonal().head<3>().setOnes();
  matrix.add(0, 0, 2.0 * mass);
  matrix.add(1, 1, Mat6(Mat6::Identity()));
  for (const int node : {0, 1}) {
    const Mat6 sign = (node == 0 ? 1.0 : -1.0) * Mat6::Identity();
    matrix.add(node, 2, sign);
    matrix.add(2, node, sign);
  }
  FrontalFactorisation factorisation(matrix);
  expect_solution(factorisation, matrix);
}

// Protects: singular matrices and NaN are found, whether it shows in what is eliminated or in what is
// left, and leave nothing behind.
TEST(FrontalFactorisation, finds_singular_matrices) {
  for (const int row : {6, 0}) {  // of an inner node, of an end
    BlockMatrix matrix = joined_chains(2, 2);
    FrontalFactorisation factorisation(matrix);
    const std::vector<double> good = matrix.value();
    for (const double value : {0.0, std::nan("")}) {
      for (int k = matrix.row_start()[row]; k < matrix.row_start()[row + 1]; ++k) matrix.value()[k] = value;
      for (const Precision precision : {Precision::full, Precision::single})
        EXPECT_FALSE(factorisation.factorise(matrix, precision)) << "row " << row;
      matrix.value() = good;
      expect_solution(factorisation, matrix);
    }
  }
}

// Protects: all nodes of a chain of elements are eliminated but those next to multipliers, and the fronts stay small.
TEST(EliminationOrder, leaves_only_what_is_joined) {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> couplings;
  constexpr int n_elements = 50, n_nodes = 2 * n_elements + 1;
  for (int n = 0; n < n_nodes; ++n) sizes.push_back(12);
  for (int e = 0; e < n_elements; ++e)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) couplings.emplace_back(2 * e + a, 2 * e + b);
  sizes.push_back(5);
  couplings.emplace_back(0, n_nodes);
  couplings.emplace_back(n_nodes, 0);
  const std::vector<EliminationStep> steps = elimination_order(BlockMatrix(sizes, couplings));
  std::size_t inner = 0, outer = 0;
  for (const EliminationStep& step : steps) {
    EXPECT_NE(step.inner[0], 0);
    inner += step.inner.size();
    outer += step.outer.size();
  }
  EXPECT_EQ(inner, 12u * (n_nodes - 1));
  // Nodes within elements, then those between them, from the free end on; there both are one.
  EXPECT_EQ(outer, 24u * (n_elements - 1) + 12u + 12u * (n_elements - 1));
}

// Protects: a front whose pivots are poor, in a matrix that is not: KLU takes over, and hands back when it is not
// needed.
TEST(FrontalFactorisation, poor_pivots_are_left_to_klu) {
  BlockMatrix matrix = joined_chains(3, 3);
  FrontalFactorisation factorisation(matrix);
  const std::vector<double> good = matrix.value();
  for (int n = 5; n <= 6; ++n)  // inner nodes of the second element: their diagonal block is tiny
    for (int r = 0; r < 6; ++r)
      for (int other = 5; other <= 6; ++other)
        for (int c = 0; c < 6; ++c) matrix.value()[matrix.place(6 * n + r, 6 * other + c)] *= 1e-14;
  ASSERT_TRUE(factorisation.factorise(matrix, Precision::single));
  EXPECT_TRUE(factorisation.is_left_as_a_whole());
  expect_solution(factorisation, matrix);
  EXPECT_TRUE(factorisation.is_left_as_a_whole());
  matrix.value() = good;
  expect_solution(factorisation, matrix);
  EXPECT_FALSE(factorisation.is_left_as_a_whole());
}

// Protects: NaN, in a pivot block and beside one, are found.
TEST(FrontalFactorisation, finds_numbers_that_are_none) {
  for (const int column : {6, 0}) {  // of an inner node, of an end
    BlockMatrix matrix = joined_chains(2, 2);
    FrontalFactorisation factorisation(matrix);
    matrix.value()[matrix.place(0, column)] = matrix.value()[matrix.place(6, column)] = NAN;
    EXPECT_FALSE(factorisation.factorise(matrix)) << "column " << column;
  }
}

// Protects: a ring of beams, three beams that meet in a node, a beam that nothing holds, and a matrix without unknowns.
TEST(FrontalFactorisation, nets_of_beams) {
  const std::vector<std::vector<std::array<int, 3>>> nets = {
      {{0, 1, 2}, {2, 3, 4}, {4, 5, 0}}, {{0, 1, 2}, {0, 3, 4}, {0, 5, 6}}, {{0, 1, 2}}, {}};
  for (const auto& net : nets) {
    std::vector<std::pair<int, int>> couplings;
    int n_nodes = 0;
    for (const auto& element : net)
      for (const int a : element) {
        n_nodes = std::max(n_nodes, a + 1);
        for (const int b : element) couplings.emplace_back(a, b);
      }
    BlockMatrix matrix(std::vector<int>(n_nodes, 12), couplings);
    for (std::size_t k = 0; k < matrix.value().size(); ++k)
      matrix.value()[k] = std::sin(1.0 + 3.7 * static_cast<double>(k * k % 1013));
    for (int n = 0; n < n_nodes; ++n) matrix.add(n, n, 20.0 * Eigen::Matrix<double, 12, 12>::Identity());
    FrontalFactorisation factorisation(matrix);
    if (n_nodes > 0)
      expect_solution(factorisation, matrix);
    else
      EXPECT_TRUE(factorisation.factorise(matrix));
  }
}

}  // namespace
}  // namespace freeplay
