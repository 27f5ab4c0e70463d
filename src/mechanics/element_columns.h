#pragma once

#include "freeplay/math/rotation.h"
#include "freeplay/mechanics/gauss_lanes.h"

// Derivatives by many motions of the nodes of an element, four motions at a time. Each node has three motions that do
// not rotate it ("displacements") and three that do ("rotations"); motion k of node a has the place 3 a + k among those
// of its kind.

namespace freeplay {

constexpr int max_columns = (3 * GaussLanes::max_nodes + n_lanes - 1) / n_lanes * n_lanes;

/// Number of columns that hold the motions of one kind, unused lanes included.
constexpr int padded_columns(int n_nodes) { return (3 * n_nodes + n_lanes - 1) / n_lanes * n_lanes; }

/// One number for each motion of one kind.
using MotionRow = Eigen::Array<double, max_columns, 1>;

/// A vector for each of four motions.
using LaneVector = std::array<Lane, 3>;

/// A vector for each motion of one kind.
struct MotionVector {
  std::array<MotionRow, 3> component;

  LaneVector lanes(int first) const {
    return {component[0].segment<n_lanes>(first), component[1].segment<n_lanes>(first),
            component[2].segment<n_lanes>(first)};
  }
  void set(int a, const Mat3& values) {
    for (int i = 0; i < 3; ++i) component[i].segment<3>(3 * a) = values.row(i).transpose().array();
  }
  /// The value of node `a` again.
  Mat3 at(int a) const {
    Mat3 values;
    for (int i = 0; i < 3; ++i) values.row(i) = component[i].segment<3>(3 * a).matrix().transpose();
    return values;
  }
  void clear_unused(int n_nodes) {
    for (MotionRow& row : component) row.segment<n_lanes>(padded_columns(n_nodes) - n_lanes).setZero();
  }
};

/// How q = (x, d_1, d_2, d_3) of each node changes along its motions. Directors do not change along displacements.
struct Variations {
  MotionVector x_by_displacement, x_by_rotation;
  std::array<MotionVector, 3> d_by_rotation;

  explicit Variations(int n_nodes) {
    for (MotionVector* each :
         {&x_by_displacement, &x_by_rotation, &d_by_rotation[0], &d_by_rotation[1], &d_by_rotation[2]})
      each->clear_unused(n_nodes);
  }

  /// Motions (dx, dphi) in inertial axes: dd_k = dphi x d_k.
  void set_inertial(int a, const Mat6& motions, const Mat3& directors) {
    x_by_displacement.set(a, motions.topLeftCorner<3, 3>());
    x_by_rotation.set(a, motions.topRightCorner<3, 3>());
    for (int k = 0; k < 3; ++k) d_by_rotation[k].set(a, -skew(directors.col(k)) * motions.bottomRightCorner<3, 3>());
  }

  /// Motions (dx, dphi) in body axes, mapped by P: dx -> D dx, dphi -> dd_k = D (dphi x e_k).
  void set_in_body(int a, const Mat6& motions, const Mat3& D) {
    x_by_displacement.set(a, D * motions.topLeftCorner<3, 3>());
    x_by_rotation.set(a, Mat3::Zero());
    const Mat3 rotations = motions.bottomRightCorner<3, 3>();
    for (int k = 0; k < 3; ++k) d_by_rotation[k].set(a, -D * (skew(Vec3::Unit(k)) * rotations).eval());
  }
};

/// Strains by motions, or stresses: a column for each strain of each Gauss point, first all (Gamma_1, Gamma_2,
/// Gamma_3), then all (K_1, K_2, K_3).
struct StrainColumns {
  using Columns = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_columns, 6 * GaussLanes::max_nodes>;
  Columns by_displacement, by_rotation;

  StrainColumns(int n_nodes, int n_points)
      : by_displacement(padded_columns(n_nodes), 6 * n_points), by_rotation(padded_columns(n_nodes), 6 * n_points) {}
};

/// Three rows of a matrix whose columns are the motions of one kind; stored as three columns.
using ThreeRows = Eigen::Array<double, max_columns, 3>;

/// The strains of three rows times the stresses of all columns of one kind, over the first `depth` strains:
/// result.col(i) = factor sum_s rows(first_row + i, s) columns.col(s).
void multiply(double factor, const StrainColumns::Columns& rows, int first_row, const StrainColumns::Columns& columns,
              int depth, ThreeRows& result);

}  // namespace freeplay
