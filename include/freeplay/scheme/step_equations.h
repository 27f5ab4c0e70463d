#pragma once

#include "freeplay/mechanics/friction_rows.h"
#include "freeplay/mechanics/model.h"
#include "freeplay/scheme/share_rows.h"
#include "freeplay/scheme/solver_interface.h"
#include "freeplay/scheme/step_nodes.h"
#include "freeplay/scheme/step_portions.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// The equations of one step of the energy-decaying scheme (integrator.md): momentum balance of each node over the
/// step, constraints at its end, friction in joints, and the jump at its start. Unknowns: xi of each node, the
/// multipliers of each joint, the friction forces, xi_h of the nodes whose stresses jump. All in the axes that each
/// body has at the start of the step, so that the Jacobian hardly changes when the whole system turns. Rows and
/// multipliers are scaled (momentum times dt, dt^2 lambda) such that it does not change with dt either as long as
/// nothing elastic is there.
class StepEquations : public NonlinearProblem {
 public:
  /// Of several processes each evaluates its own rows of residual and Jacobian; a solution is the same on all of them.
  StepEquations(const Model& model, double alpha, const Team& team = Team::alone());

  /// Prepares the step from `start` with size dt. In statics dt is a pseudo-time, and no time passes for loads.
  enum class Clock { runs, stands };
  void begin(const State& start, double dt, Clock clock = Clock::runs);

  /// How stuck joints share loads where that is not determined, from the next step on.
  void set_shares(const ShareRows& shares) { shares_ = shares; }

  /// Mean reactions of the last projection, per multiplier [N]: the normal force of friction is that of the step and
  /// this, as the multipliers of the step alone are off in proportion to its length.
  void set_projection_reactions(std::span<const double> reactions) {
    std::copy(reactions.begin(), reactions.end(), projection_reactions_.begin());
  }

  /// Momenta that the step before has left unbalanced, in the axes that each body has now: this step makes up for them,
  /// so that what Newton's method leaves does not add up over many steps. After begin().
  void balance_too(const std::vector<Vec6>& momenta) { nodes_.balance_too(momenta); }
  /// What this step leaves, in the axes that the body has at its end.
  Vec6 unbalanced(int node) const { return nodes_.unbalanced(node); }
  /// Of all nodes, from what each process knows of them.
  void complete(std::vector<Vec6>& of_nodes) const;

  /// First guess: the mean twist and the multipliers expected over the step.
  void guess(const std::vector<Vec6>& mean_twist, std::span<const double> multipliers, std::span<double> u) const;

  /// Of each unknown in the size of errors of the motion: mass or inertia; 0 for forces.
  std::vector<double> weights() const;

  int size() const override { return size_; }
  void residual(std::span<const double> u, std::span<double> r) override;
  void jacobian(std::span<const double> u, BlockMatrix& matrix) override;
  BlockMatrix make_matrix() const override;
  double relative_size() const override;
  bool at_round_off() const override;

  /// After a solution: the state at the end of the step (velocities not yet projected; internal variables advanced),
  /// and what elements and friction in joints did.
  StepWork finish(std::span<const double> u, State& end);

  const Motion& motion() const { return motion_; }
  const Model& model() const { return model_; }
  const Unknowns& unknowns() const { return unknowns_; }

  /// What the contacts did over the step that was finished last, in the order of the elements, and what friction took
  /// in the joints that have it, in the order of the model.
  std::span<const StepWork> contact_works() const { return contact_works_; }
  std::span<const double> friction_losses() const { return friction_losses_; }

  // Of the last solution.
  Vec6 mean_twist(int node) const { return nodes_.xi(node) / motion_.dt; }
  double largest_rotation() const { return totals_.largest_rotation; }  ///< of any node over the step
  double jump_square() const { return totals_.jump; }                   ///< |nu_j - nu_i|^2_M
  const StepNodes& nodes() const { return nodes_; }

  /// Work of the drives over the step at the given multipliers: the one thing constraint forces can do work with.
  double drive_work(const State& end) const;

  const FrictionRows& friction() const { return friction_; }

  /// The node or joint with the largest part of the last residual, for messages.
  std::string worst_place(std::span<double> r) const;

 private:
  class Sink;

  void add_joint_forces(std::span<const double> u, std::span<double> r);
  void add_up_totals();
  /// Returns the square of what it adds to the momenta that are unbalanced.
  double add_friction_forces(std::span<const double> u, std::span<double> r);
  FrictionDemand friction_demand(int k, std::span<const double> u) const;
  double friction_loss(int k, const State& end) const;
  Mat6 inertia_tangent(int node) const;
  Mat6 end_variation(int node) const;   ///< (dx_f, dphi_f) by dxi
  Mat6 jump_variation(int node) const;  ///< (dx_j, dphi_j) by dxi_h
  void add_node_tangent(int node, TangentSink& sink, BlockMatrix& matrix) const;
  void add_joint_tangents(std::span<const double> u, BlockMatrix& matrix);
  void add_friction_tangents(std::span<const double> u, BlockMatrix& matrix);
  void add_normal_force_tangent(int k, std::span<const double> u, const FrictionDemand& demand,
                                BlockMatrix& matrix) const;
  /// Forces of a unit of some multipliers, rows of their equations, derivative of their forces by the end.
  void add_multipliers(const Joint& joint, int block, const JointGradients& forces, const JointGradients& rows,
                       const JointMatrix& geometric, BlockMatrix& matrix);
  /// Adds a block of momenta of a node, which are to be scaled.
  void add_momenta(int row_block, int column_block, int node, const Mat6& full, BlockMatrix& matrix) const;

  const Model& model_;
  const Team& team_;
  Ownership ownership_;
  std::vector<StepPortion> portions_;
  std::vector<int> groups_elsewhere_;  ///< of nodes that this process need not know while it looks for a solution
  std::vector<int> joints_;            ///< that this process evaluates
  Unknowns unknowns_;
  FrictionRows friction_;
  bool friction_acts_ = true;
  ShareRows shares_;
  std::vector<double> projection_reactions_;
  /// Multipliers of the equations of a joint that presses, with what the projection adds.
  std::array<double, 8> pressing(const JointFriction& friction, std::span<const double> u) const;
  double alpha_;
  int size_ = 0;
  Parts parts_;                       ///< of the unknowns, per process
  std::vector<int> first_;            ///< index of the first unknown of each block
  double root_mass_ = 0.0;            ///< square root of the total mass
  double noise_per_dt_square_ = 0.0;  ///< round-off of the scaled momentum balance, divided by dt^2
  const State* start_ = nullptr;
  Motion motion_;
  StepNodes nodes_;
  StepNodes::Forces forces_;
  std::vector<Mat6> end_variation_, jump_variation_;
  StepNodes::Totals totals_;  ///< of the last residual
  double constraint_max_ = 0.0;
  std::vector<StepWork> contact_works_;
  std::vector<double> friction_losses_;
  double position_scale_ = 0.0;  ///< size of the model or its distance from the origin [m]
};

}  // namespace freeplay
