#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/file_testing.h"
#include "freeplay/analysis/kinematic.h"
#include "freeplay/analysis/modes.h"
#include "freeplay/analysis/static_equilibrium.h"
#include "freeplay/deck/model_file.h"
#include "freeplay/results/json_file.h"
#include "freeplay/results/modes_output.h"
#include "freeplay/results/recorder.h"
#include "fuzz/entry.h"
#include "fuzz/size_limit.h"
#include "scheme/simulation_testing.h"

namespace freeplay::fuzz {

namespace {

/// Records as a run does, and soon asks for its end.
class ShortRun : public Observer {
 public:
  explicit ShortRun(Recorder& recorder) : recorder_(recorder) {}

  void record(const Snapshot& snapshot) override {
    ++n_events_;
    recorder_.record(snapshot);
  }
  void picture(const Snapshot& snapshot) override { recorder_.picture(snapshot); }
  void progress(const TimeStepper& stepper, const StepReport& report, double dt) override {
    ++n_events_;
    recorder_.progress(stepper, report, dt);
  }
  void message(const std::string& text) override { recorder_.message(text); }
  void event(const Event& event) override { recorder_.event(event); }
  bool interrupted() const override {
    constexpr int most_events = 40;
    constexpr std::chrono::seconds limit(1);
    return n_events_ >= most_events || std::chrono::steady_clock::now() - start_ > limit;
  }
  void keep(const Continuation& continuation) override { recorder_.keep(continuation); }
  void save() override { recorder_.save(); }

 private:
  Recorder& recorder_;
  int n_events_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

EngineJob job_of(const ModelSpec& model, const std::filesystem::path& folder) {
  EngineJob job;
  job.model = model;
  job.assembled = std::make_shared<Assembled>(assemble(job.model));
  job.output_directory = folder.string();
  job.quiet = true;
  return job;
}

Outcome run_analysis(const ModelSpec& model, const std::filesystem::path& folder) {
  const EngineJob job = job_of(model, folder);
  Recorder recorder(job, std::nullopt);
  ShortRun observer(recorder);
  RunStatistics statistics;
  Ledger ledger;
  const AnalysisSpec& analysis = job.model.analysis;
  std::string failure;
  try {
    if (analysis.kind == AnalysisSpec::Kind::kinematic) {
      run_kinematic(*job.assembled, analysis, job.model.output, test_solvers(), observer);
    } else if (analysis.kind == AnalysisSpec::Kind::static_equilibrium) {
      run_static(*job.assembled, analysis, job.model.output, test_solvers(), observer);
    } else {
      DynamicAnalysis dynamic(*job.assembled, analysis, job.model.output, test_solvers(), observer);
      dynamic.run();
      statistics = dynamic.statistics();
      ledger = dynamic.stepper().ledger();
    }
  } catch (const NumericalFailure& error) {
    failure = error.what();
  }
  recorder.close(failure.empty() ? "finished" : "failed", failure, statistics, ledger);
  recorder.closing_table(statistics, ledger);
  return failure.empty() ? Outcome::done : Outcome::failed;
}

void run_modes(const ModelSpec& model, const std::filesystem::path& folder, ModesRequest::About about) {
  ModesRequest request;
  request.about = about;
  request.n = 6;
  EngineJob job = job_of(model_for_modes(model, request), folder);
  job.modes = request;
  try {
    const Modes modes = find_modes(*job.assembled, job.model.analysis, request, test_solvers());
    modes_table(job, modes);
    json_text(modes_json(job, modes));
  } catch (const NumericalFailure&) {
  } catch (const InputError&) {  // nothing elastic in it
  }
}

/// Emptied after each text.
const std::filesystem::path& empty_folder() {
  static const TemporaryDirectory folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    std::filesystem::remove_all(entry.path());
  return folder.path();
}

}  // namespace

Outcome run(const std::string& text) {
  try {
    const ModelSpec model = read_model_text(text, "model.yaml");
    if (is_large(model)) return Outcome::skipped;
    const Outcome outcome = run_analysis(model, empty_folder());
    run_modes(model, empty_folder(), ModesRequest::About::assembled);
    run_modes(model, empty_folder(), ModesRequest::About::rest);
    return outcome;
  } catch (const InputError&) {
    return Outcome::refused;
  }
}

}  // namespace freeplay::fuzz
