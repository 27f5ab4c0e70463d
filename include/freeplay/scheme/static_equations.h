#pragma once

#include "freeplay/mechanics/model.h"
#include "freeplay/scheme/block_sink.h"
#include "freeplay/scheme/ownership.h"
#include "freeplay/scheme/pattern.h"
#include "freeplay/scheme/solver_interface.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// Equilibrium under a share of the loads (the load factor): forces and moments of each node in the axes that it has at
/// the start of a load step, and constraints. Unknowns: the step twist xi of each node, the multipliers of each joint,
/// the load factor. One equation is left to whoever walks along the path: a linear one, its coefficients are
/// `path_row`.
///
/// Forces are those of a step that ends where it starts (RestSink).
class StaticEquations {
 public:
  /// Of several processes each evaluates its own rows of residual and Jacobian.
  explicit StaticEquations(const Model& model, const Team& team = Team::alone());

  int size() const { return first_.back(); }
  const Unknowns& unknowns() const { return unknowns_; }
  double length_scale() const { return model_.length_scale; }

  /// Motion is counted from `start`, which must stay.
  void begin(const State& start);
  /// The unknowns at the start itself.
  void guess(std::span<double> u) const;

  /// All but the last, which is left alone.
  void residual(std::span<const double> u, std::span<double> r);
  /// At the u of the last residual.
  void jacobian(std::span<const double> u, std::span<const double> path_row, BlockMatrix& matrix);
  BlockMatrix make_matrix() const;

  /// Of the last residual: relative to the terms that it is the sum of; whether round-off alone explains it.
  double relative_size() const;
  bool at_round_off() const;

  /// Adds springs to ground, so soft beside the stiffest part (by the factor `share`) that they only hold what nothing
  /// else holds.
  void add_soft_ground(double share, BlockMatrix& matrix) const;

  /// The stiffness with joints replaced by springs that are stiff beside everything else: it has as many negative
  /// eigenvalues as the constrained stiffness. In units of energy.
  BlockMatrix stiffness_with_stiff_joints(std::span<const double> u);

  /// What makes the unknowns comparable: squared lengths are measured by that of the model; multipliers do not count.
  const std::vector<double>& metric() const { return metric_; }
  /// The body with the largest part in a direction of the unknowns.
  const std::string& moving_most(std::span<const double> direction) const;

  /// The equilibrium as a state at rest; multipliers are in the axes of the start.
  void finish(std::span<const double> u, State& end);

 private:
  void update(std::span<const double> u);
  void add_gravity();
  void add_joint_forces(std::span<const double> u, std::span<double> r);
  void add_stiffness(std::span<const double> u, BlockMatrix& matrix);
  void add_constraints(std::span<const double> u, BlockMatrix& matrix) const;
  RestSink sink(BlockMatrix& matrix) const;
  Pattern stiffness_pattern() const;
  double stiffest(const BlockMatrix& matrix) const;
  /// A frame that is `end` all the time; only `coordinate` terms look at the axes of the start.
  JointMotion resting(const Joint& joint) const;
  FramePlace start_place(const Frame& frame) const;
  double time() const { return start_->time; }

  const Model& model_;
  const Team& team_;
  Ownership ownership_;
  std::vector<int> joints_;  ///< that this process evaluates
  Unknowns unknowns_;
  std::vector<int> first_;  ///< index of the first unknown of each block
  std::vector<double> metric_;
  Vec6 row_scale_;  ///< forces times the size of the model, moments
  double noise_ = 0.0;
  const State* start_ = nullptr;
  Motion motion_;
  double load_factor_ = 0.0;
  std::vector<double> internal_;
  std::vector<Vec6> xi_;
  std::vector<Mat6> variation_;
  std::vector<Vec6> forces_, loads_, joint_forces_;
  double balance_square_ = 0.0, reference_square_ = 0.0, constraint_max_ = 0.0;
  double position_scale_ = 0.0;  ///< size of the model or its distance from the origin [m]
};

}  // namespace freeplay
