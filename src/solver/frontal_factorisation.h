#pragma once

#include <vector>

#include "dense_block.h"
#include "freeplay/math/block_matrix.h"
#include "frontal_plan.h"
#include "sparse_factorisation.h"

namespace freeplay {

/// LU factorisation by fronts: what elimination_order() finds is eliminated with small dense matrices, each of which
/// hands what it changes elsewhere to later ones; a sparse solver gets the rest. Dense products need a fraction of the
/// time of a solver that looks up the place of every number. Of several processes each eliminates its own fronts, and
/// all of them solve the rest together.
///
/// Rows are exchanged within the 12 unknowns of a block only. Should that not be enough, the sparse solver gets all.
class FrontalFactorisation {
 public:
  /// Only the pattern of the matrix is read.
  explicit FrontalFactorisation(const BlockMatrix& pattern, const Team& team = Team::alone());

  /// How the factors of fronts are kept. In single precision they are half as much to read, which is what solutions of
  /// large models wait for; but where stiff and soft directions meet, that may lose the soft ones.
  enum class Precision { full, single };

  /// Allocates what factors of this precision need, and frees those of the other one.
  void make_room(Precision precision);
  /// Returns false if the matrix is singular.
  bool factorise(BlockMatrix& matrix, Precision precision = Precision::full);
  /// x holds the right-hand side and becomes the solution, both in the rows of this process.
  void solve(std::span<double> x);
  /// Whether the last matrix was left to the sparse solver as a whole.
  bool is_left_as_a_whole() const { return use_whole_; }
  /// What solutions read of the fronts in full precision.
  std::size_t bytes_of_factors() const { return 2 * plan_.n_factors * sizeof(double); }
  /// All that is kept, with what the sparse solver has.
  double bytes() const {
    const double fronts = static_cast<double>(bytes_of_factors()) * (precision_ == Precision::single ? 0.5 : 1.0);
    return fronts + 8.0 * static_cast<double>(value_.size()) + whole_.bytes() + (rest_ ? rest_->bytes() : 0.0);
  }

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
  enum class Outcome { good, unstable, not_finite };  ///< the later the worse
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

  template <class Number>
  Outcome eliminate_all(const BlockMatrix& matrix, Factors<Number>& factors);

  const Team& team_;
  FrontalPlan plan_;
  std::vector<double> value_;  ///< of the fronts, zero as long as none of them has the place, and of what KLU gets
  Factors<double> full_;
  Factors<float> single_;
  Precision precision_ = Precision::full;  ///< which of the two are those of the last matrix
  std::vector<double> change_;  ///< by the front at hand, of (outer, outer); like the block rows of the front
  std::unique_ptr<SparseFactorisation> rest_;  ///< of what the fronts leave; null: nothing
  WholeFactorisation whole_;                   ///< of all unknowns
  bool use_whole_ = false;
  std::vector<double> front_solution_, rest_solution_;
};

}  // namespace freeplay
