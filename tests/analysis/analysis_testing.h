#pragma once

#include <string>
#include <vector>

#include "freeplay/analysis/dynamic.h"
#include "freeplay/analysis/kinematic.h"
#include "freeplay/analysis/static_equilibrium.h"
#include "freeplay/assembly/joint_reaction.h"
#include "freeplay/results/history_columns.h"
#include "paths.h"
#include "scheme/simulation_testing.h"

namespace freeplay {

/// Keeps everything that an analysis tells.
class RecordingObserver : public Observer {
 public:
  struct Row {
    State state;
    std::vector<Vec6> twist_rate;
    std::vector<double> multipliers;
    Ledger ledger;

    Snapshot snapshot() const { return {state, twist_rate, multipliers, ledger}; }
  };
  void record(const Snapshot& s) override { rows.push_back({s.state, s.twist_rate, s.multipliers, s.ledger}); }
  void picture(const Snapshot& s) override { picture_times.push_back(s.state.time); }
  void progress(const TimeStepper& stepper, const StepReport&, double dt) override {
    step_ends.push_back(stepper.state().time);
    steps.push_back(dt);
  }
  void message(const std::string& text) override { messages.push_back(text); }
  void event(const Event& event) override { events.push_back(event); }
  bool interrupted() const override {
    return stop_after_steps > 0 && static_cast<int>(steps.size()) >= stop_after_steps;
  }
  void keep(const Continuation& continuation) override { kept = continuation; }
  void save() override { saved.push_back(kept.value()); }

  int stop_after_steps = 0;  ///< 0: never
  std::vector<Event> events;
  std::vector<Row> rows;
  std::vector<double> picture_times, step_ends, steps;
  std::vector<std::string> messages;
  std::optional<Continuation> kept;
  std::vector<Continuation> saved;
};

/// A model file and the analysis in it.
class AnalysisRun {
 public:
  explicit AnalysisRun(ModelSpec spec) : spec_(std::move(spec)), assembled_(assemble(spec_)) {}
  explicit AnalysisRun(const std::string& text) : AnalysisRun(read_model_text(text, "test.yaml")) {}
  AnalysisRun(const AnalysisRun&) = delete;
  AnalysisRun& operator=(const AnalysisRun&) = delete;

  RunEnd run() {
    const AnalysisSpec& analysis = spec_.analysis;
    if (analysis.kind == AnalysisSpec::Kind::static_equilibrium)
      return run_static(assembled_, analysis, spec_.output, test_solvers(), observer);
    if (analysis.kind == AnalysisSpec::Kind::kinematic)
      return run_kinematic(assembled_, analysis, spec_.output, test_solvers(), observer);
    DynamicAnalysis dynamic(assembled_, analysis, spec_.output, test_solvers(), observer);
    if (steps_between_fresh_starts) dynamic.set_steps_between_fresh_starts(*steps_between_fresh_starts);
    if (continuation) dynamic.resume(*continuation);
    const RunEnd end = dynamic.run();
    statistics = dynamic.statistics();
    return end;
  }

  const Model& model() const { return assembled_.model; }
  const Assembled& assembled() const { return assembled_; }
  HistoryColumns history_columns() const { return {assembled_, spec_.analysis.kind, spec_.output}; }
  const AssemblyReport& report() const { return assembled_.report; }
  const RecordingObserver::Row& last() const { return observer.rows.back(); }
  /// Of a joint by its number among the reported ones.
  JointReaction joint_reaction(std::size_t joint, const RecordingObserver::Row& row) const {
    Motion now;
    set_instant(row.state, now);
    return reaction(model(), reported_joints(model())[joint], row.state, now, row.multipliers);
  }
  /// Where a named point of the history is in a row.
  Vec3 position(const std::string& name, const RecordingObserver::Row& row) const {
    for (const OutputPoint& point : model().points)
      if (point.name == name) return place(point.frame, row.state.pose[point.frame.node]).x;
    throw std::logic_error("no point " + name);
  }
  /// Angular velocity of the node of a named point, in the axes of ground.
  Vec3 spin(const std::string& name, const RecordingObserver::Row& row) const {
    for (const OutputPoint& point : model().points)
      if (point.name == name) return row.state.pose[point.frame.node].R * row.state.twist[point.frame.node].tail<3>();
    throw std::logic_error("no point " + name);
  }

  RecordingObserver observer;
  RunStatistics statistics;
  std::optional<Continuation> continuation;  ///< go on from here
  std::optional<long> steps_between_fresh_starts;

 private:
  ModelSpec spec_;
  Assembled assembled_;
};

/// A model file of the repository, with values replaced.
inline ModelSpec input_model(const std::string& file, const std::vector<Override>& overrides = {}) {
  const std::string path = test::source_directory() + "/" + file;
  return read_model_text(read_model_file(path), path, overrides);
}

}  // namespace freeplay
