#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay {

/// The parts of a vector that each of several processes knows, in the order of the processes.
struct Run {
  int first = 0, length = 0;
};
using Parts = std::vector<std::vector<Run>>;

inline void add_run(std::vector<Run>& runs, int first, int length) {
  if (length == 0) return;
  if (!runs.empty() && runs.back().first + runs.back().length == first)
    runs.back().length += length;
  else
    runs.push_back({first, length});
}

/// Which of several processes has the rows of each block; empty: there is only one process.
struct BlockOwners {
  std::vector<int> owner;
  int rank = 0;  ///< of this process

  bool is_mine(int block) const { return owner.empty() || owner[block] == rank; }
  /// Unknowns of each process; `first`: that of each block, and their number. Of a single process: nothing.
  Parts parts(std::span<const int> first) const {
    Parts parts;
    for (std::size_t block = 0; block < owner.size(); ++block) {
      if (owner[block] >= static_cast<int>(parts.size())) parts.resize(owner[block] + 1);
      add_run(parts[owner[block]], first[block], first[block + 1] - first[block]);
    }
    return parts;
  }
};

/// A square sparse matrix in compressed rows whose pattern is made of dense blocks: all the memory is allocated once,
/// and adding an element's block finds its place in a handful of comparisons. Of several processes each has its own
/// rows, with all their columns; what is added to rows of others is left to them.
class BlockMatrix {
 public:
  BlockMatrix() = default;
  /// `couplings`: pairs (row block, column block) that may become nonzero.
  BlockMatrix(const std::vector<int>& block_sizes, std::vector<std::pair<int, int>> couplings, BlockOwners owners = {})
      : owners_(std::move(owners)) {
    const int n_blocks = static_cast<int>(block_sizes.size());
    std::erase_if(couplings, [this](const auto& coupling) { return !owners_.is_mine(coupling.first); });
    first_.assign(n_blocks + 1, 0);
    for (int b = 0; b < n_blocks; ++b) first_[b + 1] = first_[b] + block_sizes[b];
    std::sort(couplings.begin(), couplings.end());
    couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
    block_row_.assign(n_blocks + 1, 0);
    for (const auto& [row, column] : couplings) {
      ++block_row_[row + 1];
      block_column_.push_back(column);
    }
    for (int b = 0; b < n_blocks; ++b) block_row_[b + 1] += block_row_[b];
    block_offset_.resize(block_column_.size());
    row_start_.push_back(0);
    for (int b = 0; b < n_blocks; ++b) {
      int width = 0;
      for (int k = block_row_[b]; k < block_row_[b + 1]; ++k) {
        block_offset_[k] = width;
        width += block_sizes[block_column_[k]];
      }
      for (int r = 0; r < block_sizes[b]; ++r) {
        for (int k = block_row_[b]; k < block_row_[b + 1]; ++k)
          for (int c = 0; c < block_sizes[block_column_[k]]; ++c) column_.push_back(first_[block_column_[k]] + c);
        row_start_.push_back(static_cast<int>(column_.size()));
      }
    }
    value_.assign(column_.size(), 0.0);
  }

  /// The rows of a whole matrix that belong to this process.
  BlockMatrix(const BlockMatrix& whole, BlockOwners owners)
      : BlockMatrix(whole.block_sizes(), whole.couplings(), std::move(owners)) {
    for (int block = 0; block < n_blocks(); ++block)
      if (is_mine(block))
        std::copy(whole.value_.begin() + whole.row_start_[first_[block]],
                  whole.value_.begin() + whole.row_start_[first_[block + 1]],
                  value_.begin() + row_start_[first_[block]]);
  }

  const BlockOwners& owners() const { return owners_; }
  Parts parts() const { return owners_.parts(first_); }
  bool is_mine(int block) const { return owners_.is_mine(block); }

  int n_blocks() const { return first_.empty() ? 0 : static_cast<int>(first_.size()) - 1; }
  /// Those that a row block is coupled to, ascending.
  std::span<const int> block_columns(int row) const {
    return {block_column_.data() + block_row_[row], block_column_.data() + block_row_[row + 1]};
  }

