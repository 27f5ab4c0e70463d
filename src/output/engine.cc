#include "freeplay/analysis/engine.h"

#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>

#include "freeplay/analysis/dynamic.h"
#include "freeplay/analysis/kinematic.h"
#include "freeplay/analysis/static_equilibrium.h"
#include "freeplay/assembly/remarks.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/output_file.h"
#include "freeplay/output/continuation_file.h"
#include "freeplay/output/json_file.h"
#include "freeplay/output/modes_output.h"
#include "freeplay/output/recorder.h"
#include "freeplay/output/scene_files.h"
#include "freeplay/output/stiction_output.h"
#include "freeplay/output/team_observer.h"
#include "freeplay/solver/petsc_session.h"
#include "freeplay/solver/petsc_solvers.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

/// Whether all that an equation could hinder is fixed anyway: in a plane mechanism, forces across the plane.
bool hinders_nothing(const Assembled& assembled, const Joint& joint, const Equation& equation) {
  constexpr double round_off = 1e-12;
  const Model& model = assembled.model;
  Motion now;
  set_instant(assembled.state, now);
  const FramePlace A = now(joint.a).start;
  const Vec12 wrench = equation.form_at(assembled.state.time).wrench(A, now(joint.b).start, A.a);
  for (int side = 0; side < 2; ++side) {
    const int node = side == 0 ? joint.a.node : joint.b.node;
    if (node == ground) continue;
    const Mat3 R_t = assembled.state.pose[node].R.transpose();
    Vec6 own;
    own << R_t * wrench.segment<3>(6 * side), R_t * wrench.segment<3>(6 * side + 3);
    for (int d = 0; d < 6; ++d)
      if (!model.nodes[node].fixed[d] && std::abs(own[d]) > round_off) return false;
  }
  return true;
}

/// Friction follows from a reaction, and a reaction that was dropped as redundant is zero by our choice.
void warn_of_free_choice(const Assembled& assembled, const JointFriction& friction, int equation, Recorder& recorder) {
  const Joint& joint = assembled.model.joints[friction.joint];
  if (!assembled.model.dropped[joint.first_equation + equation]) return;
  if (hinders_nothing(assembled, joint, joint.equations[equation])) return;
  recorder.message(
      "warning: the friction of joint '" + joint.name + "' needs the reaction '" + joint.equations[equation].label() +
      "', which is redundant and counts as zero: its normal force, and with it the motion, are not unique");
}

void note_model(const EngineJob& job, Recorder& recorder) {
  const AssemblyReport& report = job.assembled->report;
  recorder.note("freeplay: " + job.model.file + (job.model.title.empty() ? "" : " (" + job.model.title + ")"));
  constexpr std::size_t few = 8;  // more are listed in run.log, summary.json and by `freeplay check`
  for (const int e : report.redundant) {
    const std::string text = "redundant equation dropped: " + job.assembled->model.equation_name(e);
    report.redundant.size() <= few ? recorder.message(text) : recorder.note(text);
  }
  if (report.redundant.size() > few)
    recorder.message(std::to_string(report.redundant.size()) + " redundant equations dropped, see run.log");
  for (const JointFriction& friction : job.assembled->model.frictions)
    for (const JointFriction::NormalPart& part : friction.normal)
      for (const int e : part.equations) warn_of_free_choice(*job.assembled, friction, e, recorder);
  for (const std::string& change : changes_by_assembly(*job.assembled)) recorder.message(change);
  if (job.resume) return;
  for (const std::string& warning : warnings_of(job.model, *job.assembled)) recorder.message(warning);
}

/// Runs the analysis and leaves complete results whatever happens.
class Run {
 public:
  /// `recorder` is null on all processes but the first.
  Run(const EngineJob& job, Recorder* recorder)
      : job_(job), recorder_(recorder), observer_(solvers_.team(), recorder) {}

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
    if (recorder_) close(status, failure, statistics, ledger);
    if (!failure.empty()) return exit_numerical_failure;
    return end == RunEnd::interrupted ? exit_interrupted : exit_ok;
  }

 private:
  void close(const char* status, const std::string& failure, const RunStatistics& statistics, const Ledger& ledger) {
    recorder_->close(status, failure, statistics, ledger);
    if (!job_.quiet || !failure.empty())
      std::fprintf(failure.empty() ? stdout : stderr, "%s%s\n%s",
                   failure.empty() ? "" : "freeplay: ", failure.empty() ? status : failure.c_str(),
                   recorder_->closing_table(statistics, ledger).c_str());
    std::fflush(stdout);
  }

  RunEnd analyse(const std::optional<Continuation>& continuation) {
    switch (job_.model.analysis.kind) {
      case AnalysisSpec::Kind::kinematic:
        return run_kinematic(*job_.assembled, job_.model.analysis, job_.model.output, solvers_, observer_);
      case AnalysisSpec::Kind::static_equilibrium:
        return run_static(*job_.assembled, job_.model.analysis, job_.model.output, solvers_, observer_);
      case AnalysisSpec::Kind::dynamic:
        break;
    }
    dynamic_ =
        std::make_unique<DynamicAnalysis>(*job_.assembled, job_.model.analysis, job_.model.output, solvers_, observer_);
    if (continuation) dynamic_->resume(*continuation);
    return dynamic_->run();
  }

  const EngineJob& job_;
  Recorder* recorder_;
  PetscSolvers solvers_;
  TeamObserver observer_;
  std::unique_ptr<DynamicAnalysis> dynamic_;
};

