#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/reported_joints.h"
#include "freeplay/results/scene_frames.h"

namespace freeplay {

/// What `freeplay report` shows of a model: its moving frames, what is fixed to them, and the forces between them.
/// doc/report_data.md describes scene.json and the numbers of a frame.
class Scene {
 public:
  Scene(const ModelSpec& spec, const Assembled& assembled);

  /// scene.json.
  nlohmann::json description() const;

  std::size_t n_frames() const { return frames_.size(); }
  SceneFrames& frames() { return frames_; }
  /// How many numbers a frame of the animation has.
  std::size_t n_numbers() const;

  /// The numbers of a frame: 7 per moving frame (position; quaternion x y z w), 3 per joint and per load (force in N;
  /// of a torque: moment in N m), 11 per contact (point, normal force and friction force on the second body, gap,
  /// state). `multipliers` are those of the joints, per equation.
  void numbers(const State& state, std::span<const double> multipliers, std::span<float> numbers);

 private:
  const ModelSpec& spec_;
  const Assembled& assembled_;
  const Model& model_;
  SceneFrames frames_;
  std::vector<ReportedJoint> joints_;
  std::vector<std::size_t> loads_, contacts_;  ///< elements of the model
  Motion now_;
  std::vector<double> values_;  ///< of a load
};

}  // namespace freeplay
