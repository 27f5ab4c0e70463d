#include "rest_bodies.h"

#include <algorithm>

#include "freeplay/mechanics/weight.h"
#include "virtual_motion.h"

namespace freeplay {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Collects the stiffness in body axes.
class StiffnessSink : public TangentSink {
 public:
  StiffnessSink(const State& state, std::vector<Eigen::Triplet<double>>& entries) : state_(state), entries_(entries) {}
  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row != Row::balance || column != Column::end) return;
    const Mat3 R_t = state_.pose[row_node].R.transpose();
    const Mat3& R = state_.pose[column_node].R;
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) {
        // Forces of a step depend on its start in the same way as on its end: twice the derivative by the end.
        const Mat3 block = 2.0 * R_t * derivative.block<3, 3>(3 * r, 3 * c) * R;
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            entries_.emplace_back(6 * row_node + 3 * r + i, 6 * column_node + 3 * c + j, block(i, j));
      }
  }

 private:
  const State& state_;
  std::vector<Eigen::Triplet<double>>& entries_;
};

}  // namespace

RestContacts::RestContacts(const Model& model, const Motion& instant) {
  const double nothing = 1e-6 * model.length_scale;  // round-off of positions
  for (const auto& element : model.elements) {
    const auto* contact = dynamic_cast<const ContactElement*>(element.get());
    if (contact == nullptr) continue;
    const RestingContact at_rest = contact->at_rest(instant);
    if (at_rest.gap < nothing)
      touching.push_back({contact, at_rest});
    else
      open.push_back(contact->name());
  }
}

RestBodies::RestBodies(const Assembled& assembled, const RestQuestion& question)
    : model_(assembled.model), state_(assembled.state), motions_(virtual_motions(assembled, question.rigid_beams)) {
  state_.time = question.time;
  set_instant(state_, instant_);
}

VectorXd RestBodies::on_motions(const JointVector& wrench, std::span<const int> nodes) const {
  VectorXd twists = VectorXd::Zero(motions_.rows());
  for (int side = 0; side < static_cast<int>(wrench.size()) / 6; ++side) {
    const int node = nodes[side];
    if (node != ground) twists.segment<6>(6 * node) += in_body_axes(state_.pose[node], wrench.segment<6>(6 * side));
  }
  return motions_.transpose() * twists;
}

MatrixXd RestBodies::reactions(const Joint& joint) const {
  const JointMotion at = motion_of(joint, instant_);
  MatrixXd columns(size(), joint.equations.size());
  for (std::size_t e = 0; e < joint.equations.size(); ++e)
    columns.col(e) =
        unit_of(joint.equations[e]) * on_motions(joint.equations[e].gradient(at, state_.time), joint.sides());
  return columns;
}

MatrixXd RestBodies::frictions(const JointFriction& friction) const {
  const Joint& joint = model_.joints[friction.joint];
  const FramePlace A = instant_(joint.a).start;
  FramePlace B = instant_(joint.b).start;
  B.a = A.a;  // slip is measured in the axes of A
  MatrixXd columns(size(), friction.n_slips());
  for (int d = 0; d < friction.n_slips(); ++d)
    columns.col(d) = on_motions(friction.slips[d].wrench(A, B, A.a), joint.sides());
  return columns;
}

MatrixXd RestBodies::mass() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t n = 0; n < model_.nodes.size(); ++n)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) entries.emplace_back(6 * n + i, 6 * n + j, model_.nodes[n].mass(i, j));
  return on_motions(entries);
}

MatrixXd RestBodies::stiffness() const {
  std::vector<Eigen::Triplet<double>> entries;
  StiffnessSink sink(state_, entries);
  Motion motion;
  set_rest(state_, motion);
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    if (is_elastic(*model_.elements[e])) model_.elements[e]->add_tangent(motion, internal_of(model_, state_, e), sink);
  return on_motions(entries);
}

void RestBodies::loads(const std::vector<std::string>& scaled, VectorXd& scaled_load, VectorXd& fixed_load) const {
  const auto is_scaled = [&](const std::string& name) {
    return scaled.empty() || std::find(scaled.begin(), scaled.end(), name) != scaled.end();
  };
  std::vector<Vec6> parts[2];
  for (auto& part : parts) part.assign(model_.nodes.size(), Vec6::Zero());
  for (std::size_t n = 0; n < model_.nodes.size(); ++n)
    parts[is_scaled("gravity")][n] += resisting_weight(model_.nodes[n], state_.pose[n].R, model_.gravity);
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    const ForceElement& element = *model_.elements[e];
    if (element.is_contact()) continue;
    element.add_forces(instant_, internal_of(model_, state_, e), parts[element.is_load() && is_scaled(element.name())]);
  }
  fixed_load = load_on_motions(parts[0]);
  scaled_load = load_on_motions(parts[1]);
}

MatrixXd RestBodies::on_motions(const std::vector<Eigen::Triplet<double>>& entries) const {
  Sparse matrix(motions_.rows(), motions_.rows());
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Sparse product = motions_.transpose() * matrix * motions_;
  return product;
}

/// Forces of elements resist: a load is their opposite.
VectorXd RestBodies::load_on_motions(const std::vector<Vec6>& resisting) const {
  VectorXd twists(motions_.rows());
  for (std::size_t n = 0; n < resisting.size(); ++n)
    twists.segment<6>(6 * n) = -in_body_axes(state_.pose[n], resisting[n]);
  return motions_.transpose() * twists;
}

}  // namespace freeplay
