#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "freeplay/base/location.h"
#include "freeplay/mechanics/motion.h"

namespace freeplay {

/// What one element did over one step: the lines of the energy ledger that it writes. All in J.
struct StepWork {
  double load_work = 0.0;       ///< done on the system by applied loads
  double damping_loss = 0.0;    ///< >= 0
  double numerical_loss = 0.0;  ///< alpha/2 |E_j - E_i|^2_C >= 0
  double contact_loss = 0.0;    ///< by the dissipative part of contact laws, >= 0
  double friction_loss = 0.0;   ///< friction work less what the bristles store

  StepWork& operator+=(const StepWork& other) {
    load_work += other.load_work;
    damping_loss += other.damping_loss;
    numerical_loss += other.numerical_loss;
    contact_loss += other.contact_loss;
    friction_loss += other.friction_loss;
    return *this;
  }
};

/// Energy stored in a contact [J].
struct ContactEnergy {
  double elastic = 0.0;   ///< potential of the penetration
  double friction = 0.0;  ///< in the bristles
};

/// A contact at an instant, for pictures; inertial axes.
struct ContactPoint {
  Vec3 position = Vec3::Zero();        ///< the point of the second body that touches, or would touch [m]
  Vec3 normal_force = Vec3::Zero();    ///< on the second body [N]
  Vec3 friction_force = Vec3::Zero();  ///< on the second body [N]
  Vec3 slip_velocity = Vec3::Zero();   ///< of the second body past the first [m/s]
  double gap = 0.0;                    ///< [m]
  int state = 0;                       ///< 0: open, 1: sticks, 2: slips
};

/// What a contact did over one step.
struct ContactStatus {
  double start_gap = 0.0, gap = 0.0;                ///< at its start and end [m]
  double normal_force = 0.0, friction_force = 0.0;  ///< constant over the step [N]
  double slip_velocity = 0.0;                       ///< mean [m/s]
  double stick_velocity = 0.0;                      ///< slower counts as sticking [m/s]
  double impact_speed = 0.0;                        ///< at which this contact began, in this step or before [m/s]
  bool touches() const { return gap < 0.0; }
  bool sticks() const { return touches() && slip_velocity < stick_velocity; }
};

/// Receives the derivatives of forces, as 6x6 blocks (force, moment) by (dx, dphi), inertial axes.
class TangentSink {
 public:
  enum class Row { balance, jump };  ///< force over the step (inertial axes) or in the jump (body axes)
  enum class Column { end, jump };   ///< by the end f or by the state j after the jump
  using Block = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

  virtual ~TangentSink() = default;
  virtual void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) = 0;

  // What the receiver makes of a block is M^T derivative N. An element of many nodes has many blocks, and saves work if
  // it takes its derivatives along M and N in the first place.

  /// M: the motions of a node whose work its rows are; a column (dx, dphi) each, in the axes of the forces. The first
  /// three do not turn the node, the others do not shift it.
  virtual Mat6 row_motions(Row, int /*node*/) const { return Mat6::Identity(); }
  /// N: the motions of a node that its columns are derivatives along. The first three do not turn the node.
  virtual Mat6 column_motions(Column, int /*node*/) const { return Mat6::Identity(); }
  /// Adds M^T derivative N.
  virtual void add_along_motions(Row row, int row_node, Column column, int column_node, const Block& block) {
    add(row, row_node, column, column_node, block);
  }
  /// The same for both rows and both columns of two nodes: (balance, jump) by (end, jump).
  using TwinBlock = Eigen::Matrix<double, 12, 12, Eigen::RowMajor>;
  virtual void add_along_motions(int row_node, int column_node, const TwinBlock& blocks) {
    for (const Row row : {Row::balance, Row::jump})
      for (const Column column : {Column::end, Column::jump})
        add_along_motions(row, row_node, column, column_node,
                          blocks.block<6, 6>(row == Row::jump ? 6 : 0, column == Column::jump ? 6 : 0));
  }
};

/// Something that puts forces on nodes: spring, damper, bushing, applied load, beam element.
/// Immutable; numbers that change (the turns of a torsional spring) are `internal` and live in the State.
class ForceElement {
 public:
  explicit ForceElement(std::string name) : name_(std::move(name)) {}
  virtual ~ForceElement() = default;

