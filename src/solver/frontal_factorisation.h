#pragma once

#include <vector>

#include "dense_block.h"
#include "elimination_order.h"
#include "freeplay/math/block_matrix.h"
#include "klu_factorisation.h"

namespace freeplay {

/// LU factorisation by fronts: what elimination_order() finds is eliminated with small dense matrices, each of which
/// hands what it changes elsewhere to later ones; KLU gets the rest. Dense products need a fraction of the time of a
/// sparse solver that looks up the place of every number.
///
/// Rows are exchanged within the 12 unknowns of a block only. Should that not be enough, KLU gets all.
class FrontalFactorisation {
 public:
  /// Only the pattern of the matrix is read.
  explicit FrontalFactorisation(const BlockMatrix& pattern);

  /// How the factors of fronts are kept. In single precision they are half as much to read, which is what solutions of
  /// large models wait for; but where stiff and soft directions meet, that may lose the soft ones.
  enum class Precision { full, single };

  /// Allocates what factors of this precision need, and frees those of the other one.
  void make_room(Precision precision);
  /// Returns false if the matrix is singular.
  bool factorise(BlockMatrix& matrix, Precision precision = Precision::full);
  /// x holds the right-hand side and becomes the solution.
  void solve(std::span<double> x);
  /// Whether the last matrix was left to KLU as a whole.
  bool is_left_to_klu() const { return use_whole_; }
  /// What solutions read of the fronts in full precision.
  std::size_t bytes_of_factors() const { return 2 * n_factors_ * sizeof(double); }

 private:
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

  void set_up_places();
  void set_up_rest(const BlockMatrix& pattern);
  void set_up_pieces(const BlockMatrix& pattern);
  void set_up_transfers();
  void set_up_passes();
  int place(int row, int column) const;
  void load_rest(const BlockMatrix& matrix);
  void load(const Front& front, const BlockMatrix& matrix);

  /// What solutions read, in the order in which they do: from beyond some 1000 nodes on the memory sets their pace.
  /// With lower_k A_kk upper_k = 1 these are, for each inner block k, lower_k and the blocks A_ik upper_k below it, and
  /// the blocks lower_k A_kj right of it and upper_k.
  template <class Number>
  struct Factors {
    std::vector<Number> forward, backward;
  };
  template <class Number>
  bool factorise(BlockMatrix& matrix, Factors<Number>& factors);
  enum class Outcome { good, unstable, not_finite };
  template <class Number>
  Outcome eliminate(const Front& front, Factors<Number>& factors);
  void hand_over(const Front& front);

  /// What solutions need of a front. They pass through all fronts in every iteration: so it is little, and apart.
  struct Pass {
    int n_inner_blocks, n_blocks;
    int first_start;  ///< of its blocks, in starts_
    bool is_whole;    ///< these are places among all unknowns, and not in a copy of its own
  };
  // These read the factors of a front, and return where those of the next one are.
  template <class Number>
  const Number* forward(const Pass& pass, const Number* factor, double* x) const;
  template <class Number>
  const Number* backward(const Pass& pass, const Number* factor, double* x) const;
  template <class Number>
  const Number* forward_with_copy(const Front& front, const Pass& pass, const Number* factor, std::span<double> x);
  template <class Number>
  const Number* backward_with_copy(const Front& front, const Pass& pass, const Number* factor, std::span<double> x);
  template <class Number>
  void solve(const Factors<Number>& factors, std::span<double> x);

  std::vector<Front> fronts_;
  std::vector<Pass> passes_;
  std::vector<int> starts_;
  std::vector<int> front_of_;  ///< the front in which an unknown is eliminated; the number of fronts: none
  /// Places of the fronts, which use them one after the other (zero as long as no front has one), then the numbers that
  /// KLU gets.
  std::vector<double> value_;
  Factors<double> full_;
  Factors<float> single_;
  Precision precision_ = Precision::full;  ///< which of the two are those of the last matrix
  std::size_t n_factors_ = 0;              ///< of `forward` and of `backward` each
  std::vector<double> change_;  ///< by the front at hand, of (outer, outer); like the block rows of the front
  // What KLU gets, in compressed rows.
  std::vector<int> rest_;        ///< its unknowns
  std::vector<int> rest_index_;  ///< their numbers there
  std::vector<int> row_start_, column_, from_whole_;
  int first_rest_ = 0;  ///< in value_
  KluFactorisation klu_;
  KluFactorisation whole_;  ///< of all unknowns
  bool use_whole_ = false;
  std::vector<double> front_solution_, rest_solution_;
};

}  // namespace freeplay
