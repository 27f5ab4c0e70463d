#pragma once

#include <Eigen/Core>
#include <memory>

namespace freeplay {

/// Maximise c . x with rows low <= a . x <= high and bounds of x. Solved by the simplex method (COIN-OR CLP).
class LinearProgram {
 public:
  /// All columns without bounds.
  explicit LinearProgram(int n_columns);
  ~LinearProgram();
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;

  void bound(int column, double low, double high);
  void add_row(const Eigen::VectorXd& coefficients, double low, double high);

  enum class Status { optimal, infeasible, unbounded, failed };
  struct Solution {
    Status status = Status::failed;
    double value = 0.0;
    Eigen::VectorXd x;
  };
  /// May be called again after more rows.
  Solution maximise(const Eigen::VectorXd& objective);

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace freeplay
