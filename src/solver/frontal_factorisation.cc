#include "frontal_factorisation.h"

#include <sys/mman.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <type_traits>

#include "dense_block.h"

namespace freeplay {

namespace {

std::span<const int> columns_of(const BlockMatrix& matrix, int row) {
  return {matrix.column().data() + matrix.row_start()[row], matrix.column().data() + matrix.row_start()[row + 1]};
}

int n_blocks_for(std::size_t unknowns) { return static_cast<int>((unknowns + block_size - 1) / block_size); }

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

int number_in(const std::vector<int>& sorted, int value) {
  return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

}  // namespace

FrontalFactorisation::Runs::Runs(const std::vector<int>& unknowns) {
  for (const int unknown : unknowns) {
    if (!runs_.empty() && unknown == runs_.back().first + runs_.back().length)
      ++runs_.back().length;
    else
      runs_.push_back({unknown, 1});
  }
}

void FrontalFactorisation::Runs::read(std::span<const double> x, double* own) const {
  for (const auto& [first, length] : runs_) own = std::copy_n(x.data() + first, length, own);
}

void FrontalFactorisation::Runs::write(const double* own, std::span<double> x) const {
  for (const auto& [first, length] : runs_) {
    std::copy_n(own, length, x.data() + first);
    own += length;
  }
}

void FrontalFactorisation::Runs::add(const double* own, std::span<double> x) const {
  for (const auto& [first, length] : runs_)
    for (int k = 0; k < length; ++k) x[first + k] += *own++;
}

FrontalFactorisation::Front::Front(const EliminationStep& step)
    : inner(step.inner),
      outer(step.outer),
      inner_runs(inner),
      outer_runs(outer),
      n_inner_blocks(n_blocks_for(inner.size())),
      n_outer_blocks(n_blocks_for(outer.size())) {}

std::vector<int> FrontalFactorisation::Front::starts() const {
  std::vector<int> starts;
  for (const auto* unknowns : {&inner, &outer})
    for (std::size_t k = 0; k < unknowns->size(); k += block_size) {
      const bool is_whole = k + block_size <= unknowns->size();
      if (!is_whole || (*unknowns)[k + block_size - 1] != (*unknowns)[k] + block_size - 1) return {};
      starts.push_back((*unknowns)[k]);
    }
  return starts;
}

int FrontalFactorisation::Front::size() const { return n_inner_blocks * (n_blocks() + n_outer_blocks) * block_area; }

int FrontalFactorisation::Front::factor_size() const {
  int n = 0;
  for (int k = 0; k < n_inner_blocks; ++k) n += n_blocks() - k;
  return n * block_area;
}

int FrontalFactorisation::Front::block(int row, int column) const {
  const int blocks_before =
      row < n_inner_blocks ? row * n_blocks() : n_inner_blocks * n_blocks() + (row - n_inner_blocks) * n_inner_blocks;
  return first + (blocks_before + column) * block_area;
}

int FrontalFactorisation::Front::place(int row, int column) const {
  return block(row / block_size, 0) + column * block_size + row % block_size;
}

FrontalFactorisation::FrontalFactorisation(const BlockMatrix& pattern) {
  int n_outer_blocks = 0, n_blocks = 0;
  for (const EliminationStep& step : elimination_order(pattern)) {
    Front front(step);
    front.first_factor = n_factors_;
    n_factors_ += front.factor_size();
    n_outer_blocks = std::max(n_outer_blocks, front.n_outer_blocks);
    n_blocks = std::max(n_blocks, front.n_blocks());
    fronts_.push_back(std::move(front));
  }
  front_of_.assign(pattern.size(), static_cast<int>(fronts_.size()));
  for (std::size_t f = 0; f < fronts_.size(); ++f)
    for (const int unknown : fronts_[f].inner) front_of_[unknown] = static_cast<int>(f);
  set_up_places();
  change_.resize(n_outer_blocks * n_outer_blocks * block_area);
  front_solution_.resize(n_blocks * block_size);
  set_up_rest(pattern);
  set_up_pieces(pattern);
  set_up_transfers();
  set_up_passes();
}

/// A front needs its place from the first time that it gets something from another one until it is eliminated: then the
/// next one of its size takes it over, as long as it is in the cache.
void FrontalFactorisation::set_up_places() {
  std::map<int, std::vector<int>> free;  // places by size
  std::vector<bool> has_place(fronts_.size() + 1, false);
  has_place.back() = true;  // what KLU gets is elsewhere
  const auto give_place = [&](int f) {
    if (has_place[f]) return;
    has_place[f] = true;
    std::vector<int>& left = free[fronts_[f].size()];
    if (left.empty()) {
      fronts_[f].first = first_rest_;
      first_rest_ += fronts_[f].size();
    } else {
      fronts_[f].first = left.back();
      left.pop_back();
    }
  };
  for (std::size_t f = 0; f < fronts_.size(); ++f) {
    give_place(static_cast<int>(f));
    for (const int unknown : fronts_[f].outer) give_place(front_of_[unknown]);
    free[fronts_[f].size()].push_back(fronts_[f].first);
  }
}

void FrontalFactorisation::set_up_rest(const BlockMatrix& pattern) {
  const auto is_left = [this](int unknown) { return front_of_[unknown] == static_cast<int>(fronts_.size()); };
  rest_index_.assign(pattern.size(), -1);
  for (int unknown = 0; unknown < pattern.size(); ++unknown) {
    if (!is_left(unknown)) continue;
    rest_index_[unknown] = static_cast<int>(rest_.size());
    rest_.push_back(unknown);
  }
  std::vector<std::vector<int>> columns(rest_.size());
  for (std::size_t r = 0; r < rest_.size(); ++r)
    for (const int c : columns_of(pattern, rest_[r]))
      if (is_left(c)) columns[r].push_back(rest_index_[c]);
  for (const Front& front : fronts_)
    for (const int r : front.outer)
      for (const int c : front.outer)
        if (is_left(r) && is_left(c)) columns[rest_index_[r]].push_back(rest_index_[c]);
  row_start_.push_back(0);
  for (std::size_t r = 0; r < rest_.size(); ++r) {
    std::sort(columns[r].begin(), columns[r].end());
    columns[r].erase(std::unique(columns[r].begin(), columns[r].end()), columns[r].end());
    for (const int c : columns[r]) {
      column_.push_back(c);
      from_whole_.push_back(pattern.place(rest_[r], rest_[c]));
    }
    row_start_.push_back(static_cast<int>(column_.size()));
  }
  resize_in_large_pages(value_, first_rest_ + column_.size());
  rest_solution_.resize(rest_.size());
}

/// Where the number (row, column) of the whole matrix is: in the front that eliminates one of the two first.
int FrontalFactorisation::place(int row, int column) const {
  const int f = std::min(front_of_[row], front_of_[column]);
  if (f == static_cast<int>(fronts_.size())) {
    const int r = rest_index_[row];
    const auto begin = column_.begin() + row_start_[r], end = column_.begin() + row_start_[r + 1];
    return first_rest_ + static_cast<int>(std::lower_bound(begin, end, rest_index_[column]) - column_.begin());
  }
  const Front& front = fronts_[f];
  const auto own = [&](int unknown) {
    return front_of_[unknown] == f ? number_in(front.inner, unknown) : front.outer_row(number_in(front.outer, unknown));
  };
  return front.place(own(row), own(column));
}

void FrontalFactorisation::set_up_pieces(const BlockMatrix& pattern) {
  const auto never = static_cast<int>(fronts_.size());
  for (int row = 0; row < pattern.size(); ++row) {
    int before = never;
    const auto columns = columns_of(pattern, row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const int f = std::min(front_of_[row], front_of_[columns[k]]);
      const bool continues = f == before;
      before = f;
      if (f == never) continue;
      std::vector<Piece>& pieces = fronts_[f].pieces;
      const int to = place(row, columns[k]);
      if (continues && to == pieces.back().to + block_size * pieces.back().length)
        ++pieces.back().length;
      else
        pieces.push_back({pattern.row_start()[row] + static_cast<int>(k), to, 1});
    }
  }
  for (Front& front : fronts_) front.join_pieces();
}

/// Makes tiles of pieces that are twelve rows of whole blocks.
void FrontalFactorisation::Front::join_pieces() {
  std::map<int, Piece> left;
  for (const Piece& piece : pieces) left[piece.to] = piece;
  for (const Piece& first : pieces) {
    if (first.to % block_size != 0 || first.length % block_size != 0) continue;
    const auto second = left.find(first.to + 1);
    if (second == left.end()) continue;
    const int width = second->second.from - first.from;
    const auto fits = [&](int row) {
      const auto found = left.find(first.to + row);
      return found != left.end() && found->second.length == first.length &&
             found->second.from == first.from + row * width;
    };
    bool is_tile = true;
    for (int row = 0; row < block_size; ++row) is_tile = is_tile && fits(row);
    if (!is_tile) continue;
    for (int row = 0; row < block_size; ++row) left.erase(first.to + row);
    tiles.push_back({first.from, width, first.to, first.length / block_size});
  }
  pieces.clear();
  for (const auto& [to, piece] : left) pieces.push_back(piece);
}

void FrontalFactorisation::set_up_transfers() {
  for (Front& front : fronts_) {
    const auto n = static_cast<int>(front.outer.size());
    // In the order in which the changes lie: block row by block row, each column by column.
    for (int first = 0; first < n; first += block_size)
      for (int c = 0; c < n; ++c)
        for (int r = first; r < std::min(first + block_size, n); ++r) {
          const int from = (first * front.n_outer_blocks + c) * block_size + r - first;
          const int to = place(front.outer[r], front.outer[c]);
          std::vector<Transfer>& transfers = front.transfers;
          const bool continues = !transfers.empty() && from == transfers.back().from + transfers.back().length &&
                                 to == transfers.back().to + transfers.back().length;
          if (continues)
            ++transfers.back().length;
          else
            transfers.push_back({from, to, 1});
        }
    front.transfers.shrink_to_fit();
  }
}

void FrontalFactorisation::set_up_passes() {
  for (const Front& front : fronts_) {
    std::vector<int> starts = front.starts();
    const bool is_whole = !starts.empty();
    for (int k = 0; k < front.n_blocks() && !is_whole; ++k) starts.push_back(k * block_size);
    passes_.push_back({front.n_inner_blocks, front.n_blocks(), static_cast<int>(starts_.size()), is_whole});
    starts_.insert(starts_.end(), starts.begin(), starts.end());
  }
}

void FrontalFactorisation::load_rest(const BlockMatrix& matrix) {
  const std::vector<double>& whole = matrix.value();
  double* rest = value_.data() + first_rest_;
  for (std::size_t k = 0; k < from_whole_.size(); ++k) rest[k] = from_whole_[k] >= 0 ? whole[from_whole_[k]] : 0.0;
}

/// Adds the numbers of the matrix to what earlier fronts have handed over.
void FrontalFactorisation::load(const Front& front, const BlockMatrix& matrix) {
  const double* whole = matrix.value().data();
  for (const Tile& tile : front.tiles)
    for (int k = 0; k < tile.n_blocks; ++k)
      add_transposed_block(whole + tile.from + k * block_size, tile.width, value_.data() + tile.to + k * block_area);
  for (const Piece& piece : front.pieces)
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
  for (const Transfer& transfer : front.transfers)
    Eigen::Map<Eigen::ArrayXd>(value_.data() + transfer.to, transfer.length) +=
        Eigen::Map<const Eigen::ArrayXd>(change_.data() + transfer.from, transfer.length);
}

void FrontalFactorisation::make_room(Precision precision) {
  const auto resize = [this](auto& factors) {
    for (auto* list : {&factors.forward, &factors.backward})
      if (list->empty()) resize_in_large_pages(*list, n_factors_);
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
bool FrontalFactorisation::factorise(BlockMatrix& matrix, Factors<Number>& factors) {
  load_rest(matrix);
  use_whole_ = false;
  for (const Front& front : fronts_) {
    load(front, matrix);
    const Outcome outcome = eliminate(front, factors);
    if (outcome != Outcome::good) {
      std::fill_n(value_.begin(), first_rest_, 0.0);
      use_whole_ = outcome == Outcome::unstable;
      return use_whole_ &&
             whole_.factorise(matrix.size(), matrix.row_start().data(), matrix.column().data(), matrix.value().data());
    }
    hand_over(front);
    // Zero for the next time, as long as it is in the cache.
    std::fill_n(value_.begin() + front.first, front.size(), 0.0);
  }
  return rest_.empty() ||
         klu_.factorise(static_cast<int>(rest_.size()), row_start_.data(), column_.data(), value_.data() + first_rest_);
}

template <class Number>
const Number* FrontalFactorisation::forward(const Pass& pass, const Number* factor, double* x) const {
  const int* starts = starts_.data() + pass.first_start;
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
  const int* starts = starts_.data() + pass.first_start;
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
  for (std::size_t f = 0; f < passes_.size(); ++f) {
    const Pass& pass = passes_[f];
    factor = pass.is_whole ? forward(pass, factor, x.data()) : forward_with_copy(fronts_[f], pass, factor, x);
  }
  if (!rest_.empty()) {
    for (std::size_t k = 0; k < rest_.size(); ++k) rest_solution_[k] = x[rest_[k]];
    klu_.solve(rest_solution_);
    for (std::size_t k = 0; k < rest_.size(); ++k) x[rest_[k]] = rest_solution_[k];
  }
  factor = factors.backward.data();
  for (std::size_t f = passes_.size(); f-- > 0;) {
    const Pass& pass = passes_[f];
    factor = pass.is_whole ? backward(pass, factor, x.data()) : backward_with_copy(fronts_[f], pass, factor, x);
  }
}

}  // namespace freeplay
