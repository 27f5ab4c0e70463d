#pragma once

#include <nlohmann/json.hpp>

#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/reported_joints.h"
#include "freeplay/mechanics/contact_element.h"
#include "freeplay/results/scene_frames.h"

namespace freeplay {

/// Makes scene.json, see doc/report_data.md.
class SceneDescription {
 public:
  SceneDescription(const ModelSpec& spec, const Assembled& assembled, const std::vector<ReportedJoint>& joints,
                   const std::vector<std::size_t>& loads, const std::vector<std::size_t>& contacts);

  nlohmann::json json();

 private:
  using Json = nlohmann::json;
  Json bodies();
  Json beams();
  Json joints_json();
  Json clearance(const ReportedJoint& joint);
  Json springs();
  Json loads_json();
  Json contacts_json() const;
  /// Position and axes of a model frame in the moving frame that it is fixed to.
  Json place(const std::string& name, const Frame& frame);
  Json place_of_line_load(const LineLoadSpec& load);
  /// A direction in node axes in the axes of a frame on that node.
  static Json direction(const Vec3& in_node, const Frame& frame);
  Pose pose_of(const Frame& frame) const;  ///< of the node of a frame, at the start
  const ContactElement& first_contact(const ReportedJoint& joint) const;
  /// Makes room for a ball around a point, inertial axes.
  void enclose(const Vec3& point, double radius = 0.0);

  const ModelSpec& spec_;
  const Assembled& assembled_;
  const Model& model_;
  const std::vector<ReportedJoint>& joints_;
  const std::vector<std::size_t>& loads_;
  const std::vector<std::size_t>& contacts_;
  SceneFrames frames_;
  std::vector<Pose> start_;  ///< of the frames
  Eigen::AlignedBox3d bounds_;
};

}  // namespace freeplay
