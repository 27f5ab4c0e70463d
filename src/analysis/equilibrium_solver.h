#pragma once

#include <optional>

#include "freeplay/scheme/instant_system.h"
#include "freeplay/scheme/static_equations.h"

namespace freeplay {

/// A place of rest on the load path and how the path goes on from there.
struct Equilibrium {
  State state;
  std::vector<double> tangent;  ///< change of the unknowns per length of the path
  Pivots pivots;                ///< of the constrained stiffness
  int iterations = 0;           ///< of Newton's method
};

/// Newton's method for equilibrium, with the exact stiffness in every iteration.
class EquilibriumSolver {
 public:
  EquilibriumSolver(const Model& model, SolverFactory& solvers, double tolerance, int max_iterations);

  const StaticEquations& equations() const { return equations_; }

  /// Solves from `guess` (unknowns counted from `start`) together with path_row . u = value; fills in state and
  /// iterations. Nothing if Newton's method fails.
  std::optional<Equilibrium> solve(const State& start, std::span<const double> guess, std::span<const double> path_row,
                                   double value);

  /// The unknowns of a state counted from itself.
  std::vector<double> unknowns_of(const State& state);
  /// Signs of the pivots of the constrained stiffness in a state.
  Pivots pivots(const State& state);
  /// The direction of the path with path_row . tangent = 1; nothing if the equations are singular.
  std::optional<std::vector<double>> tangent(const State& state, std::span<const double> path_row);

  /// Newton's method at the given load factor in a position that is nearly at rest, which some motions may leave at
  /// rest: held by soft springs, they stay where they are. False if it does not come closer to equilibrium.
  bool polish(State& state);

 private:
  enum class Ground { none, soft };
  /// Number of iterations, or nothing.
  std::optional<int> iterate(std::span<double> u, std::span<const double> path_row, double value, Ground ground);
  bool correct(std::span<double> u, std::span<const double> path_row, Ground ground);
  bool is_round_off(std::span<const double> correction) const;

  /// The multipliers in the axes of the state itself.
  bool find_reactions(State& state);

  SolverFactory& solvers_;
  StaticEquations equations_;
  InstantSystem instant_;
  std::vector<Vec6> rates_;
  BlockMatrix matrix_;
  std::unique_ptr<LinearSolver> linear_;
  double tolerance_;
  int max_iterations_;
  std::vector<double> residual_, correction_;
};

}  // namespace freeplay
