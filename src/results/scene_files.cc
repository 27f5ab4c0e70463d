#include "freeplay/results/scene_files.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/base/output_file.h"
#include "freeplay/results/json_file.h"
#include "freeplay/results/motion_writer.h"
#include "freeplay/results/scene.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

/// Displacements and rotation vectors of frames, inertial axes.
using FrameMotions = std::vector<Vec6>;

/// How frames move when nodes move by small twists (body axes): a central difference, since places between nodes follow
/// from those by interpolation.
FrameMotions frame_motions(const State& state, const std::vector<Vec6>& twists, double length, SceneFrames& frames) {
  double size = 0.0;
  for (const Vec6& twist : twists) size = std::max({size, twist.head<3>().norm() / length, twist.tail<3>().norm()});
  FrameMotions motions(frames.size(), Vec6::Zero());
  if (size == 0.0) return motions;
  const double h = 1e-5 / size;  // the error is of the order of its square, round-off is divided by it
  State there = state;
  const auto moved_by = [&](double factor) {
    for (std::size_t n = 0; n < state.pose.size(); ++n) there.pose[n] = moved(state.pose[n], factor * twists[n]);
    const std::span<const Pose> poses = frames.at(there);
    return std::vector<Pose>(poses.begin(), poses.end());
  };
  const std::vector<Pose> ahead = moved_by(h), behind = moved_by(-h);
  for (std::size_t f = 0; f < motions.size(); ++f) {
    const Mat3 rotation = (ahead[f].R - behind[f].R) * (0.5 * (ahead[f].R + behind[f].R)).transpose();
    motions[f] << ahead[f].x - behind[f].x,
        0.5 * Vec3(rotation(2, 1) - rotation(1, 2), rotation(0, 2) - rotation(2, 0), rotation(1, 0) - rotation(0, 1));
    motions[f] /= 2.0 * h;
  }
  return motions;
}

/// The largest displacement, or rotation where nothing is displaced.
double size_of(const FrameMotions& real, const FrameMotions& imaginary) {
  double displacement = 0.0, rotation = 0.0;
  for (std::size_t f = 0; f < real.size(); ++f) {
    displacement = std::max(displacement, std::hypot(real[f].head<3>().norm(), imaginary[f].head<3>().norm()));
    rotation = std::max(rotation, std::hypot(real[f].tail<3>().norm(), imaginary[f].tail<3>().norm()));
  }
  constexpr double nothing = 1e-9;  // beside the arms that rotations have, 1 m
  return displacement > nothing * rotation ? displacement : rotation;
}

void append(std::string& bytes, std::span<const float> numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void append(std::string& bytes, const FrameMotions& motions, double factor) {
  for (const Vec6& motion : motions)
    for (const double component : motion) {
      const auto number = static_cast<float>(factor * component);
      append(bytes, {&number, 1});
    }
}

}  // namespace

void write_mode_shapes(const EngineJob& job, const Modes& modes) {
  const fs::path directory = job.output_directory;
  Scene scene(job.model, *job.assembled);
  std::vector<float> numbers(scene.n_numbers());
  scene.numbers(modes.state, modes.state.multiplier, numbers);
  std::string bytes;
  append(bytes, std::span(numbers).first(7 * scene.n_frames()));
  const double length = job.assembled->model.length_scale;
  std::vector<Vec6> part(modes.state.pose.size());
  for (const Mode& mode : modes.modes) {
    std::ranges::transform(mode.shape, part.begin(), [](const Mode::Twist& twist) { return Vec6(twist.real()); });
    const FrameMotions real = frame_motions(modes.state, part, length, scene.frames());
    std::ranges::transform(mode.shape, part.begin(), [](const Mode::Twist& twist) { return Vec6(twist.imag()); });
    const FrameMotions imaginary = frame_motions(modes.state, part, length, scene.frames());
    const double size = size_of(real, imaginary);
    append(bytes, real, size > 0.0 ? 1.0 / size : 0.0);
    append(bytes, imaginary, size > 0.0 ? 1.0 / size : 0.0);
  }
  write_json_file(directory / "scene.json", scene.description());
  replace_file(directory / "modes.bin", bytes);
}

void write_vibration_shapes(const EngineJob& job, const std::vector<VibrationShapes>& points) {
  Modes all;
  all.state = job.assembled->state;
  all.state.multiplier.resize(job.assembled->model.n_multipliers, 0.0);
  for (const VibrationShapes& point : points)
    for (const std::vector<Mode::Twist>& shape : point.shapes) {
      Mode mode;
      mode.shape = shape;
      mode.shape.resize(all.state.pose.size(), Mode::Twist::Zero());
      all.modes.push_back(std::move(mode));
    }
  write_mode_shapes(job, all);
}

void write_standing_scene(const EngineJob& job) {
  const fs::path directory = job.output_directory;
  Scene scene(job.model, *job.assembled);
  const State& state = job.assembled->state;
  std::vector<float> numbers(scene.n_numbers());
  scene.numbers(state, std::vector<double>(job.assembled->model.n_multipliers, 0.0), numbers);
  write_json_file(directory / "scene.json", scene.description());
  MotionWriter writer(directory / "motion.bin", numbers.size());
  writer.write(state.time, numbers);
  writer.flush();
}

}  // namespace freeplay
