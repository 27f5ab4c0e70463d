#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "freeplay/model/model.h"
#include "freeplay/model/spec.h"
#include "freeplay/output/paraview_writer.h"

namespace freeplay {

/// Pictures of a model in its states: a ParaView series in a directory.
class ModelPictures {
 public:
  /// `resume_time`: go on with the series of an earlier run from here.
  ModelPictures(const ModelSpec& spec, const Model& model, const std::filesystem::path& directory,
                std::optional<double> resume_time);

  void frame(double time, const State& state, std::span<const double> multipliers);

 private:
  const Model& model_;
  ParaviewWriter writer_;
  std::vector<BodyPose> poses_;
  std::vector<JointPoint> joint_points_;
};

}  // namespace freeplay
