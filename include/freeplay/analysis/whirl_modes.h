#pragma once

#include <complex>
#include <string>
#include <vector>

#include "freeplay/analysis/whirl_equations.h"

namespace freeplay {

/// How the places of a rotor go round in a mode, seen by an observer who stands still.
enum class Whirl {
  none,      ///< the rotor does not move across its axis
  forward,   ///< in the direction of the rotation
  backward,  ///< against it
  planar,    ///< to and fro on lines
  mixed      ///< some places forward, others backward
};

/// A small motion Re(vector exp(value t)) of a rotor and what carries it.
struct WhirlMode {
  std::complex<double> value;  ///< in fixed axes [1/s]; imaginary part >= 0
  std::complex<double> own;    ///< in the axes of the equations
  /// In fixed axes, with a negative imaginary part for backward whirl that was found in rotating axes: there, vectors
  /// of forward and backward whirl look alike.
  std::complex<double> identity;
  Whirl whirl = Whirl::none;
  std::string body;    ///< that has the largest share of the kinetic energy
  double share = 0.0;  ///< its share, 0 to 1
  Eigen::VectorXcd vector;

  double frequency() const { return value.imag(); }         ///< [rad/s]
  double decay_rate() const { return 0.0 - value.real(); }  ///< [1/s]
  double damping_ratio() const { return value == 0.0 ? 0.0 : decay_rate() / std::abs(value); }
};

struct WhirlModes {
  double speed = 0.0;
  std::vector<WhirlMode> modes;  ///< that vibrate or grow, with rising frequency in fixed axes
  int n_rigid = 0;               ///< motions that nothing hinders
  int n_creeping = 0;            ///< found motions that decay without vibrating
};

/// Finds modes of one rotor at any speed.
class WhirlSolver {
 public:
  WhirlSolver(const Assembled& assembled, const Rotor& rotor, SolverFactory& solvers);

  /// At least `n` of the lowest ones, if there are so many.
  WhirlModes modes(double speed, int n);
  WhirlEquations& equations() { return *equations_; }

  /// Modal assurance criterion of two modes, 0 to 1: 1 if one is a multiple of the other. Masses of the last speed.
  double likeness(const WhirlMode& a, const WhirlMode& b) const;
  /// The same, less if their frequencies and decay rates differ much: whether b is what becomes of a.
  double kinship(const WhirlMode& a, const WhirlMode& b) const;

 private:
  using Complex = std::complex<double>;
  WhirlModes modes_near(double shift, int n_pairs);
  double noise(const Eigen::VectorXcd& x) const;
  /// Whether x* (value^2 M + value C + K) x vanishes, as it does for all true modes. Infinite values of joint equations
  /// and of hardly any mass come out as very large ones with any sign; they do not pass.
  bool is_solution(Complex value, const Eigen::VectorXcd& x) const;
  WhirlMode make_mode(Complex value, Eigen::VectorXcd vector) const;
  /// Modes of equal value have no shapes of their own: those that go round most are chosen.
  void part_equal_modes(std::vector<WhirlMode>& modes) const;
  /// Sum over the rotor of what goes round forward less what goes round backward, as a product of two modes.
  Complex difference_of_rounds(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) const;
  void set_whirl(WhirlMode& mode) const;
  void set_body(WhirlMode& mode) const;
  void choose_form();

  const Assembled& assembled_;
  const Rotor& rotor_;
  SolverFactory& solvers_;
  std::unique_ptr<WhirlEquations> equations_;
  Linearisation::Sparse mass_, damping_, stiffness_, stiffness_size_;
  double largest_stiffness_by_mass_ = 0.0, shift_ = 0.0;
  bool form_is_chosen_ = false, is_mixed_ = false;
};

}  // namespace freeplay
