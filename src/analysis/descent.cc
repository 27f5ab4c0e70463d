#include "descent.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "freeplay/base/diagnostics.h"
#include "freeplay/scheme/energy.h"

namespace freeplay {

namespace {

/// Going downhill in pseudo-time: a step of the dynamic scheme from rest, of which only the first half is kept and all
/// velocity is thrown away. The first half of a mid-point step is an implicit Euler step of the flow down the
/// potential; with growing dt it becomes Newton's method for equilibrium, and a position of rest is its exact fixed
/// point. (Not so for elements whose stress jumps: these have come to rest at the end of such a step, so that half of
/// it is half of the way.)
class Descent {
 public:
  Descent(const Model& model, const AnalysisSpec& analysis, SolverFactory& solvers)
      : model_(model),
        equations_(model, 1.0),
        solver_(solvers.nonlinear(equations_, 1e-12, analysis.newton_iterations)),
        unknowns_(equations_.size()),
        at_rest_(model.nodes.size(), Vec6::Zero()) {}

  /// One step; returns the largest motion relative to the size of the model, or a negative number on failure.
  double step(State& state, double dt) {
    equations_.begin(state, dt, StepEquations::Clock::stands);
    equations_.guess(at_rest_, state.multiplier, unknowns_);
    solver_->forget_factorisation();
    if (!solver_->solve(equations_, unknowns_).converged) return -1.0;
    double largest = 0.0;
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      const Vec6 half = 0.5 * dt * equations_.mean_twist(static_cast<int>(n));
      largest = std::max({largest, half.head<3>().norm() / model_.length_scale, half.tail<3>().norm()});
    }
    if (largest > 0.5) return -1.0;
    State end = state;
    equations_.finish(unknowns_, end);
    State next = state;
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      const Vec6 half = 0.5 * dt * equations_.mean_twist(static_cast<int>(n));
      next.pose[n] = moved(state.pose[n], half);
      next.pose[n].R = nearest_rotation(next.pose[n].R);
    }
    // The whole step satisfies the joints, half of it does not.
    if (follow_constraints(model_, next)) return -1.0;
    Motion half_way = equations_.motion();
    for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
      half_way.nodes[n].set_end(next.pose[n]);
      next.twist[n].setZero();
    }
    for (std::size_t e = 0; e < model_.elements.size(); ++e)
      model_.elements[e]->advance(half_way, internal_of(model_, next, e));
    next.multiplier = end.multiplier;
    state = std::move(next);
    return largest;
  }

 private:
  const Model& model_;
  StepEquations equations_;
  std::unique_ptr<NonlinearSolver> solver_;
  std::vector<double> unknowns_;
  std::vector<Vec6> at_rest_;
};

/// Largest acceleration, angular ones times the size of the model.
double largest_acceleration(const Model& model, const std::vector<Vec6>& rates) {
  double largest = 0.0;
  for (const Vec6& rate : rates)
    largest = std::max({largest, rate.head<3>().norm(), rate.tail<3>().norm() * model.length_scale});
  return largest;
}

/// The position of rest where the way downhill ends, by Newton's method: it tells equilibrium from round-off, which
/// accelerations of stiff beams do not. Nothing if it leads elsewhere.
std::optional<State> rest_close_by(const Model& model, EquilibriumSolver& equilibrium, const State& state) {
  constexpr double close_by = 0.05;  // of the size of the model, or rad
  State rest = state;
  if (!equilibrium.polish(rest)) return std::nullopt;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    const double displacement = (rest.pose[n].x - state.pose[n].x).norm() / model.length_scale;
    const double rotation = (rest.pose[n].R - state.pose[n].R).norm();
    if (!(std::max(displacement, rotation) < close_by)) return std::nullopt;
  }
  return rest;
}

}  // namespace

RunEnd descend(const Model& model, const AnalysisSpec& analysis, SolverFactory& solvers, EquilibriumSolver& equilibrium,
               Observer& observer, State& state) {
  InstantSystem instant(model, solvers);
  std::vector<Vec6> rates(model.nodes.size());
  std::vector<double> multipliers(model.n_multipliers);
  instant.accelerate(state, rates, multipliers, InstantSystem::Drives::stand);
  state.multiplier = multipliers;

  // Where Newton's method fails: accelerations that vanish beside those of the start and beside gravity.
  constexpr double vanishing = 1e-9;
  constexpr double fast = 0.05, slow = 1e-4, standing = 1e-9;  // motions in a step
  constexpr int max_steps = 2000;
  const double scale = std::max(largest_acceleration(model, rates), model.gravity.norm());
  Descent descent(model, analysis, solvers);
  const double first_dt = scale > 0.0 ? 0.2 * std::sqrt(model.length_scale / scale) : 1.0;
  double dt = first_dt, longest = INFINITY;
  for (int step = 0; step < max_steps; ++step) {
    if (observer.interrupted()) return RunEnd::interrupted;
    const double motion = scale > 0.0 ? descent.step(state, dt) : 0.0;
    if (motion > fast) longest = INFINITY;
    dt = std::min(longest, dt * (motion < 0.0 ? 0.25 : motion < fast ? 3.0 : 1.2));
    if (motion < 0.0 || motion > slow) continue;
    if (std::optional<State> rest = rest_close_by(model, equilibrium, state)) {
      const Pivots pivots = equilibrium.pivots(*rest);
      // The way downhill only passes by where the stiffness is not positive, unless it began just there. Long steps
      // would lead back: they are Newton's method, to which all positions of rest are the same. (Signs say nothing
      // under loads without a potential.)
      const bool stable = pivots.negative == 0 || !pivots.symmetric;
      if (!stable && motion > standing) {
        longest = 3.0 * first_dt;
        dt = std::min(dt, longest);
        continue;
      }
      if (!stable) observer.message("the position of rest is unstable: the smallest push will leave it");
      state = std::move(*rest);
      return RunEnd::finished;
    }
    if (instant.accelerate(state, rates, multipliers, InstantSystem::Drives::stand) &&
        largest_acceleration(model, rates) <= vanishing * scale) {
      state.multiplier = multipliers;
      observer.message("the position of rest is exact to about 1e-9 only: Newton's method does not converge there");
      return RunEnd::finished;
    }
  }
  instant.accelerate(state, rates, multipliers, InstantSystem::Drives::stand);
  std::size_t worst = 0;
  for (std::size_t n = 0; n < rates.size(); ++n)
    if (rates[n].norm() > rates[worst].norm()) worst = n;
  throw NumericalFailure("no position of rest was found: body '" + model.nodes[worst].name +
                         "' keeps moving (is it held against the loads?). Try a dynamic analysis with damping.");
}

}  // namespace freeplay