  const std::string& name() const { return name_; }
  virtual std::span<const int> nodes() const = 0;
  /// Whether the forces on one of its nodes depend on the motion of another.
  virtual bool couples_nodes() const { return true; }
  virtual int n_internal() const { return 0; }
  /// Whether it is a load that acts from outside: its force is proportional to the load factor.
  virtual bool is_load() const { return false; }
  /// Whether its stress jumps at the start of a step (strains quadratic in q, linear elasticity): its nodes then have
  /// the second unknown twist xi_h.
  virtual bool has_jump() const { return false; }

  /// Adds its resisting force and moment about the mean position of each node, constant over the step, inertial axes.
  virtual void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const = 0;

  /// Adds P(R_i, R_j)^T B(q_h)^T C [(E_f - E_i) - alpha (E_j - E_i)], body axes.
  virtual void add_jump_forces(const Motion&, std::vector<Vec6>&) const {}

  /// Both at once, for elements that share work between them.
  virtual void add_step_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces,
                               std::vector<Vec6>& jump_forces) const {
    add_forces(motion, internal, forces);
    add_jump_forces(motion, jump_forces);
  }

  virtual void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const = 0;

  virtual StepWork work(const Motion& motion, std::span<const double> internal) const = 0;

  /// Called once, when the mechanism is assembled: what depends on that position is fixed now.
  virtual void settle(const Motion&) {}

  /// Internal numbers at the start of the analysis and after a step.
  virtual void initialise(const Motion&, std::span<double>) const {}
  virtual void advance(const Motion&, std::span<double>) const {}

  /// After a step: the work that it did, and its internal numbers from those at the start (`internal`, and `end` as a
  /// copy of them) to those at the end.
  virtual StepWork conclude(const Motion& motion, std::span<const double> internal, std::span<double> end) const {
    const StepWork done = work(motion, internal);
    advance(motion, end);
    return done;
  }

  /// Whether its energy depends on where its nodes are, and not only on its internal numbers.
  virtual bool energy_needs_motion() const { return false; }
  /// Energy stored at the start of `motion`.
  virtual double stored_energy(const Motion&, std::span<const double>) const { return 0.0; }

  virtual ContactEnergy contact_energy(const Motion&, std::span<const double>) const { return {}; }
  virtual bool is_contact() const { return false; }
  /// What a contact did over a step.
  virtual ContactStatus contact_status(const Motion&, std::span<const double>) const { return {}; }
  virtual ContactPoint contact_point(const Motion&, std::span<const double>) const { return {}; }
  /// Largest values since the last output are written: they begin anew.
  virtual void forget_peaks(std::span<double>) const {}

  /// The longest step that the element allows from this instant [s].
  virtual double step_limit(const Motion&, std::span<const double>) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Whether it has a state besides that of its nodes whose exactness must be looked after (bristles of friction).
  virtual bool has_state_error() const { return false; }
  /// Error of that state over a step of length dt between two instants, relative to its own size.
  virtual double state_error(const Motion& /*start*/, std::span<const double> /*internal*/, const Motion& /*end*/,
                             std::span<const double> /*end_internal*/, double /*dt*/) const {
    return 0.0;
  }
  /// Whether a step went too far: a contact began deeper, or changed its gap or its slip faster, than it resolves.
  virtual bool overshoots(const Motion&, std::span<const double>) const { return false; }

  /// Size of the forces and moments that cancel within the element even at rest: no balance can be met more closely
  /// than the round-off of these. For a beam: stiffness times the terms, of the size of a position divided by the
  /// length of an element, whose difference is the strain. `size` is that of the model [m].
  struct Cancelling {
    double force = 0.0, moment = 0.0;
  };
  virtual Cancelling cancelling(double /*size*/) const { return {}; }

  /// Named results for the history (an instant motion): length and force of a spring.
  struct Quantity {
    std::string name, unit;
  };
  virtual std::vector<Quantity> quantities() const { return {}; }
  virtual void evaluate(const Motion&, std::span<const double>, std::span<double>) const {}

  /// Times at which the element changes abruptly: a step should end there.
  virtual std::vector<double> corners() const { return {}; }

 private:
  std::string name_;
};

}  // namespace freeplay
