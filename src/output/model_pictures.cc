#include "freeplay/output/model_pictures.h"

#include <cmath>

#include "freeplay/output/history_columns.h"

namespace freeplay {

namespace {

std::vector<ParaviewBody> paraview_bodies(const ModelSpec& spec) {
  std::vector<ParaviewBody> bodies;
  for (const RigidBodySpec& body : spec.bodies) {
    ParaviewBody drawn{body.name, body.shape, body.centre, {}, 0.0};
    for (const PointSpec& point : body.points) drawn.points.push_back(point.at);
    const double inertia = std::max({body.inertia[0], body.inertia[1], body.inertia[2]});
    drawn.size_hint = std::sqrt(inertia / body.mass);
    bodies.push_back(std::move(drawn));
  }
  return bodies;
}

std::vector<ParaviewJoint> paraview_joints(const Model& model) {
  std::vector<ParaviewJoint> joints;
  for (const Joint& joint : model.joints) joints.push_back({joint.name});
  return joints;
}

ParaviewWriter open_writer(const ModelSpec& spec, const Model& model, const std::filesystem::path& directory,
                           std::optional<double> resume_time) {
  const std::vector<ParaviewBody> bodies = paraview_bodies(spec);
  const std::vector<ParaviewJoint> joints = paraview_joints(model);
  return resume_time ? ParaviewWriter::resume_at(*resume_time, directory, bodies, joints)
                     : ParaviewWriter(directory, bodies, joints);
}

}  // namespace

ModelPictures::ModelPictures(const ModelSpec& spec, const Model& model, const std::filesystem::path& directory,
                             std::optional<double> resume_time)
    : model_(model),
      writer_(open_writer(spec, model, directory, resume_time)),
      poses_(spec.bodies.size()),
      joint_points_(model.joints.size()) {}

void ModelPictures::frame(double time, const State& state, std::span<const double> multipliers) {
  for (std::size_t n = 0; n < poses_.size(); ++n)
    poses_[n] = {state.pose[n].x, state.pose[n].R, state.pose[n].R * state.twist[n].head<3>(),
                 state.pose[n].R * state.twist[n].tail<3>()};
  for (std::size_t j = 0; j < joint_points_.size(); ++j) {
    const JointReaction r = reaction(model_.joints[j], state, multipliers);
    joint_points_[j] = {r.position, r.force, r.moment};
  }
  writer_.frame(time, poses_, joint_points_);
}

}  // namespace freeplay
