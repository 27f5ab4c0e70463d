#include "freeplay/analysis/stiction/friction_problem.h"

#include <Eigen/QR>

namespace freeplay {

double FrictionProblem::FrictionJoint::normal_force(const Eigen::VectorXd& reactions) const {
  double sum = preload;
  if (is_contact) return sum + normal.front().map.row(0).dot(reactions);
  for (const NormalPart& part : normal) sum += part.weight * (part.map * reactions).norm();
  return sum;
}

Eigen::MatrixXd FrictionProblem::self_stresses() const {
  constexpr double rank_tolerance = 1e-9;
  const int n = n_reactions + n_frictions;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(rank_tolerance);
  qr.compute(balance.leftCols(n).transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(n - qr.rank());
}

}  // namespace freeplay
