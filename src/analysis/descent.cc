#include "descent.h"

#include <algorithm>
#include <cmath>

#include "freeplay/base/diagnostics.h"
#include "freeplay/integrator/energy.h"

namespace freeplay {

namespace {

/// Going downhill in pseudo-time: a step of the dynamic scheme from rest, of which only the first half is kept and all
/// velocity is thrown away. The first half of a mid-point step is an implicit Euler step of the flow down the
/// potential; with growing dt it becomes Newton's method for equilibrium, and a position of rest is its exact fixed
/// point.
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

}  // namespace

RunEnd descend(const Model& model, const AnalysisSpec& analysis, SolverFactory& solvers, const Observer& observer,
               State& state) {
  InstantSystem instant(model, solvers);
  std::vector<Vec6> rates(model.nodes.size());
  std::vector<double> multipliers(model.n_multipliers);
  instant.accelerate(state, rates, multipliers, InstantSystem::Drives::stand);
  state.multiplier = multipliers;

  // A position of rest: its accelerations vanish beside those of the start and beside gravity.
  constexpr double rest = 1e-9;
  constexpr int max_steps = 2000;
  const double scale = std::max(largest_acceleration(model, rates), model.gravity.norm());
  Descent descent(model, analysis, solvers);
  double dt = scale > 0.0 ? 0.2 * std::sqrt(model.length_scale / scale) : 1.0;
  bool found = scale == 0.0;
  for (int step = 0; step < max_steps && !found; ++step) {
    if (observer.interrupted()) return RunEnd::interrupted;
    const double motion = descent.step(state, dt);
    dt *= motion < 0.0 ? 0.25 : motion < 0.05 ? 3.0 : 1.2;
    if (motion < 0.0) continue;
    if (!instant.accelerate(state, rates, multipliers, InstantSystem::Drives::stand)) continue;
    found = motion < 1e-6 && largest_acceleration(model, rates) <= rest * scale;
  }
  if (!found) {
    std::size_t worst = 0;
    for (std::size_t n = 0; n < rates.size(); ++n)
      if (rates[n].norm() > rates[worst].norm()) worst = n;
    throw NumericalFailure("no position of rest was found: body '" + model.nodes[worst].name +
                           "' keeps moving (is it held against the loads?). Try a dynamic analysis with damping.");
  }
  state.multiplier = multipliers;
  return RunEnd::finished;
}

}  // namespace freeplay
