#include "freeplay/output/recorder.h"

#include <signal.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "freeplay/output/continuation_file.h"
#include "freeplay/output/json_file.h"

namespace freeplay {

namespace {

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupt_requested{false};
struct sigaction previous_interrupt, previous_terminate;

HistoryWriter open_history(const std::filesystem::path& path, std::span<const HistoryColumn> columns,
                           std::optional<double> resume_time) {
  return resume_time ? HistoryWriter::truncate_after(*resume_time, path, columns) : HistoryWriter(path, columns);
}

NetcdfWriter open_netcdf(const std::filesystem::path& directory, std::span<const HistoryColumn> columns,
                         std::optional<double> resume_time) {
  const std::filesystem::path path = directory / "history.nc";
  // The rows of the CSV file, which by now ends at the resume time.
  return resume_time ? NetcdfWriter::from_csv(directory / "history.csv", path, columns) : NetcdfWriter(path, columns);
}

bool is_static(const EngineJob& job) { return job.model.analysis.kind == AnalysisSpec::Kind::static_equilibrium; }

EventWriter open_events(const std::filesystem::path& path, const EngineJob& job, std::optional<double> resume_time) {
  if (resume_time) return EventWriter::truncate_after(*resume_time, path);
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

std::string Recorder::model_id(const ModelSpec& spec) {
  return spec.resolved.substr(0, spec.resolved.find("\nanalysis:"));
}

Recorder::Recorder(const EngineJob& job, std::optional<double> resume_time)
    : job_(job),
      model_(job.assembled->model),
      directory_(job.output_directory),
      log_(directory_ / "run.log", RunLog::Echo::none,
           resume_time ? OutputFile::Mode::append : OutputFile::Mode::create),
      columns_(*job.assembled, job.model.analysis.kind, job.model.output),
      history_(open_history(directory_ / "history.csv", columns_.columns(), resume_time)),
      netcdf_(open_netcdf(directory_, columns_.columns(), resume_time)),
      events_(open_events(directory_ / "events.csv", job, resume_time)),
      joint_use_(model_),
      progress_(job.quiet ? Progress::Style::silent : Progress::Style::automatic),
      joints_(reported_joints(model_)),
      extremes_(joints_.size()) {
  if (job.model.output.paraview_every) pictures_.emplace(job.model, *job.assembled, directory_, resume_time);
  if (job.model.output.animation_frames != 0) animation_.emplace(job, resume_time);
}

void Recorder::record(const Snapshot& snapshot) {
  const std::span<const double> values = columns_.values(snapshot);
  history_.row(values);
  netcdf_.row(values);
  last_time_ = is_static(job_) ? snapshot.state.load_factor : snapshot.state.time;
  note_extremes(snapshot);
  if (animation_) animation_->row(snapshot);
}

void Recorder::note_extremes(const Snapshot& snapshot) {
  set_instant(snapshot.state, now_);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointReaction r = reaction(model_, joints_[j], snapshot.state, now_, snapshot.multipliers);
    Extreme& extreme = extremes_[j];
    if (r.force.norm() > extreme.force) {
      extreme.force = r.force.norm();
      extreme.force_time = last_time_;
    }
    if (r.moment.norm() > extreme.moment) {
      extreme.moment = r.moment.norm();
      extreme.moment_time = last_time_;
    }
  }
}

void Recorder::picture(const Snapshot& snapshot) {
  // A load factor may fall again, and ParaView sorts by time: it gets the number of the row.
  const double time = is_static(job_) ? static_cast<double>(n_pictures_++) : snapshot.state.time;
  if (pictures_) pictures_->frame(time, snapshot.state, snapshot.multipliers);
}

void Recorder::progress(const TimeStepper& stepper, const StepReport& report, double dt) {
  ProgressState state;
  state.time = stepper.state().time;
  state.end = job_.model.analysis.end;
  state.step = dt;
  state.newton_iterations = report.newton_iterations;
  state.ledger_residual = stepper.ledger().residual;
  progress_.update(state);
  history_.flush_if_due();
  netcdf_.flush_if_due();
  joint_use_.step(stepper, dt);
  if (animation_) animation_->step(stepper);
}

void Recorder::message(const std::string& text) {
  progress_.clear();
  log_.line(text);
  if (!job_.quiet) std::fprintf(stderr, "%s\n", text.c_str());
}

bool Recorder::interrupted() const { return interrupt_requested; }

bool Recorder::checkpoint_due() const {
  return Clock::now() - last_checkpoint_ > std::chrono::duration<double>(job_.model.output.checkpoint_every);
}

void Recorder::save(const Continuation& continuation) {
  history_.flush();
  if (animation_) animation_->flush();
  Continuation complete = continuation;
  complete.joint_use = joint_use_.numbers();
  write_continuation(directory_ / "checkpoint", model_id(job_.model), complete);
  last_checkpoint_ = Clock::now();
}

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
    summary["load_factor"] = {{"reached", last_time_}};
  else
    summary["time"] = {{"reached", last_time_}, {"end", job_.model.analysis.end}};
  if (job_.model.analysis.kind == AnalysisSpec::Kind::dynamic) {
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
  }
  summary["seconds"] = {{"total", std::chrono::duration<double>(Clock::now() - start_).count()},
                        {"steps", statistics.step_seconds},
                        {"output", statistics.output_seconds}};
  json extremes;
  for (std::size_t j = 0; j < extremes_.size(); ++j)
    extremes[joints_[j].name] = {{"force", {{"value", extremes_[j].force}, {"time", extremes_[j].force_time}}},
                                 {"moment", {{"value", extremes_[j].moment}, {"time", extremes_[j].moment_time}}}};
  summary["largest_joint_loads"] = extremes;
  if (const json use = joint_use_.json(); !use.is_null()) summary["joint_use"] = use;
  write_json_file(directory_ / "summary.json", summary);
  log_.line(status + (message.empty() ? "" : ": " + message));
  log_.line(closing_table(statistics, ledger));
}

std::string Recorder::closing_table(const RunStatistics& statistics, const Ledger& ledger) const {
  char text[1024];
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string table;
  const auto line = [&](const char* format, auto... values) {
    std::snprintf(text, sizeof text, format, values...);
    table += text;
  };
  line(
      is_static(job_) ? "  reached          load factor %.6g in %.2f s\n" : "  reached          t = %.6g s in %.2f s\n",
      last_time_, seconds);
  if (statistics.steps > 0) {
    line("  steps            %ld (%ld rejected), dt %.3g ... %.3g s\n", statistics.steps, statistics.rejected(),
         statistics.smallest_step, statistics.largest_step);
    line("  Newton           %.2f iterations per step, %ld factorisations\n",
         static_cast<double>(statistics.newton_iterations) / static_cast<double>(statistics.steps),
         statistics.factorisations);
    line("  energy balance   open by %.2g J (%.1g of the largest energy)\n", std::abs(ledger.residual),
         ledger.relative_residual());
  }
  line("  results          %s\n", directory_.string().c_str());
  return table;
}

}  // namespace freeplay
