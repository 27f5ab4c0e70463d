#include "freeplay/results/model_pictures.h"

#include "freeplay/assembly/joint_reaction.h"
#include "freeplay/base/output_file.h"
#include "freeplay/results/drawn_parts.h"
#include "freeplay/results/paraview_script.h"

namespace freeplay {

namespace {

std::vector<ParaviewJoint> paraview_joints(const Model& model) {
  std::vector<ParaviewJoint> joints;
  for (const ReportedJoint& joint : reported_joints(model)) joints.push_back({joint.name});
  return joints;
}

std::vector<ParaviewBeam> paraview_beams(const ModelSpec& spec, std::span<const BeamCurve> curves) {
  std::vector<ParaviewBeam> beams;
  for (std::size_t b = 0; b < spec.beams.size(); ++b)
    beams.push_back({spec.beams[b].name, drawn_outlines(spec, spec.beams[b]), curves[b].places()});
  return beams;
}

ParaviewWriter open_writer(const ModelSpec& spec, const Model& model, std::span<const BeamCurve> curves,
                           const Mechanism& mechanism, const std::filesystem::path& directory,
                           std::optional<double> resume_time) {
  const auto bodies = drawn_bodies(spec);
  const auto joints = paraview_joints(model);
  const auto beams = paraview_beams(spec, curves);
  std::vector<ParaviewContact> contacts;
  for (const auto& element : model.elements)
    if (element->is_contact()) contacts.push_back({element->name()});
  return resume_time ? ParaviewWriter::resume_at(*resume_time, directory, bodies, joints, beams, contacts, &mechanism)
                     : ParaviewWriter(directory, bodies, joints, beams, contacts, &mechanism);
}

}  // namespace

ModelPictures::ModelPictures(const ModelSpec& spec, const Assembled& assembled, const std::filesystem::path& directory,
                             std::optional<double> resume_time)
    : model_(assembled.model),
      curves_(assembled.beams.begin(), assembled.beams.end()),
      mechanism_(spec, assembled),
      writer_(open_writer(spec, model_, curves_, mechanism_, directory, resume_time)),
      poses_(spec.bodies.size()),
      reported_joints_(reported_joints(model_)),
      joints_(reported_joints_.size()) {
  std::size_t n_stations = 0;
  for (const BeamCurve& curve : curves_) n_stations += curve.n_stations();
  stations_.resize(n_stations);
  replace_file(directory / "open_in_paraview.py", paraview_script());
}

void ModelPictures::frame(double time, const State& state, std::span<const double> multipliers) {
  set_instant(state, now_);
  for (std::size_t n = 0; n < poses_.size(); ++n)
    poses_[n] = {state.pose[n].x, state.pose[n].R, now_.velocity[n].head<3>(), now_.velocity[n].tail<3>()};
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointReaction r = reaction(model_, reported_joints_[j], state, now_, multipliers);
    joints_[j] = {r.position, r.force, r.moment};
  }
  std::size_t first = 0;
  for (const BeamCurve& curve : curves_) {
    curve.evaluate(now_, model_, state, std::span(stations_).subspan(first, curve.n_stations()));
    first += curve.n_stations();
  }
  contacts_.clear();
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    if (model_.elements[e]->is_contact())
      contacts_.push_back(model_.elements[e]->contact_point(now_, internal_of(model_, state, e)));
  writer_.frame(time, poses_, joints_, stations_, contacts_, mechanism_.points(state));
}

}  // namespace freeplay
