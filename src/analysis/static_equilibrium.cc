#include "freeplay/analysis/static_equilibrium.h"

#include <stdexcept>

#include "descent.h"
#include "freeplay/base/diagnostics.h"
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

/// Moves the drives to where they belong under the full loads.
void complete_drives(const Model& model, State& state) {
  constexpr int n_steps = 20;  // a drive must not turn by 90 degrees at once
  Motion motion;
  for (int k = 1; k <= n_steps; ++k) {
    set_instant(state, motion);
    motion.instant = false;
    state.load_factor = static_cast<double>(k) / n_steps;
    if (const auto misfit = follow_constraints(model, state))
      throw NumericalFailure("joint '" + misfit->joint->name + "': " + misfit->message);
    for (std::size_t n = 0; n < state.pose.size(); ++n) {
      state.twist[n].setZero();
      motion.nodes[n].set_end(state.pose[n]);
    }
    for (std::size_t e = 0; e < model.elements.size(); ++e)
      model.elements[e]->advance(motion, internal_of(model, state, e));
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
