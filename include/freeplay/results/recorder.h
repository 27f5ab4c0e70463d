#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "freeplay/analysis/observer.h"
#include "freeplay/results/animation.h"
#include "freeplay/results/contact_counter.h"
#include "freeplay/results/continuation_file.h"
#include "freeplay/results/engine_job.h"
#include "freeplay/results/event_writer.h"
#include "freeplay/results/history_columns.h"
#include "freeplay/results/history_writer.h"
#include "freeplay/results/joint_use.h"
#include "freeplay/results/model_pictures.h"
#include "freeplay/results/netcdf_writer.h"
#include "freeplay/results/progress.h"
#include "freeplay/results/run_log.h"

namespace freeplay {

/// Writes the results directory of a run while it runs.
class Recorder : public Observer {
 public:
  /// `earlier`: go on with the files of an earlier run.
  Recorder(const EngineJob& job, const std::optional<SavedRun>& earlier);

  void record(const Snapshot& snapshot) override;
  void picture(const Snapshot& snapshot) override;
  void progress(const TimeStepper& stepper, const StepReport& report, double dt) override;
  void message(const std::string& text) override;
  void note(const std::string& text) { log_.line(text); }  ///< for run.log only
  void event(const Event& event) override { events_.write(event); }
  bool interrupted() const override;
  void keep(const Continuation& continuation) override;
  void save() override;

  /// Writes summary.json and the last rows. `status` is finished, interrupted or failed.
  void close(const std::string& status, const std::string& message, const RunStatistics& statistics,
             const Ledger& ledger);
  /// The short table at the end of a run.
  std::string closing_table(const RunStatistics& statistics, const Ledger& ledger) const;

  /// What ties a checkpoint to its model, given as in resolved.yaml: everything but the analysis and the output.
  static std::string model_id(const std::string& resolved);

 private:
  using Clock = std::chrono::steady_clock;
  void note_extremes(const Snapshot& snapshot);

  const EngineJob& job_;
  const Model& model_;
  std::filesystem::path directory_;
  RunLog log_;
  HistoryColumns columns_;
  HistoryWriter history_;
  NetcdfWriter netcdf_;
  EventWriter events_;
  std::optional<ModelPictures> pictures_;
  std::optional<Animation> animation_;
  JointUse joint_use_;
  Progress progress_;
  ContactCounter counter_;
  std::vector<std::string> warnings_;
  std::vector<ReportedJoint> joints_;
  Motion now_;
  Written written_;  ///< sizes of files are filled in where it is kept
  std::optional<SavedRun> kept_;
  bool kept_is_saved_ = false;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> last_checkpoint_;
  long n_pictures_ = 0;
};

/// Ctrl-C and SIGTERM end the run at the next step, for as long as this object lives.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
};

}  // namespace freeplay
