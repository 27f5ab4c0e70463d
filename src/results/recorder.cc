#include "freeplay/results/recorder.h"

#include <signal.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/assembly/joint_reaction.h"
#include "freeplay/results/closing_table.h"
#include "freeplay/results/json_file.h"

namespace freeplay {

namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupt_requested{false};
struct sigaction previous_interrupt, previous_terminate;

HistoryWriter open_history(const std::filesystem::path& path, std::span<const HistoryColumn> columns,
                           const std::optional<SavedRun>& earlier) {
  return earlier ? HistoryWriter::resume(path, columns, earlier->written.history_size) : HistoryWriter(path, columns);
}

/// `history.csv` ends by now where the earlier run is continued.
NetcdfWriter open_netcdf(const std::filesystem::path& directory, std::span<const HistoryColumn> columns,
                         const std::optional<SavedRun>& earlier, RunLog& log) {
  const std::filesystem::path path = directory / "history.nc";
  if (!earlier) return NetcdfWriter(path, columns);
  if (auto writer = NetcdfWriter::resume(path, columns, earlier->written.n_rows)) return std::move(*writer);
  log.line("history.nc was missing, damaged or changed: made anew from history.csv, with its twelve digits");
  return NetcdfWriter::from_csv(directory / "history.csv", path, columns);
}

bool is_static(const EngineJob& job) { return job.model.analysis.kind == AnalysisSpec::Kind::static_equilibrium; }

EventWriter open_events(const std::filesystem::path& path, const EngineJob& job,
                        const std::optional<SavedRun>& earlier) {
  if (earlier) return EventWriter::resume(path, earlier->written.events_size);
  return is_static(job) ? EventWriter(path, "load_factor") : EventWriter(path);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupt_requested = false;
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_requested = true; };
  action.sa_flags = SA_RESTART | SA_RESETHAND;  // a second Ctrl-C ends the program at once
  sigaction(SIGINT, &action, &previous_interrupt);
  sigaction(SIGTERM, &action, &previous_terminate);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &previous_interrupt, nullptr);
  sigaction(SIGTERM, &previous_terminate, nullptr);
}

std::string Recorder::model_id(const std::string& resolved) { return resolved.substr(0, resolved.find("\nanalysis:")); }

Recorder::Recorder(const EngineJob& job, const std::optional<SavedRun>& earlier)
    : job_(job),
      model_(job.assembled->model),
      directory_(job.output_directory),
      log_(directory_ / "run.log", earlier ? OutputFile::Mode::append : OutputFile::Mode::create),
      columns_(*job.assembled, job.model.analysis.kind, job.model.output),
      history_(open_history(directory_ / "history.csv", columns_.columns(), earlier)),
      netcdf_(open_netcdf(directory_, columns_.columns(), earlier, log_)),
      events_(open_events(directory_ / "events.csv", job, earlier)),
      joint_use_(model_),
      progress_(job.quiet ? Progress::Style::silent : Progress::Style::automatic),
      counter_(model_),
      joints_(reported_joints(model_)) {
  if (earlier) {
    written_ = earlier->written;
    last_checkpoint_ = Clock::now();
    kept_ = earlier;
    kept_is_saved_ = true;
    joint_use_.set_numbers(written_.joint_use);
  } else {
    written_.extremes.resize(joints_.size());
  }
  const auto time = earlier ? std::optional(earlier->continuation.state.time) : std::nullopt;
  if (job.model.output.paraview_every) pictures_.emplace(job.model, *job.assembled, directory_, time);
  if (job.model.output.animation_frames != 0) animation_.emplace(job, time);
}

void Recorder::record(const Snapshot& snapshot) {
  const std::span<const double> values = columns_.values(snapshot);
  history_.row(values);
  netcdf_.row(values);
  ++written_.n_rows;
  written_.last_time = is_static(job_) ? snapshot.state.load_factor : snapshot.state.time;
  note_extremes(snapshot);
  if (animation_) animation_->row(snapshot);
}

void Recorder::note_extremes(const Snapshot& snapshot) {
  set_instant(snapshot.state, now_);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointReaction r = reaction(model_, joints_[j], snapshot.state, now_, snapshot.multipliers);
    JointExtreme& extreme = written_.extremes[j];
    if (r.force.norm() > extreme.force) {
      extreme.force = r.force.norm();
      extreme.force_time = written_.last_time;
    }
    if (r.moment.norm() > extreme.moment) {
      extreme.moment = r.moment.norm();
      extreme.moment_time = written_.last_time;
    }
  }
}

void Recorder::picture(const Snapshot& snapshot) {
  // A load factor may fall again, and ParaView sorts by time: it gets the number of the row.
  const double time = is_static(job_) ? static_cast<double>(n_pictures_++) : snapshot.state.time;
  if (pictures_) pictures_->frame(time, snapshot.state, snapshot.multipliers);
}

void Recorder::progress(const TimeStepper& stepper, const StepReport& report, double dt) {
  const double time = stepper.state().time, end = job_.model.analysis.end;
  if (progress_.is_due(time, end))
    progress_.show({time, end, dt, job_.model.analysis.step ? "" : ruler_text(report), stepper.ledger().residual,
                    counter_.count(stepper)});
  history_.flush_if_due();
  netcdf_.flush_if_due();
  joint_use_.step(stepper, dt);
  if (animation_) animation_->step(stepper);
}

void Recorder::message(const std::string& text) {
  constexpr std::size_t enough = 100;
  if (text.starts_with("warning:") && warnings_.size() < enough) warnings_.push_back(text);
  progress_.clear();
  log_.line(text);
  if (!job_.quiet) std::fprintf(stderr, "%s\n", text.c_str());
}

