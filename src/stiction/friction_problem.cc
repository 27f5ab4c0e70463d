#include "freeplay/stiction/friction_problem.h"

#include <Eigen/SVD>

namespace freeplay {

double FrictionProblem::FrictionJoint::normal_force(const Eigen::VectorXd& reactions) const {
  double sum = preload;
  for (const NormalPart& part : normal) sum += part.weight * (part.map * reactions).norm();
  return sum;
}

Eigen::MatrixXd FrictionProblem::self_stresses() const {
  constexpr double rank_tolerance = 1e-9;
  const int n = n_reactions + n_frictions;
  const Eigen::MatrixXd forces = balance.leftCols(n);
  Eigen::BDCSVD<Eigen::MatrixXd> svd(forces, Eigen::ComputeFullV);
  svd.setThreshold(rank_tolerance);
  return svd.matrixV().rightCols(n - svd.rank());
}

}  // namespace freeplay