/// What the results belong to.
void write_model(const EngineJob& job) {
  const fs::path directory = job.output_directory;
  replace_file(directory / "model.yaml", job.model_text);
  replace_file(directory / "resolved.yaml", job.model.resolved);
}

void warn_of_unused_options() {
  const std::string unused = PetscSession::unused_options();
  if (!unused.empty()) std::fprintf(stderr, "warning: --petsc: nothing uses %s\n", unused.c_str());
}

/// A process that cannot go on (a full disk, say) must not leave the others waiting for it.
int run_on_team(const EngineJob& job, Recorder* recorder, const std::optional<Continuation>& continuation) {
  try {
    return Run(job, recorder)(continuation);
  } catch (const std::exception& error) {
    const MpiTeam team;
    if (team.size() == 1) throw;
    std::fprintf(stderr, "freeplay: error: %s\n", error.what());
    team.abort(exit_output_error);
  }
}

int run(const EngineJob& job) {
  const fs::path directory = job.output_directory;
  std::optional<Continuation> continuation;
  if (job.resume) {
    if (job.model.analysis.kind != AnalysisSpec::Kind::dynamic)
      throw InputError("error: --continue works for dynamic analyses only; run this model again\n");
    if (!fs::exists(directory / "checkpoint"))
      throw InputError("error: cannot continue: there is no checkpoint in '" + directory.string() +
                       "': the run ended before it wrote its first one (see output.checkpoint-every); run the model "
                       "again, into another directory\n");
    continuation = read_continuation(directory / "checkpoint", Recorder::model_id(job.model), job.assembled->model);
    if (continuation->state.time >= job.model.analysis.end * (1.0 - 1e-12))
      throw InputError("error: there is nothing to continue: the run in " + directory.string() +
                       " has reached the end of the analysis; give a later end, such as --end \"20 s\"\n");
  }
  const PetscSession petsc(job.petsc_options);
  const InterruptGuard guard;
  if (!job.writes) return run_on_team(job, nullptr, continuation);
  write_model(job);
  Recorder recorder(job, continuation ? std::optional(continuation->state.time) : std::nullopt);
  if (continuation) recorder.resume(*continuation);
  note_model(job, recorder);
  const int code = run_on_team(job, &recorder, continuation);
  warn_of_unused_options();
  return code;
}

int run_modes(const EngineJob& job) {
  const PetscSession petsc(job.petsc_options);
  PetscSolvers solvers;
  Modes modes;
  try {
    modes = find_modes(*job.assembled, job.model.analysis, *job.modes, solvers);
  } catch (const NumericalFailure& error) {
    std::fprintf(stderr, "freeplay: %s\n", error.what());
    return exit_numerical_failure;
  }
  write_model(job);
  const nlohmann::json json = modes_json(job, modes);
  write_json_file(fs::path(job.output_directory) / "modes.json", json);
  write_mode_shapes(job, modes);
  if (job.modes->paraview) write_mode_pictures(job, modes);
  if (job.modes->json)
    std::printf("%s\n", json.dump(2).c_str());
  else if (!job.quiet)
    std::printf("%s  results          %s\n", modes_table(job, modes).c_str(), job.output_directory.c_str());
  std::fflush(stdout);
  warn_of_unused_options();
  return exit_ok;
}

int run_stiction(const EngineJob& job) {
  const StictionReport report = certify(*job.assembled, job.stiction->question);
  write_model(job);
  const nlohmann::ordered_json json = stiction_json(job, report);
  const fs::path directory = job.output_directory;
  replace_file(directory / "stiction.json", json.dump(2) + "\n");
  replace_file(directory / "stiction.svg", stiction_picture(job, report));
  write_standing_scene(job);
  if (job.stiction->json)
    std::printf("%s\n", json.dump(2).c_str());
  else if (!job.quiet)
    std::printf("%s  results              %s\n", stiction_table(job, report).c_str(), job.output_directory.c_str());
  std::fflush(stdout);
  return exit_ok;
}

}  // namespace

}  // namespace freeplay

int freeplay_engine_main(const freeplay::EngineJob* job) {
  using namespace freeplay;
  try {
    if (job->stiction) return run_stiction(*job);
    return job->modes ? run_modes(*job) : run(*job);
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s", error.what());
    return exit_input_error;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "freeplay: error: %s\n", error.what());
    return exit_output_error;
  }
}
