#include "freeplay/output/history_columns.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace freeplay {

namespace {

FramePlace place_of(const Frame& frame, const State& state) {
  return place(frame, frame.node == ground ? Pose{} : state.pose[frame.node]);
}

/// Of the equations of a joint and of the friction in it, on the node of b.
Vec6 ideal_wrench(const Model& model, int number, const State& state, std::span<const double> multipliers) {
  const Joint& joint = model.joints[number];
  const FramePlace A = place_of(joint.a, state);
  const FramePlace B = place_of(joint.b, state);
  Vec12 wrench = Vec12::Zero();
  for (std::size_t k = 0; k < joint.equations.size(); ++k)
    wrench -= multipliers[joint.first_equation + k] *
              joint.equations[k].form_at(state.time, state.load_factor).wrench(A, B, A.a);
  for (const JointFriction& friction : model.frictions) {
    if (friction.joint != number) continue;
    FramePlace turned = B;
    turned.a = A.a;
    for (int c = 0; c < friction.n_slips(); ++c)
      wrench -= multipliers[friction.first_multiplier + c] * friction.slips[c].wrench(A, turned, A.a);
  }
  return wrench.tail<6>();
}

}  // namespace

JointReaction reaction(const Model& model, const ReportedJoint& joint, const State& state, const Motion& now,
                       std::span<const double> multipliers) {
  const FramePlace B = place_of(joint.b, state);
  JointReaction result;
  result.position = B.x;
  result.axes = place_of(joint.a, state).a;
  if (joint.joint >= 0) {
    const Vec6 wrench = ideal_wrench(model, joint.joint, state, multipliers);
    result.force = wrench.head<3>();
    result.moment = wrench.tail<3>() - B.r.cross(result.force);
  }
  for (const std::size_t e : joint.contacts) {
    const ContactPoint point = model.elements[e]->contact_point(now, internal_of(model, state, e));
    const Vec3 force = point.normal_force + point.friction_force;
    result.force += force;
    result.moment += (point.position - B.x).cross(force);
  }
  return result;
}

HistoryColumns::HistoryColumns(const Assembled& assembled, AnalysisSpec::Kind analysis, const OutputSpec& output)
    : model_(assembled.model),
      beams_(assembled.beams),
      joints_(reported_joints(assembled.model)),
      has_ledger_(has_ledger(analysis)),
      has_load_factor_(analysis == AnalysisSpec::Kind::static_equilibrium),
      friction_(assembled.model) {
  const std::vector<HistoryColumn> all = history_columns(model_, beams_, analysis);
  Diagnostics diagnostics;  // assembly has checked the patterns
  const std::vector<ColumnPattern> everything{{"*", {}}};
  chosen_ = select_columns(all, output.columns.value_or(everything), diagnostics);
  for (const std::size_t k : chosen_) columns_.push_back(all[k]);
  for (const auto& element : model_.elements) n_quantities_.push_back(element->quantities().size());
  all_.resize(all.size());
  values_.resize(chosen_.size());
}

void HistoryColumns::put(const Vec3& value) {
  for (int k = 0; k < 3; ++k) put(value[k]);
}

void HistoryColumns::put_point(const OutputPoint& point, const Snapshot& snapshot) {
  const Frame& frame = point.frame;
  const Mat3& R = snapshot.state.pose[frame.node].R;
  const Vec6& nu = snapshot.state.twist[frame.node];
  const Vec6& rate = snapshot.twist_rate[frame.node];
  const Vec3 w = nu.tail<3>();
  const Vec3 v = nu.head<3>() + w.cross(frame.offset);
  put(place_of(frame, snapshot.state).x);
  put(R * v);
  put(R * (rate.head<3>() + Vec3(rate.tail<3>()).cross(frame.offset) + w.cross(v)));
  put(R * w);
  if (!point.has_axes) return;
  for (int k = 0; k < 3; ++k) put(Vec3(R.col(k)));
}

void HistoryColumns::put_section(const SectionState& section) {
  put(Vec3(section.force.head<3>()));
  put(Vec3(section.force.tail<3>()));
  put(Vec3(section.strain.head<3>()));
  put(Vec3(section.strain.tail<3>()));
}

