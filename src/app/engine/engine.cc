#include "freeplay/app/engine.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <set>

#include "freeplay/analysis/dynamic.h"
#include "freeplay/analysis/kinematic.h"
#include "freeplay/analysis/static_equilibrium.h"
#include "freeplay/assembly/remarks.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/output_file.h"
#include "freeplay/results/continuation_file.h"
#include "freeplay/results/continued_file.h"
#include "freeplay/results/json_file.h"
#include "freeplay/results/modes_output.h"
#include "freeplay/results/recorder.h"
#include "freeplay/results/rotor_output.h"
#include "freeplay/results/scene_files.h"
#include "freeplay/results/stiction_output.h"
#include "freeplay/results/team_observer.h"
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
  const JointVector wrench = equation.gradient(motion_of(joint, now), assembled.state.time);
  for (int side = 0; side < joint.n_places(); ++side) {
    const int node = joint.node(side);
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

  int operator()(const std::optional<SavedRun>& earlier) {
    std::string failure;
    RunEnd end = RunEnd::finished;
    try {
      end = analyse(earlier);
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
    if ((!job_.quiet && !job_.json) || !failure.empty())
      std::fprintf(failure.empty() ? stdout : stderr, "%s%s\n%s",
                   failure.empty() ? "" : "freeplay: ", failure.empty() ? status : failure.c_str(),
                   recorder_->closing_table(statistics, ledger).c_str());
    std::fflush(stdout);
  }

  RunEnd analyse(const std::optional<SavedRun>& earlier) {
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
    if (earlier) dynamic_->resume(earlier->continuation);
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

/// The package that the model asks for; what the user says on the command line comes later and counts.
std::string solver_options(const EngineJob& job) {
  const std::string& solver = job.model.analysis.solver;
  if (solver == "automatic") return job.petsc_options;
  return "-pc_type lu -pc_factor_mat_solver_type " + solver + " " + job.petsc_options;
}

void check_solver(const EngineJob& job) {
  if (job.model.analysis.solver == "automatic" || MpiTeam().size() == 1) return;
  Diagnostics diagnostics;
  diagnostics.error(
      job.model.analysis.where, "analysis.dynamic.solver",
      "is for one process: leave it out, and several processes share fronts along beams and MUMPS for the rest");
  diagnostics.throw_if_errors();
}

void warn_of_unused_options() {
  const std::string unused = PetscSession::unused_options();
  if (!unused.empty()) std::fprintf(stderr, "warning: --petsc: nothing uses %s\n", unused.c_str());
}

/// A process that cannot go on (a full disk, say) must not leave the others waiting for it.
int run_on_team(const EngineJob& job, Recorder* recorder, const std::optional<SavedRun>& earlier) {
  try {
    return Run(job, recorder)(earlier);
  } catch (const std::exception& error) {
    const MpiTeam team;
    if (team.size() == 1) throw;
    std::fprintf(stderr, "freeplay: error: %s\n", error.what());
    team.abort(exit_output_error);
  }
}

/// Whether all that is here is of a run of this model that was ended in its first milliseconds, before it had results.
bool has_hardly_begun(const fs::path& directory, const ModelSpec& model) {
  const std::set<std::string> first_files{"model.yaml", "resolved.yaml", "run.log",  "history.csv", "history.nc",
                                          "events.csv", "model.pvd",     "paraview", "scene.json",  "motion.bin"};
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const fs::path name = entry.path().filename();
    if (!first_files.contains(name.string()) && name.extension() != ".tmp") return false;
  }
  if (!fs::exists(directory / "history.csv")) return true;
  // Another history than of this model may be somebody's work.
  if (!fs::exists(directory / "resolved.yaml") ||
      Recorder::model_id(read_continued_file(directory / "resolved.yaml")) != Recorder::model_id(model.resolved))
    return false;
  const std::string rows = read_continued_file(directory / "history.csv");
  return std::count(rows.begin(), rows.end(), '\n') <= 2;  // titles and the first row
}

bool has_summary_of_the_end(const EngineJob& job) {
  const fs::path file = fs::path(job.output_directory) / "summary.json";
  if (!fs::exists(file)) return false;
  const nlohmann::json summary = nlohmann::json::parse(read_continued_file(file), nullptr, false);
  return !summary.is_object() || summary.value("status", "") != "interrupted";
}

/// The run to go on with; nothing if it begins only now.
std::optional<SavedRun> earlier_run(const EngineJob& job) {
  const fs::path directory = job.output_directory;
  if (!job.resume) return std::nullopt;
  if (job.model.analysis.kind != AnalysisSpec::Kind::dynamic)
    throw InputError("error: --continue works for dynamic analyses only; run this model again\n");
  if (!fs::exists(directory / "checkpoint")) {
    if (has_hardly_begun(directory, job.model)) return std::nullopt;
    throw InputError("error: cannot continue: there is no checkpoint in '" + directory.string() +
                     "', nor the very beginning of a run of this model; run the model again, into another "
                     "directory\n");
  }
  SavedRun saved =
      read_continuation(directory / "checkpoint", Recorder::model_id(job.model.resolved), job.assembled->model);
  // A run that was killed after its last row still has to write its summary.
  if (saved.continuation.state.time >= job.model.analysis.end * (1.0 - 1e-12) && has_summary_of_the_end(job))
    throw InputError("error: there is nothing to continue: the run in " + directory.string() +
                     " has reached the end of the analysis; give a later end, such as --end \"20 s\"\n");
  return saved;
}

int run(const EngineJob& job) {
  const std::optional<SavedRun> earlier = earlier_run(job);
  const PetscSession petsc(solver_options(job));
  check_solver(job);
  const InterruptGuard guard;
  if (!job.writes) return run_on_team(job, nullptr, earlier);
  write_model(job);
  Recorder recorder(job, earlier);
  note_model(job, recorder);
  const int code = run_on_team(job, &recorder, earlier);
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
    std::printf("%s", json_text(json).c_str());
  else if (!job.quiet)
    std::printf("%s  results          %s\n", modes_table(job, modes).c_str(), job.output_directory.c_str());
  std::fflush(stdout);
  warn_of_unused_options();
  return exit_ok;
}

/// Table or JSON to the screen, everything to files `name`.csv and `name`.json.
int write_rotor(const EngineJob& job, const std::string& name, const std::string& table, const std::string& csv,
                const nlohmann::ordered_json& json) {
  const fs::path directory = job.output_directory;
  write_model(job);
  replace_file(directory / (name + ".csv"), csv);
  replace_file(directory / (name + ".json"), json_text(json));
  if (job.rotor->json)
    std::printf("%s", json_text(json).c_str());
  else if (!job.quiet)
    std::printf("%s  results          %s\n", table.c_str(), job.output_directory.c_str());
  std::fflush(stdout);
  warn_of_unused_options();
  return exit_ok;
}

int run_rotor(const EngineJob& job) {
  const PetscSession petsc(job.petsc_options);
  PetscSolvers solvers;
  try {
    if (job.rotor->what == RotorRequest::What::campbell) {
      const Campbell campbell = find_campbell(*job.assembled, *job.rotor, solvers);
      write_vibration_shapes(job, campbell.shapes);
      return write_rotor(job, "campbell", campbell_table(job, campbell), campbell_csv(campbell),
                         campbell_json(job, campbell));
    }
    const RotorResponse response = find_response(*job.assembled, *job.rotor, solvers);
    write_vibration_shapes(job, response.shapes);
    return write_rotor(job, "response", response_table(job, response), response_csv(response),
                       response_json(job, response));
  } catch (const NumericalFailure& error) {
    std::fprintf(stderr, "freeplay: %s\n", error.what());
    return exit_numerical_failure;
  }
}

int run_stiction(const EngineJob& job) {
  const StictionReport report = certify(*job.assembled, job.stiction->question);
  write_model(job);
  const nlohmann::ordered_json json = stiction_json(job, report);
  const fs::path directory = job.output_directory;
  replace_file(directory / "stiction.json", json_text(json));
  replace_file(directory / "stiction.svg", stiction_picture(job, report));
  write_standing_scene(job);
  if (job.stiction->json)
    std::printf("%s", json_text(json).c_str());
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
    if (job->rotor) return run_rotor(*job);
    return job->modes ? run_modes(*job) : run(*job);
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s", error.what());
    return exit_input_error;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "freeplay: error: %s\n", error.what());
    return exit_output_error;
  }
}
