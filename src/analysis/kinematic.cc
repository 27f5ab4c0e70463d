#include "freeplay/analysis/kinematic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/time_resolution.h"
#include "freeplay/scheme/energy.h"

namespace freeplay {

namespace {

/// Largest rotation that is predicted at once: the next position must be found from the last one.
constexpr double largest_rotation = 0.2;

double rotation_rate(const State& state) {
  double rate = 0.0;
  for (const Vec6& twist : state.twist) rate = std::max(rate, twist.tail<3>().norm());
  return rate;
}

/// Force elements with a memory (turns of a torsional spring) see the way from one position to the next.
void move_to(const Model& model, double time, State& state) {
  Motion motion;
  motion.time = state.time;
  motion.dt = motion.passed = time - state.time;
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    motion.nodes.push_back({state.pose[n]});
    state.pose[n] = moved(state.pose[n], motion.dt * state.twist[n]);
  }
  state.time = time;
  if (const auto misfit = follow_constraints(model, state)) {
    char text[64];
    std::snprintf(text, sizeof text, "t = %.9g s: ", time);
    throw NumericalFailure(text + ("joint '" + misfit->joint->name + "': ") + misfit->message);
  }
  for (std::size_t n = 0; n < model.nodes.size(); ++n) {
    motion.nodes[n].set_end(state.pose[n]);
  }
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    model.elements[e]->advance(motion, internal_of(model, state, e));
}

}  // namespace

RunEnd run_kinematic(Assembled& assembled, const AnalysisSpec& analysis, const OutputSpec& output,
                     SolverFactory& solvers, Observer& observer) {
  const Model& model = assembled.model;
  InstantSystem instant(model, solvers);
  State state = assembled.state;
  std::vector<Vec6> twist_rate(model.nodes.size());
  std::vector<double> multipliers(model.n_multipliers);
  Ledger ledger;
  Motion now;
  // Times closer together than this cannot be told apart, and their number would exceed every integer.
  const double interval =
      std::max(output.every.value_or(analysis.step.value_or(analysis.end / 500.0)), time_resolution(analysis.end));
  const long n_rows = std::lround(std::ceil(analysis.end / interval - 1e-9));
  double next_frame = 0.0;
  for (long row = 0; row <= n_rows; ++row) {
    const double target = std::min(analysis.end, row * interval);
    while (state.time < target) {
      double dt = target - state.time;
      if (analysis.step) dt = std::min(dt, *analysis.step);
      const double rotation = rotation_rate(state) * dt;
      if (rotation > largest_rotation) dt *= largest_rotation / rotation;
      if (dt < std::min(time_resolution(analysis.end), target - state.time)) {
        char text[112];
        std::snprintf(text, sizeof text, "t = %.9g s: a body turns so fast (%.3g rad/s) that time stands still",
                      state.time, rotation_rate(state));
        throw NumericalFailure(text);
      }
      const bool last = state.time + dt >= target * (1.0 - 1e-12);
      move_to(model, last ? target : state.time + dt, state);
      if (observer.interrupted()) return RunEnd::interrupted;
    }
    if (!instant.accelerate(state, twist_rate, multipliers)) {
      char text[96];
      std::snprintf(text, sizeof text, "t = %.9g s: the mechanism is in a singular position", state.time);
      throw NumericalFailure(text);
    }
    ledger.kinetic = kinetic_energy(model, state);
    ledger.gravity = gravity_energy(model, state);
    ledger.elastic = elastic_energy(model, state, now);
    state.multiplier = multipliers;
    const Snapshot snapshot{state, twist_rate, multipliers, ledger};
    observer.record(snapshot);
    if (output.paraview_every && state.time >= next_frame * (1.0 - 1e-12)) {
      observer.picture(snapshot);
      next_frame += *output.paraview_every;
    }
  }
  return RunEnd::finished;
}

}  // namespace freeplay
