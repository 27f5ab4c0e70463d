#pragma once

#include <memory>
#include <optional>

#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/gauss_lanes.h"

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
  static constexpr int max_degree = GaussLanes::max_nodes - 1;

  /// `nodes` are numbers of nodes of the model; `reference` their positions and section axes without strain. `points`
  /// may be those of other elements, too: in a long beam that is less to read. `damping` is proportional to the
  /// stiffness [s]. After a corner of the beam the first node has the section axes of the element before: `corner` are
  /// the own ones in them.
  BeamElement(std::string name, std::vector<int> nodes, const std::vector<Pose>& reference,
              std::shared_ptr<const GaussPoints> points, double damping,
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
  StepWork conclude(const Motion& motion, std::span<const double> internal, std::span<double> end) const override;
  double stored_energy(const Motion& motion, std::span<const double> internal) const override;
  Cancelling cancelling(double size) const override;

  int n_points() const { return points_->n_points; }
  double length() const;  ///< of its axis without strain [m]
  /// Position and directors, which are not quite orthonormal between nodes, for an instant motion and the values of the
  /// shape functions.
  Pose interpolated(const Motion& motion, std::span<const double> shape) const;

  /// One state per Gauss point, at an instant.
  void section_states(std::span<const double> internal, std::span<SectionState> states) const;

 private:
  static constexpr int max_nodes = GaussLanes::max_nodes;
  using NodeValues = GaussLanes::NodeValues;

  /// Kinematics of a step at Gauss points: q_m and q_h, and how the strains change from i to f and from i to j.
  struct PointStep {
    LaneField middle, half;
    LaneStrain to_end, to_jump;
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
  void rotation_to_own_axes(NodeValues& q) const {
    if (corner_) q[0].rightCols<3>() *= *corner_;
  }
  /// The same for motions of a node, and back for forces on it in the jump.
  void rotation_to_own_axes(int a, Mat6& motions) const {
    if (a > 0 || !corner_) return;
    motions.topRows<3>() = (corner_->transpose() * motions.topRows<3>()).eval();
    motions.bottomRows<3>() = (corner_->transpose() * motions.bottomRows<3>()).eval();
  }
  void rotation_to_node_axes(int a, Vec3& vector) const {
    if (a == 0 && corner_) vector = (*corner_ * vector).eval();
  }
  /// Calls f(points, internal numbers of them) with four points at a time.
  template <class Internal, class F>
  void for_points(Internal internal, const F& f) const {
    for (std::size_t k = 0; k < points_->lanes.size(); ++k) f(points_->lanes[k], internal.subspan(6 * n_lanes * k));
  }
  /// Strains out of the internal numbers, and their mean rates.
  LaneStrain strains_of(const GaussLanes& points, std::span<const double> own) const;
  LaneStrain rates_of(const GaussLanes& points, std::span<const double> own) const {
    return strains_of(points, own.subspan(6 * n_points()));
  }
  PointStep step_at(const GaussLanes& points, const ElementStep& step) const;
  /// S_g and the damping: C [(E_f + E_j)/2 + eta (E_f - E_i)/dt] (integrator.md).
  LaneStrain mean_stress(const Motion& motion, const GaussLanes& points, const PointStep& step,
                         std::span<const double> own) const;
  LaneStrain jump_stress(const Motion& motion, const GaussLanes& points, const PointStep& step) const;
  StepWork work_at(const Motion& motion, const GaussLanes& points, const PointStep& step) const;
  /// Writes the internal numbers of the end.
  void advance_at(const Motion& motion, const GaussLanes& points, const LaneStrain& change,
                  std::span<double> own) const;
  /// C (E + eta dE/dt) at an instant.
  LaneStrain instant_stress(const GaussLanes& points, std::span<const double> own) const;

  std::vector<int> nodes_;
  std::shared_ptr<const GaussPoints> points_;
  std::vector<LaneStrain> reference_;  ///< strain without stress
  double damping_;
  std::optional<Mat3> corner_;
};

}  // namespace freeplay
