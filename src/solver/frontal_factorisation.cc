#include "frontal_factorisation.h"

#include <sys/mman.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "dense_block.h"

namespace freeplay {

namespace {

/// Makes room for n numbers, in large pages where the system has them: looking up where the small pages of long
/// factors are costs a tenth of the time to read these.
template <class Number>
void resize_in_large_pages(std::vector<Number>& numbers, std::size_t n) {
  numbers.reserve(n);
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 1 << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(numbers.data()), end = begin + n * sizeof(Number);
  const std::uintptr_t first = (begin + page - 1) / page * page, last = end / page * page;
  // It is only advice: if the system does not take it, the pages are small.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
  numbers.resize(n);
}

}  // namespace

FrontalFactorisation::FrontalFactorisation(const BlockMatrix& pattern, const Team& team)
    : team_(team),
      plan_(pattern, team),
      change_(plan_.most_outer_blocks * plan_.most_outer_blocks * block_area),
      rest_(plan_.n_rest_of_all > 0 ? sparse_factorisation(team) : nullptr),
      whole_(team),
      front_solution_(plan_.most_blocks * block_size),
      rest_solution_(plan_.rest.size()) {
  resize_in_large_pages(value_, plan_.n_values());
}

void FrontalFactorisation::load_rest(const BlockMatrix& matrix) {
  const std::vector<double>& whole = matrix.value();
  double* rest = value_.data() + plan_.first_rest;
  for (std::size_t k = 0; k < plan_.rest_from.size(); ++k)
    rest[k] = plan_.rest_from[k] >= 0 ? whole[plan_.rest_from[k]] : 0.0;
}

/// Adds the numbers of the matrix to what earlier fronts have handed over.
void FrontalFactorisation::load(const Front& front, const BlockMatrix& matrix) {
  const double* whole = matrix.value().data();
  for (const FrontalPlan::Tile& tile : front.tiles)
    for (int k = 0; k < tile.n_blocks; ++k)
      add_transposed_block(whole + tile.from + k * block_size, tile.width, value_.data() + tile.to + k * block_area);
  for (const FrontalPlan::Piece& piece : front.pieces)
    for (int k = 0; k < piece.length; ++k) value_[piece.to + block_size * k] += whole[piece.from + k];
  for (int k = static_cast<int>(front.inner.size()); k < front.outer_row(0); ++k) value_[front.place(k, k)] = 1.0;
}

template <class Number>
FrontalFactorisation::Outcome FrontalFactorisation::eliminate(const Front& front, Factors<Number>& factors) {
  // With unrestricted row exchanges the multipliers of rows would be below 1 if all rows had the same size. They lose
  // about as many digits as they have; those of the models in input/ are below 10.
  constexpr double largest_multiplier = 1e6;
  const int n_inner = front.n_inner_blocks, n_outer = front.n_outer_blocks;
  std::fill_n(change_.data(), n_outer * n_outer * block_area, 0.0);
  Number* forward = factors.forward.data() + front.first_factor;
  Number* backward_end = factors.backward.data() + factors.backward.size() - front.first_factor;
  // Blocks are computed where they are kept, if that is in full precision.
  double blocks[3][block_area];
  const auto place_of = [](Number* kept, double* block) {
    if constexpr (std::is_same_v<Number, double>)
      return kept;
    else
      return block;
  };
  const auto keep = [](const double* block, Number* kept) {
    if constexpr (!std::is_same_v<Number, double>) std::copy_n(block, block_area, kept);
  };
  for (int k = 0; k < n_inner; ++k) {
    double* lower = place_of(forward, blocks[0]);
    double* upper = place_of(backward_end - block_area, blocks[1]);
    const double* pivot = value_.data() + front.block(k, k);
    if (!factorise_block(pivot, lower, upper))
      return Eigen::Map<const Eigen::ArrayXd>(pivot, block_area).allFinite() ? Outcome::unstable : Outcome::not_finite;
    double* right = value_.data() + front.block(k, k) + block_area;
    const int n_right = front.n_blocks() - k - 1, n_inner_right = n_inner - k - 1;
    block_product(lower, right, right, n_right * block_size);
    keep(lower, forward);
    keep(upper, backward_end - block_area);
    backward_end -= (n_right + 1) * block_area;
    std::copy_n(right, n_right * block_area, backward_end);
    forward += block_area;
    for (int i = k + 1; i < front.n_blocks(); ++i, forward += block_area) {
      double* multiplier = place_of(forward, blocks[2]);
      double* below = value_.data() + front.block(i, k);
      block_product(below, upper, multiplier, block_size);
      keep(multiplier, forward);
      const double largest =
          Eigen::Map<const Eigen::ArrayXd>(multiplier, block_area).abs().maxCoeff<Eigen::PropagateNaN>();
      if (!(largest <= largest_multiplier)) return std::isfinite(largest) ? Outcome::unstable : Outcome::not_finite;
      if (i < n_inner) {
        subtract_block_product(multiplier, right, below + block_area, n_right * block_size);
      } else {
        subtract_block_product(multiplier, right, below + block_area, n_inner_right * block_size);
        subtract_block_product(multiplier, right + n_inner_right * block_area,
                               change_.data() + (i - n_inner) * n_outer * block_area, n_outer * block_size);
      }
    }
  }
  return Outcome::good;
}

void FrontalFactorisation::hand_over(const Front& front) {
  for (const FrontalPlan::Transfer& transfer : front.transfers)
    Eigen::Map<Eigen::ArrayXd>(value_.data() + transfer.to, transfer.length) +=
        Eigen::Map<const Eigen::ArrayXd>(change_.data() + transfer.from, transfer.length);
}

void FrontalFactorisation::make_room(Precision precision) {
  const auto resize = [this](auto& factors) {
    for (auto* list : {&factors.forward, &factors.backward})
      if (list->empty()) resize_in_large_pages(*list, plan_.n_factors);
  };
  if (precision == Precision::full) {
    single_ = {};
    resize(full_);
  } else {
    full_ = {};
    resize(single_);
  }
}

bool FrontalFactorisation::factorise(BlockMatrix& matrix, Precision precision) {
  precision_ = precision;
  make_room(precision);
  return precision == Precision::full ? factorise(matrix, full_) : factorise(matrix, single_);
}

template <class Number>
FrontalFactorisation::Outcome FrontalFactorisation::eliminate_all(const BlockMatrix& matrix, Factors<Number>& factors) {
  for (const Front& front : plan_.fronts) {
    load(front, matrix);
    const Outcome outcome = eliminate(front, factors);
    if (outcome != Outcome::good) {
      std::fill_n(value_.begin(), plan_.first_rest, 0.0);
      return outcome;
    }
    hand_over(front);
    // Zero for the next time, as long as it is in the cache.
    std::fill_n(value_.begin() + front.first, front.size(), 0.0);
  }
  return Outcome::good;
}

template <class Number>
bool FrontalFactorisation::factorise(BlockMatrix& matrix, Factors<Number>& factors) {
  load_rest(matrix);
  int worst = static_cast<int>(eliminate_all(matrix, factors));
  team_.largest({&worst, 1});
  use_whole_ = worst == static_cast<int>(Outcome::unstable);
  if (use_whole_) return whole_.factorise(matrix);
  if (worst != static_cast<int>(Outcome::good)) return false;
  return !rest_ ||
         rest_->factorise({static_cast<int>(plan_.rest.size()), plan_.n_rest_of_all, plan_.rest_row_start.data(),
                           plan_.rest_column.data(), value_.data() + plan_.first_rest});
}

template <class Number>
const Number* FrontalFactorisation::forward(const Pass& pass, const Number* factor, double* x) const {
  const int* starts = plan_.starts.data() + pass.first_start;
  for (int k = 0; k < pass.n_inner_blocks; ++k) {
    double* here = x + starts[k];
    block_times_vector(factor, here, here);
    factor += block_area;
    for (int i = k + 1; i < pass.n_blocks; ++i, factor += block_area)
      subtract_block_times_vector(factor, here, x + starts[i]);
  }
  return factor;
}

template <class Number>
const Number* FrontalFactorisation::backward(const Pass& pass, const Number* factor, double* x) const {
  const int* starts = plan_.starts.data() + pass.first_start;
  for (int k = pass.n_inner_blocks - 1; k >= 0; --k) {
    double* here = x + starts[k];
    for (int j = k + 1; j < pass.n_blocks; ++j, factor += block_area)
      subtract_block_times_vector(factor, x + starts[j], here);
    block_times_vector(factor, here, here);
    factor += block_area;
  }
  return factor;
}

template <class Number>
const Number* FrontalFactorisation::forward_with_copy(const Front& front, const Pass& pass, const Number* factor,
                                                      std::span<double> x) {
  double* own = front_solution_.data();
  std::fill(own + front.inner.size(), own + front.n_blocks() * block_size, 0.0);
  front.inner_runs.read(x, own);
  const Number* next = forward(pass, factor, own);
  front.inner_runs.write(own, x);
  front.outer_runs.add(own + front.outer_row(0), x);
  return next;
}

template <class Number>
const Number* FrontalFactorisation::backward_with_copy(const Front& front, const Pass& pass, const Number* factor,
                                                       std::span<double> x) {
  double* own = front_solution_.data();
  std::fill(own + front.inner.size(), own + front.n_blocks() * block_size, 0.0);
  front.inner_runs.read(x, own);
  front.outer_runs.read(x, own + front.outer_row(0));
  const Number* next = backward(pass, factor, own);
  front.inner_runs.write(own, x);
  return next;
}

void FrontalFactorisation::solve(std::span<double> x) {
  if (use_whole_) return whole_.solve(x);
  if (precision_ == Precision::full)
    solve(full_, x);
  else
    solve(single_, x);
}

template <class Number>
void FrontalFactorisation::solve(const Factors<Number>& factors, std::span<double> x) {
  const Number* factor = factors.forward.data();
  for (std::size_t f = 0; f < plan_.passes.size(); ++f) {
    const Pass& pass = plan_.passes[f];
    factor = pass.is_whole ? forward(pass, factor, x.data()) : forward_with_copy(plan_.fronts[f], pass, factor, x);
  }
  if (rest_) {
    for (std::size_t k = 0; k < plan_.rest.size(); ++k) rest_solution_[k] = x[plan_.rest[k]];
    rest_->solve(rest_solution_);
    for (std::size_t k = 0; k < plan_.rest.size(); ++k) x[plan_.rest[k]] = rest_solution_[k];
  }
  factor = factors.backward.data();
  for (std::size_t f = plan_.passes.size(); f-- > 0;) {
    const Pass& pass = plan_.passes[f];
    factor = pass.is_whole ? backward(pass, factor, x.data()) : backward_with_copy(plan_.fronts[f], pass, factor, x);
  }
}

}  // namespace freeplay
