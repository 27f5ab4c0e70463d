#include "frontal_plan.h"

#include <algorithm>
#include <map>

namespace freeplay {

namespace {

std::span<const int> columns_of(const BlockMatrix& matrix, int row) {
  return {matrix.column().data() + matrix.row_start()[row], matrix.column().data() + matrix.row_start()[row + 1]};
}

int n_blocks_for(std::size_t unknowns) { return static_cast<int>((unknowns + block_size - 1) / block_size); }

}  // namespace

FrontalPlan::Runs::Runs(const std::vector<int>& unknowns) {
  for (const int unknown : unknowns) {
    if (!runs_.empty() && unknown == runs_.back().first + runs_.back().length)
      ++runs_.back().length;
    else
      runs_.push_back({unknown, 1});
  }
}

void FrontalPlan::Runs::read(std::span<const double> x, double* own) const {
  for (const auto& [first, length] : runs_) own = std::copy_n(x.data() + first, length, own);
}

void FrontalPlan::Runs::write(const double* own, std::span<double> x) const {
  for (const auto& [first, length] : runs_) {
    std::copy_n(own, length, x.data() + first);
    own += length;
  }
}

void FrontalPlan::Runs::add(const double* own, std::span<double> x) const {
  for (const auto& [first, length] : runs_)
    for (int k = 0; k < length; ++k) x[first + k] += *own++;
}

FrontalPlan::Front::Front(const EliminationStep& step)
    : inner(step.inner),
      outer(step.outer),
      inner_runs(inner),
      outer_runs(outer),
      n_inner_blocks(n_blocks_for(inner.size())),
      n_outer_blocks(n_blocks_for(outer.size())) {}

std::vector<int> FrontalPlan::Front::starts() const {
  std::vector<int> starts;
  for (const auto* unknowns : {&inner, &outer})
    for (std::size_t k = 0; k < unknowns->size(); k += block_size) {
      const bool is_whole = k + block_size <= unknowns->size();
      if (!is_whole || (*unknowns)[k + block_size - 1] != (*unknowns)[k] + block_size - 1) return {};
      starts.push_back((*unknowns)[k]);
    }
  return starts;
}

int FrontalPlan::Front::size() const { return n_inner_blocks * (n_blocks() + n_outer_blocks) * block_area; }

int FrontalPlan::Front::factor_size() const {
  int n = 0;
  for (int k = 0; k < n_inner_blocks; ++k) n += n_blocks() - k;
  return n * block_area;
}

int FrontalPlan::Front::block(int row, int column) const {
  const int blocks_before =
      row < n_inner_blocks ? row * n_blocks() : n_inner_blocks * n_blocks() + (row - n_inner_blocks) * n_inner_blocks;
  return first + (blocks_before + column) * block_area;
}

int FrontalPlan::Front::place(int row, int column) const {
  return block(row / block_size, 0) + column * block_size + row % block_size;
}

FrontalPlan::FrontalPlan(const BlockMatrix& pattern, const Team& team) {
  for (const EliminationStep& step : elimination_order(pattern)) {
    Front front(step);
    front.first_factor = n_factors;
    n_factors += front.factor_size();
    most_outer_blocks = std::max(most_outer_blocks, front.n_outer_blocks);
    most_blocks = std::max(most_blocks, front.n_blocks());
    fronts.push_back(std::move(front));
  }
  front_of_.assign(pattern.size(), static_cast<int>(fronts.size()));
  for (std::size_t f = 0; f < fronts.size(); ++f)
    for (const int unknown : fronts[f].inner) front_of_[unknown] = static_cast<int>(f);
  set_up_places();
  set_up_rest(pattern, team);
  set_up_pieces(pattern);
  set_up_transfers();
  set_up_passes();
}

/// A front needs its place from the first time that it gets something from another one until it is eliminated: then the
/// next one of its size takes it over, as long as it is in the cache.
void FrontalPlan::set_up_places() {
  std::map<int, std::vector<int>> free;  // places by size
  std::vector<bool> has_place(fronts.size() + 1, false);
  has_place.back() = true;  // what KLU gets is elsewhere
  const auto give_place = [&](int f) {
    if (has_place[f]) return;
    has_place[f] = true;
    std::vector<int>& left = free[fronts[f].size()];
    if (left.empty()) {
      fronts[f].first = first_rest;
      first_rest += fronts[f].size();
    } else {
      fronts[f].first = left.back();
      left.pop_back();
    }
  };
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    give_place(static_cast<int>(f));
    for (const int unknown : fronts[f].outer) give_place(front_of_[unknown]);
    free[fronts[f].size()].push_back(fronts[f].first);
  }
}

