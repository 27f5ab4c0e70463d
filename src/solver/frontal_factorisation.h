#pragma once

#include <vector>

#include "dense_block.h"
#include "freeplay/math/block_matrix.h"
#include "frontal_plan.h"
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
  std::size_t bytes_of_factors() const { return 2 * plan_.n_factors * sizeof(double); }

 private:
  using Front = FrontalPlan::Front;
  using Pass = FrontalPlan::Pass;

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

  FrontalPlan plan_;
  std::vector<double> value_;  ///< of the fronts, zero as long as none of them has the place, and of what KLU gets
  Factors<double> full_;
  Factors<float> single_;
  Precision precision_ = Precision::full;  ///< which of the two are those of the last matrix
  std::vector<double> change_;  ///< by the front at hand, of (outer, outer); like the block rows of the front
  KluFactorisation klu_;        ///< of what the fronts leave
  KluFactorisation whole_;      ///< of all unknowns
  bool use_whole_ = false;
  std::vector<double> front_solution_, rest_solution_;
};

}  // namespace freeplay
