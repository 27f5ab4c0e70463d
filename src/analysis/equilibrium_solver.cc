#include "equilibrium_solver.h"

#include <cmath>
#include <numeric>

namespace freeplay {

namespace {

/// A correction beyond this (a turn in rad, a motion by the size of the model) is no correction.
constexpr double largest_correction = 1.0;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

EquilibriumSolver::EquilibriumSolver(const Model& model, SolverFactory& solvers, double tolerance, int max_iterations)
    : solvers_(solvers),
      equations_(model, solvers.team()),
      instant_(model, solvers),
      rates_(model.nodes.size()),
      matrix_(equations_.make_matrix()),
      linear_(solvers.direct()),
      tolerance_(tolerance),
      max_iterations_(max_iterations),
      residual_(equations_.size()),
      correction_(equations_.size()) {}

std::vector<double> EquilibriumSolver::unknowns_of(const State& state) {
  std::vector<double> u(equations_.size());
  equations_.begin(state);
  equations_.guess(u);
  return u;
}

bool EquilibriumSolver::correct(std::span<double> u, std::span<const double> path_row, Ground ground) {
  constexpr double soft = 1e-9;
  equations_.jacobian(u, path_row, matrix_);
  if (ground == Ground::soft) equations_.add_soft_ground(soft, matrix_);
  if (!linear_->solve(matrix_, residual_, 0.0, correction_)) return false;
  const std::vector<double>& metric = equations_.metric();
  for (std::size_t k = 0; k < u.size(); ++k) {
    if (!(metric[k] * correction_[k] * correction_[k] < largest_correction)) return false;
    u[k] -= correction_[k];
  }
  return true;
}

bool EquilibriumSolver::is_round_off(std::span<const double> correction) const {
  constexpr double round_off = 1e-14;
  double largest = 0.0;
  for (std::size_t k = 0; k < correction.size(); ++k)
    largest = std::max(largest, equations_.metric()[k] * correction[k] * correction[k]);
  return largest <= round_off * round_off;
}

std::optional<int> EquilibriumSolver::iterate(std::span<double> u, std::span<const double> path_row, double value,
                                              Ground ground) {
  constexpr double no_progress = 0.3;
  constexpr double round_off_range = 1e3;  // times the tolerance
  double previous = INFINITY;
  for (int iteration = 0; iteration <= max_iterations_; ++iteration) {
    equations_.residual(u, residual_);
    residual_.back() = dot(path_row, u) - value;
    const double size = equations_.relative_size();
    if (!std::isfinite(size)) return std::nullopt;
    const bool on_path = std::abs(residual_.back()) <= 1e-12 * std::max(1.0, std::abs(value));
    if (on_path && size <= tolerance_) return iteration;
    // It falls no more because round-off stops it.
    const bool stalls = iteration > 0 && size > no_progress * previous;
    if (on_path && stalls &&
        (size <= round_off_range * tolerance_ || equations_.at_round_off() || is_round_off(correction_)))
      return iteration;
    if (iteration > 2 && size > 1e3 * previous) return std::nullopt;
    if (!correct(u, path_row, ground)) return std::nullopt;
    previous = size;
  }
  return std::nullopt;
}

std::optional<Equilibrium> EquilibriumSolver::solve(const State& start, std::span<const double> guess,
                                                    std::span<const double> path_row, double value) {
  equations_.begin(start);
  std::vector<double> u(guess.begin(), guess.end());
  const auto iterations = iterate(u, path_row, value, Ground::none);
  if (!iterations) return std::nullopt;
  Equilibrium result;
  result.iterations = *iterations;
  equations_.finish(u, result.state);
  if (!find_reactions(result.state)) return std::nullopt;
  return result;
}

Pivots EquilibriumSolver::pivots(const State& state) {
  const std::vector<double> u = unknowns_of(state);
  BlockMatrix stiffness = equations_.stiffness_with_stiff_joints(u);
  return solvers_.pivots(stiffness);
}

std::optional<std::vector<double>> EquilibriumSolver::tangent(const State& state, std::span<const double> path_row) {
  const std::vector<double> u = unknowns_of(state);
  equations_.residual(u, residual_);
  equations_.jacobian(u, path_row, matrix_);
  std::fill(residual_.begin(), residual_.end(), 0.0);
  residual_.back() = 1.0;
  if (!linear_->solve(matrix_, residual_, 0.0, correction_)) return std::nullopt;
  return correction_;
}

bool EquilibriumSolver::polish(State& state) {
  const State start = state;
  std::vector<double> u = unknowns_of(start);
  std::vector<double> load_row(u.size(), 0.0);
  load_row.back() = 1.0;
  // Springs, however soft, slow Newton's method down where only the loads hold something, as they do a pendulum.
  const Ground ground = pivots(start).singular ? Ground::soft : Ground::none;
  if (!iterate(u, load_row, start.load_factor, ground)) return false;
  equations_.finish(u, state);
  return find_reactions(state);
}

bool EquilibriumSolver::find_reactions(State& state) {
  std::vector<double> multipliers(state.multiplier.size());
  if (!instant_.accelerate(state, rates_, multipliers, InstantSystem::Drives::stand)) return false;
  state.multiplier = std::move(multipliers);
  return true;
}

}  // namespace freeplay