void HistoryColumns::put_beam_place(const BeamPlace& place, const State& state) {
  if (!place.has_two_results()) return put_section(section_at(place, model_, state));
  for (const ElementEnd& side : place.sides) put_section(section_at(side, model_, state));
}

void HistoryColumns::put_joint(const ReportedJoint& joint, const Snapshot& snapshot) {
  const JointReaction r = reaction(model_, joint, snapshot.state, now_, snapshot.multipliers);
  put(r.axes.transpose() * r.force);
  put(r.axes.transpose() * r.moment);
  if (joint.joint >= 0) put_position(model_.joints[joint.joint], snapshot);
}

void HistoryColumns::put_position(const Joint& joint, const Snapshot& snapshot) {
  const FramePlace A = place_of(joint.a, snapshot.state);
  const FramePlace B = place_of(joint.b, snapshot.state);
  if (has_angle(joint)) put(internal_of(model_, snapshot.state, joint.angle)[0]);
  if (has_displacement(joint)) put(A.a.col(2).dot(B.x - A.x));
  if (has_length(joint)) put((B.x - A.x).norm());
  for (std::size_t k = 0; k < joint.equations.size(); ++k)
    if (joint.equations[k].is_driven()) put(-snapshot.multipliers[joint.first_equation + k]);
}

/// A joint with one direction of slip has signs: force on, and velocity of, the second body along it.
void HistoryColumns::put_friction(int k, const Snapshot& snapshot) {
  const JointFriction& friction = friction_.friction(k);
  const auto numbers = numbers_of(friction, snapshot.state);
  const std::span<const double> multipliers(snapshot.multipliers);
  const double normal_force = friction.normal_force(multipliers.subspan(friction_.joint(k).first_equation));
  Vec3 force = Vec3::Zero();
  for (int c = 0; c < friction.n_slips(); ++c) force[c] = -multipliers[friction.first_multiplier + c];
  const Vec3 slip = friction_.slip_way(k, now_);
  const bool has_sign = friction.n_slips() == 1;
  put(normal_force);
  put(has_sign ? force[0] : force.norm());
  put(normal_force > 0.0 ? force.norm() / normal_force : 0.0);
  put(has_sign ? slip[0] : slip.norm());
  put(numbers.bristles().norm());
  put(FrictionRows::is_at_rest(friction, slip, numbers) ? 1.0 : 2.0);
}

void HistoryColumns::put_elements(const Snapshot& snapshot) {
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    if (n_quantities_[e] == 0) continue;
    model_.elements[e]->evaluate(now_, internal_of(model_, snapshot.state, e), {all_.data() + next_, n_quantities_[e]});
    next_ += n_quantities_[e];
  }
}

void HistoryColumns::put_energies(const Ledger& ledger) {
  for (const double energy : {ledger.kinetic, ledger.elastic, ledger.gravity, ledger.contact, ledger.friction_state})
    put(energy);
  if (!has_ledger_) return;
  for (const double value : {ledger.load_work, ledger.drive_work, ledger.friction_loss, ledger.contact_loss,
                             ledger.damping_loss, ledger.numerical_loss, ledger.projection_loss, ledger.residual})
    put(value);
}

std::span<const double> HistoryColumns::values(const Snapshot& snapshot) {
  set_instant(snapshot.state, now_);
  next_ = 0;
  put(has_load_factor_ ? snapshot.state.load_factor : snapshot.state.time);
  for (const OutputPoint& point : model_.points) put_point(point, snapshot);
  for (const Beam& beam : beams_)
    for (const BeamPlace& place : beam.places) put_beam_place(place, snapshot.state);
  for (const ReportedJoint& joint : joints_) put_joint(joint, snapshot);
  friction_.begin(now_);
  for (int k = 0; k < friction_.size(); ++k) put_friction(k, snapshot);
  put_elements(snapshot);
  put_energies(snapshot.ledger);
  if (next_ != all_.size()) throw std::logic_error("HistoryColumns: as many values as names are needed");
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const double value = all_[chosen_[k]];
    // Subnormal numbers are round-off of zero, and many readers refuse them.
    values_[k] = std::abs(value) < std::numeric_limits<double>::min() ? 0.0 : value;
  }
  return values_;
}

}  // namespace freeplay
