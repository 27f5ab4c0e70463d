#pragma once

#include <algorithm>
#include <span>

#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

/// A matrix without owners is solved by each process for itself.
inline const Team& team_of(const BlockMatrix& matrix, const Team& team) {
  return matrix.owners().owner.empty() ? Team::alone() : team;
}

/// The part of the unknowns of a matrix that belongs to this process.
class OwnPart {
 public:
  OwnPart(const BlockMatrix& matrix, const Team& team) : parts_(matrix.parts()) {
    if (team.size() == 1)
      mine_.push_back({0, matrix.size()});
    else if (team.rank() < static_cast<int>(parts_.size()))
      mine_ = parts_[team.rank()];
    for (const Run& run : mine_) size_ += run.length;
  }

  int size() const { return size_; }
  const Parts& parts() const { return parts_; }  ///< of all processes

  void pack(std::span<const double> whole, double* own) const {
    for (const auto& [first, length] : mine_) own = std::copy_n(whole.data() + first, length, own);
  }
  void unpack(const double* own, std::span<double> whole) const {
    for (const auto& [first, length] : mine_) {
      std::copy_n(own, length, whole.data() + first);
      own += length;
    }
  }
  double square(std::span<const double> x) const {
    double sum = 0.0;
    for (const auto& [first, length] : mine_)
      for (int k = first; k < first + length; ++k) sum += x[k] * x[k];
    return sum;
  }

 private:
  Parts parts_;
  std::vector<Run> mine_;
  int size_ = 0;
};

}  // namespace freeplay
