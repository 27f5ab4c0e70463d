#pragma once

#include <array>
#include <vector>

#include "freeplay/math/types.h"
#include "freeplay/mechanics/line_mesh.h"

namespace freeplay {

/// Gauss points four at a time, one per lane: a processor adds or multiplies four numbers in one go. Lanes that an
/// element has no point for have weight zero.
constexpr int n_lanes = 4;
using Lane = Eigen::Array<double, n_lanes, 1>;
/// Columns: the six strains, or stresses.
using LaneStrain = Eigen::Array<double, n_lanes, 6>;
/// A column for each number of q, in the order in which Mat34 keeps them.
using LaneNodeValue = Eigen::Array<double, n_lanes, 12>;
/// The column of component i of q.col(c).
constexpr int lane_column(int i, int c) { return 4 * i + c; }

/// q, or a change of it, and its derivative by arc length.
struct LaneField {
  LaneNodeValue value, derivative;
};

/// Up to four points of a beam element.
struct GaussLanes {
  static constexpr int max_nodes = 9;
  using NodeValues = std::array<Mat34, max_nodes>;

  int n_points = 0;
  bool is_diagonal = true;                                                        ///< C at all points
  Eigen::Array<double, n_lanes, max_nodes> shape = decltype(shape)::Zero();       ///< columns: nodes of the element
  Eigen::Array<double, n_lanes, max_nodes> derivative = decltype(shape)::Zero();  ///< by arc length
  Lane weight = Lane::Zero();
  Eigen::Array<double, n_lanes, 36> stiffness = Eigen::Array<double, n_lanes, 36>::Zero();  ///< columns of C

  void add(const LineMesh::GaussPoint& point, const Mat6& point_stiffness);
  Mat6 stiffness_of(int lane) const { return stiffness.row(lane).matrix().reshaped(6, 6); }

  /// From the values at the nodes; without the value of x.
  LaneField interpolate(const NodeValues& q, int n_nodes) const;

  /// C E.
  LaneStrain stress(const LaneStrain& strain) const;

  /// Integral of S . E.
  double work(const LaneStrain& stress, const LaneStrain& strain) const {
    return (weight * (stress * strain).rowwise().sum()).sum();
  }

  /// B(q)^T S, added to the forces on the q of the nodes.
  void add_stress(const LaneField& q, const LaneStrain& stress, int n_nodes, NodeValues& forces) const;

 private:
  /// What does work on q and on q', weighted, a column per lane.
  struct Conjugate {
    Eigen::Array<double, 12, n_lanes> value, derivative;
  };
  Conjugate conjugate_to(const LaneField& q, const LaneStrain& stress) const;
};

/// All Gauss points of an element.
struct GaussPoints {
  std::vector<GaussLanes> lanes;
  int n_points = 0;
  bool is_diagonal = true;  ///< the stiffness at all points

  /// `stiffness` at each point, in section axes: (shear 1, shear 2, axial; bending about 1, about 2, torsion).
  GaussPoints(const LineMesh::Element& geometry, const std::vector<Mat6>& stiffness);

  /// Whether the two differ by no more than the given relative error of the length of the element.
  bool agree_with(const GaussPoints& other, double error) const;
};

LaneField moved_half(const LaneField& start, const LaneField& change);

/// Change of the strain with a change of q. Exact, however large, if `middle` is half-way: strains are quadratic.
LaneStrain strain_change(const LaneField& middle, const LaneField& change);

/// Strain of q without that of the reference.
LaneStrain total_strain(const LaneField& q);

}  // namespace freeplay
