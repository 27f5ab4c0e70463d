#pragma once

#include <Eigen/Core>
#include <vector>

#include "freeplay/math/block_matrix.h"
#include "klu_factorisation.h"

namespace freeplay {

/// Static condensation: unknowns that are coupled to exactly the same unknowns (those of the inner nodes of a beam
/// element) are eliminated first, together, with dense matrices; KLU gets what is left. Dense products need a fraction
/// of the time of a sparse solver that looks up the place of every number.
class CondensedFactorisation {
 public:
  /// Only the pattern of the matrix is read.
  explicit CondensedFactorisation(const BlockMatrix& pattern);

  /// Returns false if the matrix is singular.
  bool factorise(const BlockMatrix& matrix);
  /// x holds the right-hand side and becomes the solution.
  void solve(std::span<double> x);

 private:
  /// Unknowns that are eliminated together (inner), and those that they are coupled to (outer).
  ///     [A_ii A_io] [x_i]   [b_i]         x_i = A_ii^-1 b_i - A_ii^-1 A_io x_o
  ///     [A_oi A_oo] [x_o] = [b_o]         (A_oo - A_oi A_ii^-1 A_io) x_o = b_o - A_oi A_ii^-1 b_i
  struct Group {
    std::vector<int> inner, outer;         ///< unknowns
    std::vector<int> from_inner, from_oi;  ///< where the values of [A_ii A_io] and of A_oi are in the whole matrix
    std::vector<int> to_rest;              ///< where those of the condensed matrix go, column by column
    Eigen::MatrixXd inverse;               ///< A_ii^-1: one product is faster than two triangular solutions
    Eigen::MatrixXd from_outer;            ///< A_ii^-1 A_io
    Eigen::MatrixXd to_outer;              ///< A_oi A_ii^-1
  };

  std::vector<char> eliminable(const BlockMatrix& pattern) const;
  std::vector<std::vector<int>> find_groups(const BlockMatrix& pattern) const;
  void set_up_rest(const BlockMatrix& pattern, const std::vector<char>& is_inner);
  Group make_group(const BlockMatrix& pattern, const std::vector<int>& inner) const;
  bool invert(Eigen::MatrixXd& matrix);
  bool eliminate(const BlockMatrix& matrix, Group& group);

  std::vector<Group> groups_;
  // What KLU gets, in compressed rows.
  std::vector<int> rest_;        ///< its unknowns
  std::vector<int> rest_index_;  ///< their numbers there; -1: eliminated
  std::vector<int> row_start_, column_, from_whole_;
  std::vector<double> value_;
  KluFactorisation klu_;
  // Memory of the elimination and of the solution.
  Eigen::MatrixXd A_ii_, A_io_, A_oi_, A_oo_;
  Eigen::MatrixXd remainder_;
  std::vector<Eigen::Index> exchanged_;
  Eigen::VectorXd pivot_column_, inner_, outer_, result_;
  std::vector<double> rest_solution_;
};

}  // namespace freeplay
