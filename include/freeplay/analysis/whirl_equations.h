#pragma once

#include <Eigen/SparseCore>
#include <complex>
#include <vector>

#include "freeplay/analysis/linearisation.h"
#include "freeplay/analysis/rotor.h"
#include "freeplay/scheme/solver_interface.h"

namespace freeplay {

/// Small motions of a rotor that turns steadily and of what carries it, with constant coefficients:
///
///     M x'' + C x' + K x + G^T mu = 0,   G x = 0.
///
/// x of a node is a small displacement and rotation. Its components are along the body axes that the node has at t = 0:
/// these stand still if Rotor::axes is `fixed`, and turn with the rotor, those of standing nodes too, if it is
/// `rotating` (doc/rotors.md).
class WhirlEquations {
 public:
  WhirlEquations(const Assembled& assembled, const Rotor& rotor, SolverFactory& solvers,
                 Linearisation::Form form = Linearisation::Form::plain);

  /// Finds the steady state at this speed [rad/s], and the matrices about it.
  void assemble(double speed);

  BlockMatrix mass, damping, stiffness;

  const Model& model() const { return assembled_.model; }
  const Rotor& rotor() const { return rotor_; }
  const State& state() const { return state_; }
  double speed() const { return speed_; }
  const Unknowns& unknowns() const { return linearisation_->unknowns(); }
  int n_degrees_of_freedom() const { return linearisation_->n_degrees_of_freedom(); }
  /// All ways in which the model can move.
  int n_possible() const { return n_degrees_of_freedom() - linearisation_->n_equations(); }
  bool has_dampers() const { return linearisation_->has_dampers(); }
  double largest_stiffness_by_mass() const { return linearisation_->largest_stiffness_by_mass(); }

  using Complex = std::complex<double>;
  using ComplexVector = Eigen::VectorXcd;
  using Twist = Eigen::Matrix<Complex, 6, 1>;
  /// Displacement and rotation of a node, inertial axes at t = 0.
  Twist motion_of(int node, const ComplexVector& x) const;
  /// The same in the body axes that the node has then.
  Twist own_motion_of(int node, const ComplexVector& x) const;

  /// Stiffness and damping of an element between the rotor and the rest, as the rows of the node of the rotor that it
  /// holds: force on the rest for a vibration x exp(value t).
  Eigen::Vector3cd force_of_element(std::size_t element, const ComplexVector& x, Complex value) const;
  /// The same of a joint, from the multipliers in x.
  Eigen::Vector3cd force_of_joint(int joint, const ComplexVector& x) const;

 private:
  /// w~ of the steady rotation in the axes of a node, for displacements and rotations that are not fixed.
  Eigen::MatrixXd rotating_of(int node) const;
  /// target += factor * matrix * S, S being made of turning_of() for the nodes that count.
  void add_rotated(const BlockMatrix& matrix, double factor, const std::vector<char>& nodes, BlockMatrix& target) const;
  void to_fixed_axes(const BlockMatrix& between);
  void to_rotating_axes(const BlockMatrix& between);
  void add_effect_of_spin_on_dampers();
  Mat6 derivative_by_spin(std::size_t element, int row_node, int column_node) const;

  const Assembled& assembled_;
  const Rotor& rotor_;
  SolverFactory& solvers_;
  Linearisation::Form form_;
  std::unique_ptr<Linearisation> linearisation_;
  std::vector<char> stands_;
  State state_;
  double speed_ = 0.0;
};

}  // namespace freeplay