  int size() const { return first_.empty() ? 0 : first_.back(); }
  int first(int block) const { return first_[block]; }  ///< index of the first unknown of a block
  int block_size(int block) const { return first_[block + 1] - first_[block]; }

  void set_zero() { std::fill(value_.begin(), value_.end(), 0.0); }
  /// The rows of one block.
  void set_zero(int row) {
    std::fill(value_.begin() + row_start_[first_[row]], value_.begin() + row_start_[first_[row + 1]], 0.0);
  }

  /// Adds a dense block of the size of (row, column), or of several neighbours that are coupled to the same blocks.
  template <class Derived>
  void add(int row, int column, const Eigen::MatrixBase<Derived>& block) {
    if (block.rows() == 0 || !is_mine(row)) return;
    const int* start = &row_start_[first_[row]];
    const int width = start[1] - start[0];  // of all rows of a block
    double* target = value_.data() + start[0] + offset_of(row, column);
    for (int r = 0; r < block.rows(); ++r, target += width)
      Eigen::Map<Eigen::Matrix<double, 1, Derived::ColsAtCompileTime>>(target, block.cols()) += block.row(r);
  }

  /// Adds to one number of a block.
  void add_entry(int row, int row_index, int column, int column_index, double value) {
    if (!is_mine(row)) return;
    value_[row_start_[first_[row] + row_index] + offset_of(row, column) + column_index] += value;
  }

  /// Rows of other processes become zero.
  void multiply(std::span<const double> x, std::span<double> y) const {
    std::fill(y.begin(), y.end(), 0.0);
    for (int row = 0; row < n_blocks(); ++row)
      for (int k = block_row_[row], next = k; k < block_row_[row + 1]; k = next) {
        // Neighbouring columns at once.
        while (++next < block_row_[row + 1] && block_column_[next] == block_column_[next - 1] + 1) continue;
        const int first = first_[block_column_[k]], n = first_[block_column_[next - 1] + 1] - first;
        const Eigen::Map<const Eigen::VectorXd> part(x.data() + first, n);
        for (int r = first_[row]; r < first_[row + 1]; ++r)
          y[r] += Eigen::Map<const Eigen::VectorXd>(value_.data() + row_start_[r] + block_offset_[k], n).dot(part);
      }
  }

  /// Zero if it is not in the pattern.
  double at(int row, int column) const {
    const int k = place(row, column);
    return k < 0 ? 0.0 : value_[k];
  }

  /// Number among the values; -1 if it is not in the pattern.
  int place(int row, int column) const {
    const auto end = column_.begin() + row_start_[row + 1];
    const auto found = std::lower_bound(column_.begin() + row_start_[row], end, column);
    return found != end && *found == column ? static_cast<int>(found - column_.begin()) : -1;
  }

  // Raw compressed rows, for linear solvers.
  const std::vector<int>& row_start() const { return row_start_; }
  const std::vector<int>& column() const { return column_; }
  const std::vector<double>& value() const { return value_; }
  std::vector<int>& row_start() { return row_start_; }
  std::vector<int>& column() { return column_; }
  std::vector<double>& value() { return value_; }

 private:
  std::vector<int> block_sizes() const {
    std::vector<int> sizes;
    for (int block = 0; block < n_blocks(); ++block) sizes.push_back(block_size(block));
    return sizes;
  }
  std::vector<std::pair<int, int>> couplings() const {
    std::vector<std::pair<int, int>> pairs;
    for (int row = 0; row < n_blocks(); ++row)
      for (const int column : block_columns(row)) pairs.emplace_back(row, column);
    return pairs;
  }

  int offset_of(int row, int column) const {
    const auto begin = block_column_.begin() + block_row_[row];
    const auto end = block_column_.begin() + block_row_[row + 1];
    return block_offset_[std::lower_bound(begin, end, column) - block_column_.begin()];
  }

  BlockOwners owners_;
  std::vector<int> first_, block_row_, block_column_, block_offset_;
  std::vector<int> row_start_, column_;
  std::vector<double> value_;
};

}  // namespace freeplay
