#include "freeplay/analysis/static_equilibrium.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <stdexcept>

#include "descent.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/units.h"
#include "freeplay/scheme/energy.h"
#include "load_path.h"

namespace freeplay {

namespace {

/// Rows and pictures of positions of rest.
class RestRecorder {
 public:
  RestRecorder(const Model& model, const OutputSpec& output, Observer& observer)
      : model_(model), output_(output), observer_(observer), at_rest_(model.nodes.size(), Vec6::Zero()) {}

  void operator()(const State& state) {
    Ledger ledger;
    ledger.gravity = gravity_energy(model_, state);
    ledger.elastic = elastic_energy(model_, state, now_);
    const Snapshot snapshot{state, at_rest_, state.multiplier, ledger};
    observer_.record(snapshot);
    if (output_.paraview_every) observer_.picture(snapshot);
  }

 private:
  const Model& model_;
  const OutputSpec& output_;
  Observer& observer_;
  std::vector<Vec6> at_rest_;
  Motion now_;
};

double rotation_between(const State& from, const State& to) {
  double largest = 0.0;
  for (std::size_t n = 0; n < from.pose.size(); ++n)
    largest = std::max(largest, Eigen::AngleAxisd(from.pose[n].R.transpose() * to.pose[n].R).angle());
  return largest;
}

/// Moves the drives to where they belong under the full loads. In a step nothing may turn so far that couplings lose
/// count of its turns.
void complete_drives(const Model& model, State& state) {
  constexpr double longest = 0.05, shortest = 1e-6, most_rotation = 1.0;
  double step = longest;
  Motion motion;
  while (state.load_factor < 1.0) {
    State next = state;
    next.load_factor = std::min(1.0, state.load_factor + step);
    const auto misfit = follow_constraints(model, next);
    if (misfit || rotation_between(state, next) > most_rotation) {
      step *= 0.5;
      if (step > shortest) continue;
      throw NumericalFailure(misfit ? "joint '" + misfit->joint->name + "': " + misfit->message
                                    : "the drives turn something by " + rounded_text(most_rotation / shortest) +
                                          " rad and more: begin nearer to where they end");
    }
    set_rest(state, motion);
    for (std::size_t n = 0; n < next.pose.size(); ++n) {
      next.twist[n].setZero();
      motion.nodes[n].set_end(next.pose[n]);
    }
    for (std::size_t e = 0; e < model.elements.size(); ++e)
      model.elements[e]->advance(motion, internal_of(model, next, e));
    state = next;
    step = std::min(longest, 1.5 * step);
  }
}

}  // namespace

RunEnd run_static(Assembled& assembled, const AnalysisSpec& analysis, const OutputSpec& output, SolverFactory& solvers,
                  Observer& observer) {
  using Path = AnalysisSpec::Path;
  const Model& model = assembled.model;
  State state = assembled.state;
  if (state.load_factor != 0.0) throw std::logic_error("statics begins without loads");
  for (Vec6& twist : state.twist) twist.setZero();
  state.multiplier.assign(model.n_multipliers, 0.0);
  EquilibriumSolver solver(model, solvers, analysis.equilibrium_tolerance, analysis.newton_iterations);
  RestRecorder record(model, output, observer);

  const Pivots pivots = solver.pivots(state);
  const bool stiff = !pivots.singular && pivots.negative == 0;
  const auto go_downhill = [&](const std::string& why) {
    if (!why.empty()) observer.message(why + ": going downhill under the full loads");
    complete_drives(model, state);
    const RunEnd end = descend(model, analysis, solvers, solver, observer, state);
    if (end == RunEnd::finished) record(state);
    return end;
  };
  if (analysis.path == Path::descent) return go_downhill("");
  if (analysis.path == Path::automatic && !stiff) return go_downhill("without loads something moves freely");
  if (!stiff)
    throw NumericalFailure(
        "without loads something moves freely, so that there is no load path to follow. Remove "
        "`path` (or write `path: descent`) to go downhill under the full loads.");
  LoadPath path(state, analysis, solver, observer, std::ref(record));
  try {
    return path.follow();
  } catch (const NumericalFailure&) {
    if (analysis.path != Path::automatic || path.load_factor() > 0.0) throw;
  }
  return go_downhill("no load path begins here");
}

}  // namespace freeplay
