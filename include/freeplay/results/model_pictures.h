#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/reported_joints.h"
#include "freeplay/results/paraview_writer.h"

namespace freeplay {

/// Pictures of a model for ParaView: everything that follows from its state.
class ModelPictures {
 public:
  /// `resume_time`: go on with the series of an earlier run from here.
  ModelPictures(const ModelSpec& spec, const Assembled& assembled, const std::filesystem::path& directory,
                std::optional<double> resume_time = std::nullopt);

  /// Draws the model as a frame at `time`. `multipliers` are those of its joints, per equation.
  void frame(double time, const State& state, std::span<const double> multipliers);

 private:
  const Model& model_;
  std::vector<BeamCurve> curves_;
  Mechanism mechanism_;
  ParaviewWriter writer_;
  Motion now_;
  std::vector<BodyPose> poses_;
  std::vector<ReportedJoint> reported_joints_;
  std::vector<JointPoint> joints_;
  std::vector<BeamStation> stations_;
  std::vector<ContactPoint> contacts_;
};

}  // namespace freeplay
