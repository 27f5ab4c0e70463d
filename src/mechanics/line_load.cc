#include "freeplay/mechanics/line_load.h"

#include "load_components.h"

namespace freeplay {

LineLoad::LineLoad(std::string name, std::vector<Share> shares, Components force, Components moment, bool following)
    : ForceElement(std::move(name)),
      shares_(std::move(shares)),
      force_(std::move(force)),
      moment_(std::move(moment)),
      following_(following) {
  for (const Share& share : shares_) nodes_.push_back(share.node);
}

LineLoad::Intensity LineLoad::intensity(const Motion& motion) const {
  return {components_over(motion, force_), components_over(motion, moment_)};
}

Vec6 LineLoad::load(const Motion& motion, const Share& share, const Intensity& intensity) const {
  Vec6 result;
  if (following_) {
    const NodeMotion& node = motion.nodes[share.node];
    result << turned_over(node, share.section_axes * intensity.force),
        turned_over(node, share.section_axes * intensity.moment);
  } else {
    result << intensity.force, intensity.moment;
  }
  return share.length * result;
}

void LineLoad::add_forces(const Motion& motion, std::span<const double>, std::vector<Vec6>& forces) const {
  const Intensity now = intensity(motion);
  for (const Share& share : shares_) forces[share.node] -= load(motion, share, now);
}

void LineLoad::add_tangent(const Motion& motion, std::span<const double>, TangentSink& sink) const {
  if (!following_) return;
  const Intensity now = intensity(motion);
  for (const Share& share : shares_) {
    // d(R_f c)/2 = -1/2 (R_f c)~ dphi, and resisting forces have the opposite sign.
    const Mat3 axes = 0.5 * share.length * motion.nodes[share.node].end().R * share.section_axes;
    Mat6 tangent = Mat6::Zero();
    tangent.topRightCorner<3, 3>() = skew(axes * now.force);
    tangent.bottomRightCorner<3, 3>() = skew(axes * now.moment);
    sink.add(TangentSink::Row::balance, share.node, TangentSink::Column::end, share.node, tangent);
  }
}

StepWork LineLoad::work(const Motion& motion, std::span<const double>) const {
  const Intensity now = intensity(motion);
  StepWork work;
  for (const Share& share : shares_) {
    const NodeMotion& node = motion.nodes[share.node];
    Vec6 displacement;
    displacement << node.to_end.col(0), rotation_over(node);
    work.load_work += load(motion, share, now).dot(displacement);
  }
  return work;
}

std::vector<double> LineLoad::corners() const {
  std::vector<double> all;
  add_corners(force_, all);
  add_corners(moment_, all);
  return all;
}

std::vector<ForceElement::Quantity> LineLoad::quantities() const {
  return {{"force.x", "N"},    {"force.y", "N"},    {"force.z", "N"},
          {"moment.x", "N*m"}, {"moment.y", "N*m"}, {"moment.z", "N*m"}};
}

void LineLoad::evaluate(const Motion& motion, std::span<const double>, std::span<double> values) const {
  const Intensity now = intensity(motion);
  Vec6 sum = Vec6::Zero();
  for (const Share& share : shares_) sum += load(motion, share, now);
  Vec6::Map(values.data()) = sum;
}

}  // namespace freeplay
