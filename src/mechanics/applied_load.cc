#include "freeplay/mechanics/applied_load.h"

#include "load_components.h"

namespace freeplay {

AppliedLoad::AppliedLoad(std::string name, Kind kind, const Frame& on, StateFunctions value, bool following)
    : ForceElement(std::move(name)),
      kind_(kind),
      on_(on),
      nodes_{on.node},
      value_(std::move(value)),
      following_(following) {
  for (const int node : value_.nodes())
    if (node != on.node) nodes_.push_back(node);
}

Vec3 AppliedLoad::load(const Motion& motion, std::span<const double> internal) const {
  const Vec3 c = value_.values(motion, internal);
  return following_ ? turned_over(motion.nodes[on_.node], c) : c;
}

Vec6 AppliedLoad::wrench(const Motion& motion, const Vec3& load) const {
  Vec6 result;
  if (kind_ == Kind::torque)
    result << Vec3::Zero(), load;
  else
    result << load, motion(on_).mid.r.cross(load);
  return result;
}

void AppliedLoad::add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const {
  forces[on_.node] -= wrench(motion, load(motion, internal));
}

void AppliedLoad::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  const FrameMotion place = motion(on_);
  Mat3 rotated = Mat3::Zero();  // derivative of the load by the rotation of the end of the step
  if (following_) rotated = -0.5 * skew(motion.nodes[on_.node].end().R * value_.values(motion, internal));
  Mat6 tangent = Mat6::Zero();
  if (kind_ == Kind::torque) {
    tangent.block<3, 3>(3, 3) = -rotated;
  } else {
    tangent.block<3, 3>(0, 3) = -rotated;
    tangent.block<3, 3>(3, 3) = -skew(place.mid.r) * rotated - 0.5 * skew(load(motion, internal)) * skew(place.end.r);
  }
  sink.add(TangentSink::Row::balance, on_.node, TangentSink::Column::end, on_.node, tangent);
  value_.derivatives(motion, internal, [&](int k, int node, const Vec6& derivative) {
    const Vec3 unit = following_ ? turned_over(motion.nodes[on_.node], Vec3::Unit(k)) : Vec3(Vec3::Unit(k));
    sink.add(TangentSink::Row::balance, on_.node, TangentSink::Column::end, node,
             -wrench(motion, unit) * derivative.transpose());
  });
}

StepWork AppliedLoad::work(const Motion& motion, std::span<const double> internal) const {
  StepWork work;
  const FrameMotion place = motion(on_);
  if (kind_ == Kind::force) {
    work.load_work = load(motion, internal).dot(place.end.x - place.start.x);
    return work;
  }
  work.load_work = load(motion, internal).dot(rotation_over(motion.nodes[on_.node]));
  return work;
}

std::vector<ForceElement::Quantity> AppliedLoad::quantities() const {
  const std::string what = kind_ == Kind::force ? "force." : "moment.";
  const std::string unit = kind_ == Kind::force ? "N" : "N*m";
  return {{what + "x", unit}, {what + "y", unit}, {what + "z", unit}};
}

void AppliedLoad::evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const {
  const Vec3 f = load(motion, internal);
  for (int k = 0; k < 3; ++k) values[k] = f[k];
}

}  // namespace freeplay
