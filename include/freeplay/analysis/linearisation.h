#pragma once

#include <Eigen/SparseCore>
#include <functional>
#include <vector>

#include "freeplay/mechanics/model.h"
#include "freeplay/scheme/solver_interface.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// The whole model turns steadily about a fixed axis, like one rigid body. Zero velocity: it stands still.
struct SteadyRotation {
  Vec3 velocity = Vec3::Zero();  ///< [rad/s], inertial axes
  Vec3 point = Vec3::Zero();     ///< on the axis, inertial [m]

  bool rotates() const { return !velocity.isZero(0.0); }
  /// (V, w) of a node at `pose`, body axes.
  Vec6 twist(const Pose& pose) const;
};

/// The equations of motion for small motions eta about a state that stands still in axes that turn steadily
/// (doc/modes.md):
///
///     M eta'' + C eta' + K eta + G^T mu = 0,   G eta = 0.
///
/// eta of a node is a small displacement and rotation in its body axes. K is made of the tangents of all forces, of the
/// joint reactions and of the centrifugal forces; C of dampers and of the gyroscopic forces. All three matrices have
/// the same pattern, with one row and column per multiplier; G stands in K alone.
///
/// An element may be so much stiffer in some ways than in others (shear and bending of a slender beam) that in the sum
/// of both the soft part is lost in the round-off of the stiff one. The mixed form has the forces f of the stiff ways v
/// of each element as further unknowns, after the multipliers: K contains sum v f, and rows v^T eta - f/s = 0 with the
/// stiffness s of each. Round-off of v then counts with its square.
class Linearisation {
 public:
  enum class Form { plain, mixed };
  /// `rotating`: per node, whether it takes part in the rotation; the others stand still. Empty: all do. What connects
  /// both kinds must look the same from the turning nodes at any time.
  Linearisation(const Model& model, const SteadyRotation& rotation, Form form = Form::plain,
                std::vector<char> rotating = {});

  /// Fills matrices and residual for the poses, multipliers and internal variables of `state`.
  void assemble(const State& state);

  /// The part of `damping` that some elements make: per element, whether it counts. For the state that was assembled.
  BlockMatrix damping_of(const State& state, const std::vector<char>& elements);

  BlockMatrix mass, damping, stiffness;
  /// What is missing for a steady state: forces in body axes, then the values of the joint equations.
  std::vector<double> residual;

  const Model& model() const { return model_; }
  /// Which process has the rows of each block, where they are shared out.
  BlockOwners owners(const Team& team) const;
  const SteadyRotation& rotation() const { return rotation_; }
  const Unknowns& unknowns() const { return unknowns_; }
  int n_degrees_of_freedom() const { return mass.first(unknowns_.n_nodes()); }
  int n_equations() const { return mass.first(n_joint_and_node_blocks_) - n_degrees_of_freedom(); }  ///< of joints
  bool has_dampers() const { return has_dampers_; }
  /// K = K^T up to round-off: all forces have a potential.
  bool is_conservative();

  /// Largest ratio of stiffness to mass of a single degree of freedom [1/s^2]: size of the squares of the highest
  /// frequencies, whose round-off is the noise in the lowest.
  double largest_stiffness_by_mass();

  using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  static Sparse sparse(BlockMatrix& matrix);

 private:
  class ElementSink;
  BlockMatrix make_matrix() const;
  /// Free motions of all nodes of an element.
  int n_motions(const ForceElement& element) const;
  void add_mixed_tangents(const State& state);
  Vec6 twist_of(std::size_t node, const State& state) const;
  void add_block(int node, const Mat6& block, BlockMatrix& matrix) const;
  void add_element_tangents(const State& state, double dt, BlockMatrix& matrix,
                            const std::function<bool(std::size_t)>& counts = {});
  /// `with`: tangents of a short step; becomes the damping.
  static void find_damping(const BlockMatrix& without, BlockMatrix& with);
  void add_forces(const State& state);
  void add_inertia(const State& state);
  void add_gravity_tangents(const State& state);
  void add_joints(const State& state);
  void store_residual(const State& state);

  const Model& model_;
  SteadyRotation rotation_;
  std::vector<char> rotating_;
  Unknowns unknowns_;
  int n_joint_and_node_blocks_;
  std::vector<int> mixed_elements_;  ///< each has a block of forces
  Motion instant_, step_;
  std::vector<Vec6> forces_;  ///< all resisting forces on each node, inertial axes
  bool has_dampers_ = false;
};

}  // namespace freeplay
