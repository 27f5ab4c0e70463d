#include "freeplay/mechanics/applied_load.h"

#include "load_components.h"

namespace freeplay {

AppliedLoad::AppliedLoad(std::string name, Kind kind, const Frame& on, std::array<TimeFunction, 3> value,
                         bool following)
    : ForceElement(std::move(name)),
      kind_(kind),
      on_(on),
      nodes_{on.node},
      value_(std::move(value)),
      following_(following) {}

Vec3 AppliedLoad::load(const Motion& motion) const {
  const Vec3 c = components_over(motion, value_);
  return following_ ? turned_over(motion.nodes[on_.node], c) : c;
}

void AppliedLoad::add_forces(const Motion& motion, std::span<const double>, std::vector<Vec6>& forces) const {
  const Vec3 f = load(motion);
  if (kind_ == Kind::torque) {
    forces[on_.node].tail<3>() -= f;
    return;
  }
  forces[on_.node].head<3>() -= f;
  forces[on_.node].tail<3>() -= motion(on_).mid.r.cross(f);
}

void AppliedLoad::add_tangent(const Motion& motion, std::span<const double>, TangentSink& sink) const {
  const FrameMotion place = motion(on_);
  Mat3 turned = Mat3::Zero();  // derivative of the load by the rotation of the end of the step
  if (following_) turned = -0.5 * skew(motion.nodes[on_.node].end().R * components_over(motion, value_));
  Mat6 tangent = Mat6::Zero();
  if (kind_ == Kind::torque) {
    tangent.block<3, 3>(3, 3) = -turned;
  } else {
    tangent.block<3, 3>(0, 3) = -turned;
    tangent.block<3, 3>(3, 3) = -skew(place.mid.r) * turned - 0.5 * skew(load(motion)) * skew(place.end.r);
  }
  sink.add(TangentSink::Row::balance, on_.node, TangentSink::Column::end, on_.node, tangent);
}

StepWork AppliedLoad::work(const Motion& motion, std::span<const double>) const {
  StepWork work;
  const FrameMotion place = motion(on_);
  if (kind_ == Kind::force) {
    work.load_work = load(motion).dot(place.end.x - place.start.x);
    return work;
  }
  work.load_work = load(motion).dot(rotation_over(motion.nodes[on_.node]));
  return work;
}

std::vector<double> AppliedLoad::corners() const {
  std::vector<double> all;
  add_corners(value_, all);
  return all;
}

std::vector<ForceElement::Quantity> AppliedLoad::quantities() const {
  const std::string what = kind_ == Kind::force ? "force." : "moment.";
  const std::string unit = kind_ == Kind::force ? "N" : "N*m";
  return {{what + "x", unit}, {what + "y", unit}, {what + "z", unit}};
}

void AppliedLoad::evaluate(const Motion& motion, std::span<const double>, std::span<double> values) const {
  const Vec3 f = load(motion);
  for (int k = 0; k < 3; ++k) values[k] = f[k];
}

}  // namespace freeplay
