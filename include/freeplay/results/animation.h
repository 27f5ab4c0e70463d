#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "freeplay/analysis/observer.h"
#include "freeplay/results/engine_job.h"
#include "freeplay/results/motion_writer.h"
#include "freeplay/results/scene.h"

namespace freeplay {

/// Writes scene.json and motion.bin, what `freeplay report` moves. Frames are taken where the run is anyway, so that
/// they never change it: at rows of the history and, where these are farther apart than the frames should be, at the
/// ends of steps.
class Animation {
 public:
  /// `resume_time`: go on with the files of an earlier run from here.
  Animation(const EngineJob& job, std::optional<double> resume_time);

  /// At a row of the history.
  void row(const Snapshot& snapshot);
  /// After an accepted step.
  void step(const TimeStepper& stepper);
  void flush() { writer_.flush(); }
  /// The last row becomes a frame in any case.
  void close();

 private:
  /// Frames are due at the first row or step at or after the multiples of an interval.
  class Schedule {
   public:
    explicit Schedule(double interval) : interval_(interval) {}
    bool is_due(double time) const;
    void taken_at(double time);

   private:
    double interval_;
    double next_ = 0.0;
  };
  MotionWriter open(const std::filesystem::path& directory, std::optional<double> resume_time);

  const EngineJob& job_;
  bool is_static_;
  Scene scene_;
  Schedule schedule_;
  bool at_steps_;  ///< rows are too far apart
  MotionWriter writer_;
  std::vector<float> numbers_;
  double time_ = 0.0;       ///< of the numbers
  bool is_written_ = true;  ///< the numbers, as a frame
};

}  // namespace freeplay
