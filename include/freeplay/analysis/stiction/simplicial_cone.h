#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

namespace freeplay {

/// All vectors V t with t >= 0, where V has as many columns, unit vectors, as rows. Inside it the length of a vector,
/// which is not linear, lies between two linear functions: with s = sum of t, flatness * s <= |V t| <= s. In one
/// dimension (a sign) both agree; halving a cone brings them together.
struct SimplicialCone {
  Eigen::MatrixXd inverse;     ///< of V: t as a function of the vector
  Eigen::MatrixXd generators;  ///< V
  double flatness = 1.0;       ///< distance of the plane through the ends of the generators from the origin

  explicit SimplicialCone(Eigen::MatrixXd V);
  int dimension() const { return static_cast<int>(generators.rows()); }
  /// s = sum of t as coefficients of the vector.
  Eigen::RowVectorXd sum() const { return inverse.colwise().sum(); }
};

/// The orthants: together the whole space of this dimension, at most 3.
std::vector<SimplicialCone> orthants(int dimension);

/// The two parts that it is cut into across its widest angle: in the direction of the vector, where the estimates of
/// its length become exact, or in the middle if that would leave a sliver. Not for one dimension.
std::pair<SimplicialCone, SimplicialCone> parted(const SimplicialCone& cone, const Eigen::VectorXd& vector);

}  // namespace freeplay
