#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <numbers>

namespace freeplay {

inline constexpr double two_pi = 2.0 * std::numbers::pi;

using Vec3 = Eigen::Matrix<double, 3, 1>;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix<double, 3, 3>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
/// Columns: x, d_1, d_2, d_3 of a node, or what is conjugate to them. A row is what a processor computes in one go.
using Mat34 = Eigen::Matrix<double, 3, 4, Eigen::RowMajor>;

}  // namespace freeplay
