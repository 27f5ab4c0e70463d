#pragma once

#include "freeplay/analysis/stiction/friction_search.h"
#include "freeplay/solver/linear_program.h"

namespace freeplay {

// In units of the size of the loads.
constexpr double unlimited = 1e6;        // no force is let beyond; what comes near has no limit
constexpr double cone_tolerance = 1e-7;  // of points; round-off of the linear programs is below

/// The linear program of a branch. Where lengths are not linear it is either too wide (everything that is possible is
/// in it: bounds) or too narrow (everything in it is possible: points).
class Relaxation {
 public:
  /// Too wide.
  Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch);
  /// Too narrow: lengths along the directions that they have at this point. All slips are decided.
  Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch,
             const Eigen::VectorXd& about);

  struct Result {
    bool is_possible = false;
    double value = 0.0;
    Eigen::VectorXd x{};
  };
  Result solve();
  int n_programs() const { return n_programs_; }

 private:
  Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch,
             const Eigen::VectorXd* about);

  void add_bounds();
  void add_pressures();
  void add_opening(int joint);
  void add_open(int joint);
  void add_still(int joint);
  void add_sticking(int joint);
  void add_slipping(int joint, const SimplicialCone& sector);
  /// Normal force without the preload as coefficients of the unknowns: in a wide program never smaller, in a narrow one
  /// never larger. Absent: it has no limit yet.
  std::optional<Eigen::RowVectorXd> normal_row(int joint) const;
  /// Never larger than the normal force without the preload, and equal to it at x.
  Eigen::RowVectorXd tangent_of_normal(int joint, const Eigen::VectorXd& x) const;
  double normal_at(int joint, const Eigen::VectorXd& x) const;  ///< with the preload
  Eigen::VectorXd motion_row(const Eigen::RowVectorXd& by_accelerations, int column) const;
  Eigen::VectorXd friction_row(int joint, const Eigen::VectorXd& direction) const;
  Eigen::VectorXd slipping_force(int joint) const;
  double preload(int joint) const;
  Eigen::VectorXd objective() const;
  /// Cuts off what is outside of a convex set; false if nothing is.
  bool cut(const Eigen::VectorXd& x);
  bool cut_sticking(int joint, const Eigen::VectorXd& x);
  bool cut_slipping(int joint, const Eigen::VectorXd& x);
  bool cut_least_normal(const Eigen::VectorXd& x);

  const FrictionSearch& search_;
  const FrictionProblem& problem_;
  const Question& question_;
  const Branch& branch_;
  const Eigen::VectorXd* about_;  ///< null: too wide
  LinearProgram program_;
  std::vector<std::optional<Eigen::RowVectorXd>> sticking_normal_;  ///< of joints that stick
  int n_programs_ = 0;
};

}  // namespace freeplay
