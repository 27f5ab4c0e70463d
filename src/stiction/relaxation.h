#pragma once

#include "freeplay/solver/linear_program.h"
#include "freeplay/stiction/friction_search.h"

namespace freeplay {

// In units of the size of the loads.
constexpr double unlimited = 1e6;        // no force is let beyond; what comes near has no limit
constexpr double cone_tolerance = 1e-7;  // of points; round-off of the linear programs is below

/// The linear program of a branch. Where lengths are not linear it is either too wide (everything that is possible is
/// in it: bounds) or too narrow (everything in it is possible: points).
class Relaxation {
 public:
  enum class Side { too_wide, too_narrow };
  Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch, Side side);

  struct Result {
    bool is_possible = false;
    double value = 0.0;
    Eigen::VectorXd x;
  };
  Result solve();

 private:
  enum class Estimate { never_smaller, never_larger };

  void add_bounds();
  void add_pressures();
  void add_still(int joint);
  void add_sticking(int joint);
  void add_slipping(int joint, const SimplicialCone& sector);
  /// Normal force as coefficients of the unknowns, without the preload.
  Eigen::RowVectorXd normal_row(int joint, Estimate estimate) const;
  Eigen::VectorXd slip_row(int joint, const Eigen::RowVectorXd& direction, int column) const;
  Eigen::VectorXd friction_row(int joint, const Eigen::VectorXd& direction) const;
  double preload(int joint) const;
  Eigen::VectorXd objective() const;
  /// Cuts off friction forces outside of the circle or ball; false if there are none.
  bool cut(const Eigen::VectorXd& x);

  const FrictionSearch& search_;
  const FrictionProblem& problem_;
  const Question& question_;
  const Branch& branch_;
  Side side_;
  LinearProgram program_;
  std::vector<Eigen::RowVectorXd> sticking_normal_;  ///< of joints that stick and are decided, else empty
};

}  // namespace freeplay