bool Recorder::interrupted() const { return interrupt_requested; }

void Recorder::keep(const Continuation& continuation) {
  written_.history_size = static_cast<std::int64_t>(history_.size());
  written_.events_size = static_cast<std::int64_t>(events_.size());
  written_.joint_use = joint_use_.numbers();
  kept_ = {continuation, written_};
  kept_is_saved_ = false;
  const std::chrono::duration<double> interval(job_.model.output.checkpoint_every);
  // The first one at once, so that every run can be continued.
  if (!last_checkpoint_ || Clock::now() - *last_checkpoint_ > interval) save();
}

void Recorder::save() {
  if (!kept_ || kept_is_saved_) return;
  // Of the first one nothing would be lost. Waiting for the disk is what costs time.
  const Durability durability = last_checkpoint_ ? Durability::survives_power_loss : Durability::survives_kill;
  history_.flush();
  if (animation_) animation_->flush();
  netcdf_.flush();
  if (durability == Durability::survives_power_loss) {
    history_.sync();
    events_.sync();
  }
  write_continuation(directory_ / "checkpoint", model_id(job_.model.resolved), *kept_, durability);
  kept_is_saved_ = true;
  last_checkpoint_ = Clock::now();
}

namespace {

/// Steps and energies of a dynamic analysis.
void add_steps(const RunStatistics& statistics, const Ledger& ledger, nlohmann::json& summary) {
  summary["steps"] = {{"accepted", statistics.steps},
                      {"rejected",
                       {{"not_converged", statistics.rejected_not_converged},
                        {"error_above_tolerance", statistics.rejected_error},
                        {"too_much_rotation", statistics.rejected_rotation},
                        {"contact_unresolved", statistics.rejected_contact}}},
                      {"ruled_by",
                       {{"error_of_motion", statistics.ruled_by_motion},
                        {"error_of_friction", statistics.ruled_by_friction},
                        {"approaching_contact", statistics.ruled_by_contact},
                        {"output_or_corner", statistics.ruled_by_target},
                        {"step_or_max_step", statistics.ruled_by_user}}},
                      {"smallest", statistics.smallest_step},
                      {"largest", statistics.largest_step},
                      {"newton_iterations", statistics.newton_iterations},
                      {"factorisations", statistics.factorisations}};
  summary["energy"] = {{"initial", ledger.initial}, {"kinetic", ledger.kinetic},
                       {"elastic", ledger.elastic}, {"gravity", ledger.gravity},
                       {"contact", ledger.contact}, {"friction_state", ledger.friction_state}};
  summary["work"] = {{"loads", ledger.load_work}, {"drives", ledger.drive_work}};
  summary["loss"] = {{"friction", ledger.friction_loss},
                     {"contact", ledger.contact_loss},
                     {"damping", ledger.damping_loss},
                     {"numerical", ledger.numerical_loss},
                     {"projection", ledger.projection_loss}};
  summary["ledger"] = {{"residual", ledger.residual},
                       {"relative_residual", ledger.relative_residual()},
                       {"largest_step_residual", ledger.largest_residual},
                       {"largest_energy", ledger.largest_energy}};
  summary["memory"] = {{"matrix_and_factors", statistics.solver_bytes}};
}

}  // namespace

void Recorder::close(const std::string& status, const std::string& message, const RunStatistics& statistics,
                     const Ledger& ledger) {
  progress_.finish();
  history_.close();
  netcdf_.close();
  if (animation_) animation_->close();
  using nlohmann::json;
  json summary;
  summary["status"] = status;
  if (!message.empty()) summary["message"] = message;
  summary["warnings"] = warnings_;
  summary["model"] = job_.model.file;
  summary["title"] = job_.model.title;
  summary["results"] = job_.output_directory;
  const AssemblyReport& report = job_.assembled->report;
  std::vector<std::string> redundant;
  for (const int e : report.redundant) redundant.push_back(model_.equation_name(e));
  summary["size"] = {{"bodies", model_.nodes.size()},   {"joints", joints_.size()},
                     {"equations", model_.n_equations}, {"degrees_of_freedom", report.degrees_of_freedom},
                     {"mobility", report.mobility()},   {"redundant_equations", redundant}};
  if (is_static(job_))
    summary["load_factor"] = {{"reached", written_.last_time}};
  else
    summary["time"] = {{"reached", written_.last_time}, {"end", job_.model.analysis.end}};
  if (job_.model.analysis.kind == AnalysisSpec::Kind::dynamic) add_steps(statistics, ledger, summary);
  summary["seconds"] = {{"total", std::chrono::duration<double>(Clock::now() - start_).count()},
                        {"steps", statistics.step_seconds},
                        {"output", statistics.output_seconds}};
  json extremes;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointExtreme& e = written_.extremes[j];
    extremes[joints_[j].name] = {{"force", {{"value", e.force}, {"time", e.force_time}}},
                                 {"moment", {{"value", e.moment}, {"time", e.moment_time}}}};
  }
  summary["largest_joint_loads"] = extremes;
  if (const json use = joint_use_.json(); !use.is_null()) summary["joint_use"] = use;
  write_json_file(directory_ / "summary.json", summary);
  log_.line(status + (message.empty() ? "" : ": " + message));
  log_.line(closing_table(statistics, ledger));
}

std::string Recorder::closing_table(const RunStatistics& statistics, const Ledger& ledger) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  return freeplay::closing_table(job_, {written_.last_time, seconds, static_cast<int>(warnings_.size())}, statistics,
                                 ledger);
}

}  // namespace freeplay
