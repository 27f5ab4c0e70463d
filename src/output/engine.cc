#include "freeplay/analysis/engine.h"

#include <cstdio>
#include <exception>

#include "freeplay/analysis/dynamic.h"
#include "freeplay/analysis/kinematic.h"
#include "freeplay/analysis/static_equilibrium.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/output/continuation_file.h"
#include "freeplay/output/output_file.h"
#include "freeplay/output/recorder.h"
#include "freeplay/solver/petsc_session.h"
#include "freeplay/solver/petsc_solvers.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

void note_model(const EngineJob& job, Recorder& recorder) {
  const AssemblyReport& report = job.assembled->report;
  for (const int e : report.redundant)
    recorder.message("redundant equation dropped: " + job.assembled->model.equation_name(e));
}

/// Runs the analysis and leaves complete results whatever happens.
class Run {
 public:
  Run(const EngineJob& job, Recorder& recorder) : job_(job), recorder_(recorder) {}

  int operator()(const std::optional<Continuation>& continuation) {
    std::string failure;
    RunEnd end = RunEnd::finished;
    try {
      end = analyse(continuation);
    } catch (const NumericalFailure& error) {
      failure = error.what();
    }
    const char* status = !failure.empty() ? "failed" : end == RunEnd::interrupted ? "interrupted" : "finished";
    const RunStatistics statistics = dynamic_ ? dynamic_->statistics() : RunStatistics{};
    const Ledger ledger = dynamic_ ? dynamic_->stepper().ledger() : Ledger{};
    recorder_.close(status, failure, statistics, ledger);
    if (!job_.quiet || !failure.empty())
      std::fprintf(failure.empty() ? stdout : stderr, "%s%s\n%s", failure.empty() ? "" : "freeplay: ",
                   failure.empty() ? status : failure.c_str(), recorder_.closing_table(statistics, ledger).c_str());
    std::fflush(stdout);
    if (!failure.empty()) return exit_numerical_failure;
    return end == RunEnd::interrupted ? exit_interrupted : exit_ok;
  }

 private:
  RunEnd analyse(const std::optional<Continuation>& continuation) {
    switch (job_.model.analysis.kind) {
      case AnalysisSpec::Kind::kinematic:
        return run_kinematic(*job_.assembled, job_.model.analysis, job_.model.output, solvers_, recorder_);
      case AnalysisSpec::Kind::static_equilibrium:
        return run_static(*job_.assembled, job_.model.analysis, job_.model.output, solvers_, recorder_);
      case AnalysisSpec::Kind::dynamic:
        break;
    }
    dynamic_ = std::make_unique<DynamicAnalysis>(*job_.assembled, job_.model.analysis, job_.model.output, solvers_,
                                                 recorder_);
    if (continuation) dynamic_->resume(*continuation);
    return dynamic_->run();
  }

  const EngineJob& job_;
  Recorder& recorder_;
  PetscSolvers solvers_;
  std::unique_ptr<DynamicAnalysis> dynamic_;
};

int run(const EngineJob& job) {
  const fs::path directory = job.output_directory;
  std::optional<Continuation> continuation;
  if (job.resume) {
    if (job.model.analysis.kind != AnalysisSpec::Kind::dynamic)
      throw InputError("error: --continue works for dynamic analyses only; run this model again\n");
    continuation =
        read_continuation(directory / "checkpoint", Recorder::model_id(job.model), job.assembled->model);
  }
  const PetscSession petsc(job.petsc_options);
  const InterruptGuard guard;
  replace_file(directory / "model.yaml", job.model_text);
  replace_file(directory / "resolved.yaml", job.model.resolved);
  Recorder recorder(job, continuation ? std::optional(continuation->state.time) : std::nullopt);
  note_model(job, recorder);
  Run run(job, recorder);
  const int code = run(continuation);
  const std::string unused = PetscSession::unused_options();
  if (!unused.empty()) std::fprintf(stderr, "warning: --petsc: nothing uses %s\n", unused.c_str());
  return code;
}

}  // namespace

}  // namespace freeplay

int freeplay_engine_main(const freeplay::EngineJob* job) {
  using namespace freeplay;
  try {
    return run(*job);
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s", error.what());
    return exit_input_error;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "freeplay: error: %s\n", error.what());
    return exit_output_error;
  }
}