void FrontalPlan::set_up_rest(const BlockMatrix& pattern, const Team& team) {
  const auto is_left = [this](int unknown) { return front_of_[unknown] == static_cast<int>(fronts.size()); };
  std::vector<char> is_mine(pattern.size(), false);
  for (int block = 0; block < pattern.n_blocks(); ++block)
    for (int k = pattern.first(block); k < pattern.first(block) + pattern.block_size(block); ++k)
      is_mine[k] = pattern.is_mine(block) && is_left(k);
  SharedNumbers numbers(is_mine, team);
  rest = std::move(numbers.mine);
  rest_number_ = std::move(numbers.of);
  n_rest_of_all = numbers.n_all;
  std::vector<std::vector<int>> columns(rest.size());  // unknowns
  for (std::size_t r = 0; r < rest.size(); ++r)
    for (const int c : columns_of(pattern, rest[r]))
      if (is_left(c)) columns[r].push_back(c);
  for (const Front& front : fronts)
    for (const int r : front.outer)
      for (const int c : front.outer)
        if (is_left(r) && is_left(c)) columns[rest_row(r)].push_back(c);
  rest_row_start.push_back(0);
  for (std::size_t r = 0; r < rest.size(); ++r) {
    std::ranges::sort(columns[r], {}, [this](int c) { return rest_number_[c]; });
    columns[r].erase(std::unique(columns[r].begin(), columns[r].end()), columns[r].end());
    for (const int c : columns[r]) {
      rest_column.push_back(rest_number_[c]);
      rest_from.push_back(pattern.place(rest[r], c));
    }
    rest_row_start.push_back(static_cast<int>(rest_column.size()));
  }
}

/// Where the number (row, column) of the whole matrix is: in the front that eliminates one of the two first.
int FrontalPlan::place(int row, int column) const {
  const int f = std::min(front_of_[row], front_of_[column]);
  if (f == static_cast<int>(fronts.size())) {
    const int r = rest_row(row);
    const auto begin = rest_column.begin() + rest_row_start[r], end = rest_column.begin() + rest_row_start[r + 1];
    return first_rest + static_cast<int>(std::lower_bound(begin, end, rest_number_[column]) - rest_column.begin());
  }
  const Front& front = fronts[f];
  const auto own = [&](int unknown) {
    return front_of_[unknown] == f ? number_in(front.inner, unknown) : front.outer_row(number_in(front.outer, unknown));
  };
  return front.place(own(row), own(column));
}

void FrontalPlan::set_up_pieces(const BlockMatrix& pattern) {
  const auto never = static_cast<int>(fronts.size());
  for (int row = 0; row < pattern.size(); ++row) {
    int before = never;
    const auto columns = columns_of(pattern, row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const int f = std::min(front_of_[row], front_of_[columns[k]]);
      const bool continues = f == before;
      before = f;
      if (f == never) continue;
      std::vector<Piece>& pieces = fronts[f].pieces;
      const int to = place(row, columns[k]);
      if (continues && to == pieces.back().to + block_size * pieces.back().length)
        ++pieces.back().length;
      else
        pieces.push_back({pattern.row_start()[row] + static_cast<int>(k), to, 1});
    }
  }
  for (Front& front : fronts) front.join_pieces();
}

/// Makes tiles of pieces that are twelve rows of whole blocks.
void FrontalPlan::Front::join_pieces() {
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

void FrontalPlan::set_up_transfers() {
  for (Front& front : fronts) {
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

void FrontalPlan::set_up_passes() {
  for (const Front& front : fronts) {
    std::vector<int> own = front.starts();
    const bool is_whole = !own.empty();
    for (int k = 0; k < front.n_blocks() && !is_whole; ++k) own.push_back(k * block_size);
    passes.push_back({front.n_inner_blocks, front.n_blocks(), static_cast<int>(starts.size()), is_whole});
    starts.insert(starts.end(), own.begin(), own.end());
  }
}

}  // namespace freeplay
