#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "dense_block.h"
#include "elimination_order.h"
#include "freeplay/scheme/solver_interface.h"
#include "sparse_factorisation.h"

namespace freeplay {

inline int number_in(const std::vector<int>& sorted, int value) {
  return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

/// How a matrix is factorised by fronts, as far as its pattern tells: which fronts there are, where their numbers come
/// from and go to, and what is left to a sparse solver (the rest). Of several processes each has fronts of its own
/// unknowns that are coupled to none of the others; these are left, too.
struct FrontalPlan {
  explicit FrontalPlan(const BlockMatrix& pattern, const Team& team = Team::alone());

  /// Unknowns, as runs of such with subsequent numbers.
  class Runs {
   public:
    explicit Runs(const std::vector<int>& unknowns);
    void read(std::span<const double> x, double* own) const;
    void write(const double* own, std::span<double> x) const;
    void add(const double* own, std::span<double> x) const;

   private:
    struct Run {
      int first, length;
    };
    std::vector<Run> runs_;
  };

  /// Numbers that lie side by side in a row of the whole matrix and in a row of a front.
  struct Piece {
    int from, to, length;
  };
  /// Blocks of 12 x 12 numbers, side by side in rows of the whole matrix that are `width` apart, and in a front.
  struct Tile {
    int from, width, to, n_blocks;
  };
  /// Numbers that a front changes and that lie side by side both among its changes and where they go.
  struct Transfer {
    int from, to, length;
  };

  /// A dense matrix of inner and outer unknowns in blocks of 12: first the inner ones, padded to whole blocks by ones
  /// on the diagonal, then the outer ones, padded by zeros. The block rows of inner unknowns have all columns, those of
  /// outer unknowns only the inner ones; each is stored column after column, one after the other from `first` on.
  struct Front {
    explicit Front(const EliminationStep& step);
    std::vector<int> inner, outer;
    Runs inner_runs, outer_runs;
    int n_inner_blocks, n_outer_blocks;
    int first = 0;                    ///< in the values of all fronts
    std::size_t first_factor = 0;     ///< in `forward` of the factors, and in `backward` from behind
    std::vector<Piece> pieces;        ///< of the whole matrix that it gets
    std::vector<Tile> tiles;          ///< and whole blocks of it
    std::vector<Transfer> transfers;  ///< of what it changes

    void join_pieces();

    /// Of its blocks among all unknowns; empty: some are not whole or not in one piece.
    std::vector<int> starts() const;
    int n_blocks() const { return n_inner_blocks + n_outer_blocks; }
    int size() const;                      ///< of its values
    int factor_size() const;               ///< of its part of `forward` and of `backward`
    int block(int row, int column) const;  ///< where a block begins
    int place(int row, int column) const;  ///< of a number
    int outer_row(int k) const { return n_inner_blocks * block_size + k; }  ///< of an outer unknown in the front
  };

  /// What solutions need of a front. They pass through all fronts in every iteration: so it is little, and apart.
  struct Pass {
    int n_inner_blocks, n_blocks;
    int first_start;  ///< of its blocks, in `starts`
    bool is_whole;    ///< these are places among all unknowns, and not in a copy of its own
  };

  std::vector<Front> fronts;
  std::vector<Pass> passes;   ///< of the fronts
  std::vector<int> starts;    ///< of their blocks
  std::size_t n_factors = 0;  ///< of all fronts, in `forward` and in `backward` each
  int most_blocks = 0;        ///< of a front
  int most_outer_blocks = 0;

  /// The values of fronts, which use the same places one after the other, are followed by the numbers of the rest.
  int first_rest = 0;
  std::size_t n_values() const { return first_rest + rest_column.size(); }
  std::vector<int> rest;                         ///< unknowns of this process that are left
  int n_rest_of_all = 0;                         ///< of all processes
  std::vector<int> rest_row_start, rest_column;  ///< of their matrix, as in SparseRows
  std::vector<int> rest_from;                    ///< where its numbers are in the whole matrix; -1: nowhere

 private:
  void set_up_places();
  void set_up_rest(const BlockMatrix& pattern, const Team& team);
  void set_up_pieces(const BlockMatrix& pattern);
  void set_up_transfers();
  void set_up_passes();
  int place(int row, int column) const;
  int rest_row(int unknown) const { return number_in(rest, unknown); }

  std::vector<int> front_of_;     ///< the front in which an unknown is eliminated; the number of fronts: none
  std::vector<int> rest_number_;  ///< of an unknown among those that are left, through all processes; -1: it is not
};

}  // namespace freeplay
