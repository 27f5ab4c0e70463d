#include "freeplay/output/history_columns.h"

#include <cmath>
#include <limits>

namespace freeplay {

namespace {

FramePlace place_of(const Frame& frame, const State& state) {
  return place(frame, frame.node == ground ? Pose{} : state.pose[frame.node]);
}

/// Joint coordinates that are worth a column: those the joint leaves free or drives.
bool has_angle(const Joint& joint) { return joint.type == "revolute" || joint.type == "cylindrical"; }
bool has_displacement(const Joint& joint) {
  return joint.type == "cylindrical" || joint.type == "prismatic" || joint.type == "point-on-line";
}
bool has_length(const Joint& joint) { return joint.type == "distance"; }

}  // namespace

JointReaction reaction(const Joint& joint, const State& state, std::span<const double> multipliers) {
  const FramePlace A = place_of(joint.a, state);
  const FramePlace B = place_of(joint.b, state);
  Vec12 wrench = Vec12::Zero();
  for (std::size_t k = 0; k < joint.equations.size(); ++k)
    wrench -= multipliers[joint.first_equation + k] *
              joint.equations[k].form_at(state.time, state.load_factor).wrench(A, B, A.a);
  JointReaction result;
  result.position = B.x;
  result.axes = A.a;
  result.force = wrench.segment<3>(6);
  result.moment = wrench.segment<3>(9) - B.r.cross(result.force);
  return result;
}

HistoryColumns::HistoryColumns(const Model& model, AnalysisSpec::Kind analysis)
    : model_(model),
      has_ledger_(analysis == AnalysisSpec::Kind::dynamic),
      has_load_factor_(analysis == AnalysisSpec::Kind::static_equilibrium) {
  columns_.push_back(has_load_factor_ ? HistoryColumn{"load_factor", "1"} : HistoryColumn{"time", "s"});
  add_points();
  add_joints();
  add_elements();
  add_energies();
  values_.resize(columns_.size());
}

void HistoryColumns::add_vector(const std::string& name, const std::string& unit) {
  for (const char* axis : {".x", ".y", ".z"}) columns_.push_back({name + axis, unit});
}

void HistoryColumns::add_points() {
  for (const OutputPoint& point : model_.points) {
    add_vector(point.name + ".position", "m");
    add_vector(point.name + ".velocity", "m/s");
    add_vector(point.name + ".acceleration", "m/s^2");
    add_vector(point.name + ".angular_velocity", "rad/s");
  }
}

void HistoryColumns::add_joints() {
  for (const Joint& joint : model_.joints) {
    add_vector(joint.name + ".force", "N");
    add_vector(joint.name + ".moment", "N*m");
    if (has_angle(joint)) columns_.push_back({joint.name + ".angle", "rad"});
    if (has_displacement(joint)) columns_.push_back({joint.name + ".displacement", "m"});
    if (has_length(joint)) columns_.push_back({joint.name + ".length", "m"});
    for (const Equation& equation : joint.equations)
      if (equation.is_driven())
        columns_.push_back({joint.name + (equation.is_length() ? ".drive_force" : ".drive_moment"),
                            equation.is_length() ? "N" : "N*m"});
  }
}

void HistoryColumns::add_elements() {
  for (const auto& element : model_.elements)
    for (const ForceElement::Quantity& quantity : element->quantities())
      columns_.push_back({element->name() + "." + quantity.name, quantity.unit});
}

void HistoryColumns::add_energies() {
  for (const char* name :
       {"energy.kinetic", "energy.elastic", "energy.gravity", "energy.contact", "energy.friction_state"})
    columns_.push_back({name, "J"});
  if (!has_ledger_) return;
  for (const char* name : {"work.loads", "work.drives", "loss.friction", "loss.contact", "loss.damping",
                           "loss.numerical", "loss.projection", "ledger.residual"})
    columns_.push_back({name, "J"});
}

void HistoryColumns::put(const Vec3& value) {
  for (int k = 0; k < 3; ++k) put(value[k]);
}

void HistoryColumns::put_point(const Frame& frame, const Snapshot& snapshot) {
  const Mat3& R = snapshot.state.pose[frame.node].R;
  const Vec6& nu = snapshot.state.twist[frame.node];
  const Vec6& rate = snapshot.twist_rate[frame.node];
  const Vec3 w = nu.tail<3>();
  const Vec3 v = nu.head<3>() + w.cross(frame.offset);
  put(place_of(frame, snapshot.state).x);
  put(R * v);
  put(R * (rate.head<3>() + Vec3(rate.tail<3>()).cross(frame.offset) + w.cross(v)));
  put(R * w);
}

void HistoryColumns::put_joint(const Joint& joint, const Snapshot& snapshot) {
  const JointReaction r = reaction(joint, snapshot.state, snapshot.multipliers);
  put(r.axes.transpose() * r.force);
  put(r.axes.transpose() * r.moment);
  const FramePlace A = place_of(joint.a, snapshot.state);
  const FramePlace B = place_of(joint.b, snapshot.state);
  if (has_angle(joint)) put(std::atan2(A.a.col(1).dot(B.a.col(0)), A.a.col(0).dot(B.a.col(0))));
  if (has_displacement(joint)) put(A.a.col(2).dot(B.x - A.x));
  if (has_length(joint)) put((B.x - A.x).norm());
  for (std::size_t k = 0; k < joint.equations.size(); ++k)
    if (joint.equations[k].is_driven()) put(-snapshot.multipliers[joint.first_equation + k]);
}

std::span<const double> HistoryColumns::values(const Snapshot& snapshot) {
  next_ = 0;
  put(has_load_factor_ ? snapshot.state.load_factor : snapshot.state.time);
  for (const OutputPoint& point : model_.points) put_point(point.frame, snapshot);
  for (const Joint& joint : model_.joints) put_joint(joint, snapshot);
  set_instant(snapshot.state, now_);
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    const ForceElement& element = *model_.elements[e];
    const std::size_t n = element.quantities().size();
    element.evaluate(now_, internal_of(model_, snapshot.state, e), {values_.data() + next_, n});
    next_ += n;
  }
  const Ledger& ledger = snapshot.ledger;
  for (const double energy : {ledger.kinetic, ledger.elastic, ledger.gravity, ledger.contact, ledger.friction_state})
    put(energy);
  if (has_ledger_)
    for (const double value : {ledger.load_work, ledger.drive_work, ledger.friction_loss, ledger.contact_loss,
                               ledger.damping_loss, ledger.numerical_loss, ledger.projection_loss, ledger.residual})
      put(value);
  // Subnormal numbers are round-off of zero, and many readers refuse them.
  for (double& value : values_)
    if (std::abs(value) < std::numeric_limits<double>::min()) value = 0.0;
  return values_;
}

}  // namespace freeplay
