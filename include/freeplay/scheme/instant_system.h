#pragma once

#include "freeplay/mechanics/friction_rows.h"
#include "freeplay/mechanics/model.h"
#include "freeplay/scheme/share_rows.h"
#include "freeplay/scheme/solver_interface.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// The equations of motion at one instant, [M G^T; G 0] in body axes: velocities that satisfy the constraints,
/// accelerations, joint reactions and friction forces.
class InstantSystem {
 public:
  InstantSystem(const Model& model, SolverFactory& solvers);

  /// How stuck joints share loads where that is not determined.
  void set_shares(const ShareRows& shares) { shares_ = shares; }

  /// What a projection did, see project().
  struct Projection {
    double loss = 0.0;        ///< kinetic energy lost to constraints [J]
    double drive_work = 0.0;  ///< kinetic energy given by drives [J]
    double correction = 0.0;  ///< kinetic energy of the change of the twists [J]: falls with dt^4 in a regular position
    int worst_joint = 0;      ///< whose velocities were off the most
    bool ok = true;           ///< false: the constraints are singular
  };
  /// Replaces the twists of `state` by the nearest ones (in the metric of the mass) that satisfy the constraints.
  Projection project(State& state);
  /// Impulses of the last projection, per equation: what the joints did besides the multipliers of the step.
  const std::vector<double>& impulses() const { return impulses_; }

  /// Accelerations (time derivative of the body twists) and multipliers at `state`. Returns false, and leaves both as
  /// they are, if the equations are singular or friction finds no balance.
  /// Drives that `stand` keep their position: statics, which have no friction.
  enum class Drives { move, stand };
  bool accelerate(const State& state, std::vector<Vec6>& twist_rate, std::vector<double>& multipliers,
                  Drives drives = Drives::move);
  /// Rate of change of the slip velocity of a friction joint, for accelerations that were found at `state`.
  Vec3 slip_acceleration(int friction, const State& state, const std::vector<Vec6>& twist_rate) const;

  /// How a friction force feeds itself: more friction, more normal force, more friction. At 1 no reaction balances the
  /// friction that it causes, and beyond it there is no solution.
  struct Feedback {
    int friction = -1;  ///< where it is largest; -1: there is no friction
    double gain = 0.0;
  };
  Feedback friction_feedback(const State& state);

 private:
  class Sink;
  void assemble(const State& state);
  /// Columns of `gradients` as forces on the nodes, and as rows that multiply their velocities.
  void add_multipliers(const State& state, const Joint& joint, int block, const JointGradients& forces,
                       const JointGradients& rows);
  /// Rows of friction that sticks hold back velocities (or accelerations); others say what the force is.
  enum class Friction { none, of_impulse, acts };
  void add_friction(const State& state, std::span<const double> multipliers, Friction friction);
  /// The largest defect, and whose it is.
  double right_side_of_defects(const State& state, int& worst_joint);
  double drive_work_of_impulses(const State& state) const;
  void right_side_of_forces(const State& state);
  void right_side_of_joints(const State& state, Drives drives);
  void add_friction_law(int k, const State& state, std::span<const double> multipliers, double* right);
  void read_multipliers(std::vector<double>& multipliers) const;
  /// Rates of a frame from the twist of its node: velocity, and the part of the acceleration that is quadratic in it.
  struct FrameRates {
    FramePlace rate, second;
  };
  FrameRates rates(const State& state, const Frame& frame) const;

  const Model& model_;
  Unknowns unknowns_;
  FrictionRows friction_;
  ShareRows shares_;
  /// Masses couple nothing but the motions of one node, so the equations of nodes without joints stand alone.
  std::vector<char> has_joint_;
  std::vector<int> joint_nodes_;    ///< nodes with joints
  std::vector<Mat6> inverse_mass_;  ///< of nodes without joints
  BlockMatrix matrix_;              ///< of nodes with joints
  std::unique_ptr<LinearSolver> solver_;
  std::vector<Vec6> row_scale_;
  Motion motion_;
  std::vector<Vec6> forces_;  ///< on nodes; of nodes without joints, then in body axes what the mass resists
  std::vector<double> right_side_, solution_, previous_multipliers_, impulses_;
};

}  // namespace freeplay
