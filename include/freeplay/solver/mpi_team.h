#pragma once

#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

/// All processes that mpirun has started.
class MpiTeam : public Team {
 public:
  MpiTeam();
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<double> values) const override;
  void largest(std::span<double> values) const override;
  void largest(std::span<int> values) const override;
  int sum_before(int number) const override;
  void complete(std::span<double> values, const Parts& parts) const override;
  std::vector<int> share_out(const Graph& graph) const override;

  /// What the first process says.
  bool agreed(bool mine) const;
  /// Ends all processes: one of them cannot go on.
  [[noreturn]] void abort(int code) const;

 private:
  int rank_ = 0, size_ = 1;
  mutable std::vector<double> sent_, received_;
};

}  // namespace freeplay
