#pragma once

#include <optional>

#include "freeplay/beam/line_mesh.h"
#include "freeplay/model/force_element.h"

namespace freeplay {

/// What a section feels, in section axes: (shear 1, shear 2, axial; bending about 1, about 2, torsion). The force and
/// the moment are what the part towards the end of the beam exerts on the part towards its start.
struct SectionState {
  Vec6 strain = Vec6::Zero();  ///< [1], [1/m]
  Vec6 force = Vec6::Zero();   ///< damping included [N], [N m]
};

/// One element of a geometrically exact beam (mechanics.md): position and directors are interpolated by the same
/// polynomials, strains Gamma_k = d_k . x', K_1 = 1/2 (d_3 . d_2' - d_2 . d_3') (cyclic), minus those of the reference,
/// are taken at p Gauss points. Quadratic in q, so the energy-decaying scheme applies exactly.
class BeamElement : public ForceElement {
 public:
  static constexpr int max_degree = 8;

  /// What an element is made of, besides its geometry.
  struct Section {
    /// At each Gauss point, in section axes: (shear 1, shear 2, axial; bending about 1, about 2, torsion).
    std::vector<Mat6> stiffness;
    double damping = 0.0;  ///< stiffness-proportional [s]
  };

  /// `nodes` are numbers of nodes of the model; `reference` their positions and section axes without strain. After a
  /// corner of the beam the first node has the section axes of the element before: `corner` are the own ones in them.
  BeamElement(std::string name, std::vector<int> nodes, const std::vector<Pose>& reference,
              const LineMesh::Element& geometry, const Section& section,
              const std::optional<Mat3>& corner = std::nullopt);

  std::span<const int> nodes() const override { return nodes_; }
  bool has_jump() const override { return true; }
  /// Strains at the start of the step, of all points, then their mean rates over the step before. Damping at an instant
  /// is that of these rates: velocities at the end of a step that is long for the stiff modes of the beam are wrong by
  /// little, but times the damping and the stiffness by much.
  int n_internal() const override { return 12 * n_points(); }
  void initialise(const Motion& motion, std::span<double> internal) const override;
  void advance(const Motion& motion, std::span<double> internal) const override;

  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_step_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces,
                       std::vector<Vec6>& jump_forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  double stored_energy(const Motion& motion, std::span<const double> internal) const override;
  Cancelling cancelling(double size) const override;

  int n_points() const { return static_cast<int>(points_.size()); }
  /// Position and directors, which are not quite orthonormal between nodes, for an instant motion and the values of the
  /// shape functions.
  Pose interpolated(const Motion& motion, std::span<const double> shape) const;

  /// One state per Gauss point, at an instant.
  void section_states(std::span<const double> internal, std::span<SectionState> states) const;

 private:
  static constexpr int max_nodes = max_degree + 1;
  using NodeValues = std::array<Mat34, max_nodes>;

  struct Point {
    double weight = 0.0;
    std::array<double, max_nodes> shape{}, derivative{};
    Vec6 reference = Vec6::Zero();
    Mat6 stiffness = Mat6::Zero();
  };
  /// q, or a change of it, and its derivative by arc length at a Gauss point.
  struct Field {
    Mat34 value, derivative;
  };
  /// Kinematics of a step at a Gauss point: q_m and q_h, and how the strains change from i to f and from i to j.
  struct PointStep {
    Field middle, half;
    Vec6 to_end, to_jump;
  };
  /// q_i, q_f - q_i and q_j - q_i of the nodes.
  struct ElementStep {
    NodeValues start, to_end, to_jump;
  };

  int n_nodes() const { return static_cast<int>(nodes_.size()); }
  ElementStep gather(const Motion& motion) const;
  NodeValues gather_start(const Motion& motion) const;
  NodeValues gather_rates(const Motion& motion) const;
  /// Directors of the first node, or changes of them, from the axes of the node to own ones.
  void turn_to_own_axes(NodeValues& q) const {
    if (corner_) q[0].rightCols<3>() *= *corner_;
  }
  /// Jump forces on a node, or their derivatives, from own axes to those of the node.
  template <int columns>
  void turn_to_node_axes(int a, Eigen::Matrix<double, 6, columns>& rows) const {
    if (a > 0 || !corner_) return;
    rows.template topRows<3>() = (*corner_ * rows.template topRows<3>()).eval();
    rows.template bottomRows<3>() = (*corner_ * rows.template bottomRows<3>()).eval();
  }
  /// Strain and its mean rate at a Gauss point, out of the internal numbers.
  Eigen::Map<const Vec6> strain_of(std::span<const double> internal, std::size_t gauss_point) const {
    return Eigen::Map<const Vec6>(internal.data() + 6 * gauss_point);
  }
  Eigen::Map<const Vec6> rate_of(std::span<const double> internal, std::size_t gauss_point) const {
    return strain_of(internal, points_.size() + gauss_point);
  }
  /// C (E + eta dE/dt) at an instant.
  Vec6 instant_stress(std::span<const double> internal, std::size_t gauss_point) const {
    return points_[gauss_point].stiffness *
           (strain_of(internal, gauss_point) + damping_ * rate_of(internal, gauss_point));
  }
  Field interpolate(const Point& point, const NodeValues& q) const;
  static Field moved_half(const Field& start, const Field& change);
  static Vec6 strain(const Field& field);
  /// Change of the strain with a change of q. Exact, however large, if `middle` is half-way: strains are quadratic.
  static Vec6 strain_change(const Field& middle, const Field& change);
  PointStep step_at(const Point& point, const ElementStep& step) const;
  /// B(q)^T S at a Gauss point, added to the forces on the nodes' q.
  void add_stress(const Point& point, const Field& field, const Vec6& stress, NodeValues& forces) const;
  Vec6 mean_stress(const Motion& motion, const Point& point, const PointStep& step, const double* strain) const;
  Vec6 jump_stress(const Motion& motion, const Point& point, const PointStep& step) const;
  /// Derivatives of the six strains (rows) by (dx, dphi) of one node, dd_k = dphi x d_k with d_k in `arms`.
  Mat6 strain_gradient(const Point& point, const Field& field, int node, const Mat3& arms) const;
  /// Second derivative of S . E by the q of two nodes: F_a.col(c) = sum_b g(c, d) q_b.col(d).
  Eigen::Matrix4d stress_stiffness(const Point& point, const Vec6& stress, int a, int b) const;

  std::vector<int> nodes_;
  std::vector<Point> points_;
  double damping_;
  std::optional<Mat3> corner_;
};

}  // namespace freeplay
