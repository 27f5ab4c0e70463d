#include "freeplay/results/animation.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "freeplay/results/json_file.h"

namespace freeplay {

namespace {

constexpr int usual_frames = 600;
constexpr int least_frames = 100;
constexpr double usual_numbers = 4e6;  // in all frames of a large model: 16 MB

int n_frames(const OutputSpec& output, const Scene& scene) {
  if (output.animation_frames) return *output.animation_frames;
  const double fitting = usual_numbers / static_cast<double>(std::max<std::size_t>(scene.n_numbers(), 1));
  return static_cast<int>(std::clamp(fitting, double(least_frames), double(usual_frames)));
}

double frame_interval(const EngineJob& job, const Scene& scene) {
  return job.model.analysis.end / std::max(1, n_frames(job.model.output, scene));
}

/// Whether rows are so much farther apart than frames should be that one sees it.
bool rows_are_sparse(const EngineJob& job, double interval) {
  constexpr double hardly_farther = 1.5;
  return job.model.output.every.value_or(job.model.analysis.end / 500.0) > hardly_farther * interval;
}

}  // namespace

bool Animation::Schedule::is_due(double time) const { return time >= next_ * (1.0 - 1e-12); }

void Animation::Schedule::taken_at(double time) {
  // Multiples without accumulated round-off.
  next_ = (std::floor(time / interval_ + 1e-6) + 1.0) * interval_;
}

Animation::Animation(const EngineJob& job, std::optional<double> resume_time)
    : job_(job),
      is_static_(job.model.analysis.kind == AnalysisSpec::Kind::static_equilibrium),
      scene_(job.model, *job.assembled),
      schedule_(frame_interval(job, scene_)),
      at_steps_(rows_are_sparse(job, frame_interval(job, scene_))),
      writer_(open(job.output_directory, resume_time)),
      numbers_(scene_.n_numbers()) {}

MotionWriter Animation::open(const std::filesystem::path& directory, std::optional<double> resume_time) {
  const std::filesystem::path scene_file = directory / "scene.json", motion_file = directory / "motion.bin";
  const nlohmann::json scene = scene_.description();
  std::ifstream existing(scene_file);
  // Frames of another version of the program, or of a run that was to have none, do not fit.
  const bool fits = resume_time && existing && nlohmann::json::parse(existing, nullptr, false) == scene;
  write_json_file(scene_file, scene);
  if (!fits) return MotionWriter(motion_file, scene_.n_numbers());
  // Frames besides the schedule are those that ended the run before.
  return MotionWriter::resume_at(*resume_time, motion_file, scene_.n_numbers(), [&](double time) {
    if (!schedule_.is_due(time)) return false;
    schedule_.taken_at(time);
    return true;
  });
}

void Animation::row(const Snapshot& snapshot) {
  const double time = is_static_ ? snapshot.state.load_factor : snapshot.state.time;
  // The step that led here may have been a frame already; its time differs by the round-off of summed steps.
  if (!is_static_ && is_written_ && time > 0.0 && std::abs(time - time_) <= 1e-12 * time) return;
  time_ = time;
  scene_.numbers(snapshot.state, snapshot.multipliers, numbers_);
  is_written_ = is_static_ || schedule_.is_due(time_);
  if (!is_written_) return;
  writer_.write(time_, numbers_);
  schedule_.taken_at(time_);
}

void Animation::step(const TimeStepper& stepper) {
  writer_.flush_if_due();
  const State& state = stepper.state();
  if (!at_steps_ || !schedule_.is_due(state.time)) return;
  time_ = state.time;
  // The reactions of this instant would have to be solved for; those of the step are there.
  scene_.numbers(state, state.multiplier, numbers_);
  writer_.write(time_, numbers_);
  schedule_.taken_at(time_);
  is_written_ = true;
}

void Animation::close() {
  if (!is_written_) writer_.write(time_, numbers_);
  is_written_ = true;
  writer_.flush();
}

}  // namespace freeplay
