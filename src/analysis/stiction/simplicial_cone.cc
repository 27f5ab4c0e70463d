#include "freeplay/analysis/stiction/simplicial_cone.h"

#include <Eigen/LU>

namespace freeplay {

SimplicialCone::SimplicialCone(Eigen::MatrixXd V) : inverse(V.inverse()), generators(std::move(V)) {
  // The plane n . x = 1 through all generators has V^T n = 1.
  flatness = 1.0 / sum().norm();
}

std::vector<SimplicialCone> orthants(int dimension) {
  std::vector<SimplicialCone> cones;
  for (int signs = 0; signs < (1 << dimension); ++signs) {
    Eigen::MatrixXd V = Eigen::MatrixXd::Identity(dimension, dimension);
    for (int d = 0; d < dimension; ++d)
      if (signs & (1 << d)) V(d, d) = -1.0;
    cones.emplace_back(V);
  }
  return cones;
}

std::pair<SimplicialCone, SimplicialCone> parted(const SimplicialCone& cone, const Eigen::VectorXd& vector) {
  int a = 0, b = 1;
  double least_cosine = 2.0;
  for (int i = 0; i < cone.dimension(); ++i)
    for (int j = i + 1; j < cone.dimension(); ++j) {
      const double cosine = cone.generators.col(i).dot(cone.generators.col(j));
      if (cosine >= least_cosine) continue;
      least_cosine = cosine;
      a = i;
      b = j;
    }
  constexpr double sliver = 0.2;
  const Eigen::VectorXd t = cone.inverse * vector;
  const double share = t[a] / (t[a] + t[b]);
  const double of_a = share > sliver && share < 1.0 - sliver ? share : 0.5;
  const Eigen::VectorXd middle = (of_a * cone.generators.col(a) + (1.0 - of_a) * cone.generators.col(b)).normalized();
  Eigen::MatrixXd first = cone.generators, second = cone.generators;
  first.col(a) = middle;
  second.col(b) = middle;
  return {SimplicialCone(first), SimplicialCone(second)};
}

}  // namespace freeplay
