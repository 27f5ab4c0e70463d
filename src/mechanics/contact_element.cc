#include "freeplay/mechanics/contact_element.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "end_pose.h"
#include "freeplay/math/rotation.h"

namespace freeplay {

namespace {

/// Of a contact that is there from the beginning: laws whose damping depends on the speed of impact have none.
constexpr double no_impact = INFINITY;

/// Share of a step in which the bodies touch, with a gap that is linear in time. Bristles that bent during the rest of
/// a step as well would be half settled when the contact begins, by chance more or less.
template <class T>
T part_in_contact(double gap_i, const T& gap_f) {
  if (gap_i >= 0.0 && value_of(gap_f) < 0.0) return gap_f / (gap_f - gap_i);
  if (gap_i < 0.0 && value_of(gap_f) >= 0.0) return gap_i / (gap_i - gap_f);
  return T(1.0);
}

/// v turned by the Cayley vector of a rotation.
template <class T>
Vector3<T> rotated(const Vector3<T>& v, const Vector3<T>& cayley) {
  const Vector3<T> first = cayley.cross(v);
  const Vector3<T> both = first + 0.5 * cayley.cross(first);
  return v + both / T(1.0 + 0.25 * cayley.dot(cayley));
}

/// Half of a rotation: tan(angle/4) from tan(angle/2).
template <class T>
Vector3<T> half(const Vector3<T>& cayley) {
  using std::sqrt;
  return cayley / T(1.0 + sqrt(T(1.0 + 0.25 * cayley.dot(cayley))));
}

/// The largest value over a step of a force that is a parabola with these values at its ends and this mean.
double peak_of_parabola(double start, double mean, double end) {
  const double slope = 6.0 * mean - 4.0 * start - 2.0 * end, bend = 3.0 * (start + end) - 6.0 * mean;
  const double largest = std::max({start, mean, end});
  const double top = -0.5 * slope / bend;
  return bend < 0.0 && top > 0.0 && top < 1.0 ? std::max(largest, start + 0.5 * slope * top) : largest;
}

/// v, normal to `from`, turned along the shortest way that turns the unit vector `from` into the unit vector `to`.
template <class T>
Vector3<T> carried(const Vector3<T>& v, const Vector3<T>& from, const Vector3<T>& to) {
  return v - T(to.dot(v) / (1.0 + from.dot(to))) * (from + to);
}

}  // namespace

ContactElement::ContactElement(std::string name, const Frame& a, const Frame& b,
                               std::shared_ptr<const ContactGeometry> geometry, std::shared_ptr<const ContactLaw> law,
                               std::shared_ptr<const FrictionLaw> friction, const ApproachControl& approach,
                               const std::optional<ContactJoint>& joint)
    : ForceElement(std::move(name)),
      a_(a),
      b_(b),
      nodes_{a.node, b.node},
      geometry_(std::move(geometry)),
      law_(std::move(law)),
      friction_(std::move(friction)),
      approach_(approach),
      joint_(joint.value_or(ContactJoint{this->name(), a, b, 0.0})) {}

template <class T>
FrameStep<T> ContactElement::frame_step(const Motion& motion, const Frame& frame, int side) const {
  FrameStep<T> step;
  const Pose start = frame.node == ground ? Pose{} : motion.nodes[frame.node].start;
  const FramePlace i = place(frame, start);
  step.x_i = i.x;
  step.r_i = i.r;
  step.a_i = i.a;
  if (frame.node == ground) {
    step.x_f = i.x.cast<T>();
    step.r_f = i.r.cast<T>();
    step.a_f = i.a.cast<T>();
    step.displacement = step.rotation = Vector3<T>::Zero();
    return step;
  }
  const EndPose<T> end = end_pose<T>(motion.is_instant() ? start : motion.nodes[frame.node].end(), side);
  step.r_f = end.R * frame.offset.cast<T>();
  step.x_f = end.x + step.r_f;
  step.a_f = end.R * frame.axes.cast<T>();
  if (motion.is_instant()) {
    step.displacement = motion.velocity[frame.node].head<3>().cast<T>();
    step.rotation = motion.velocity[frame.node].tail<3>().cast<T>();
  } else {
    step.displacement = end.x - start.x.cast<T>();
    step.rotation = cayley_vector<T>(end.R, start.R);
  }
  return step;
}

template <class Which>
ContactKinematics<double> ContactElement::instant_kinematics(const Motion& motion, Which which) const {
  const auto still = [&](const Frame& frame) {
    const FramePlace p = place(frame, frame.node == ground ? Pose{} : std::invoke(which, motion.nodes[frame.node]));
    return FrameStep<double>{p.x, p.r, p.a, p.x, p.r, p.a, Vec3::Zero(), Vec3::Zero()};
  };
  return geometry_->kinematics(still(a_), still(b_));
}

template <class T>
Vector3<T> ContactElement::carried_bristles(const Motion& motion, std::span<const double> internal,
                                            const FrameStep<T>& a, const Vector3<T>& normal) const {
  const Vec3 z = Vec3::Map(internal.data() + bristle);
  if (z.isZero(0.0)) return Vector3<T>::Zero();
  const Vector3<T> start = (a.a_i * z).template cast<T>();
  if (motion.is_instant()) return start;
  const Vector3<T> old_normal = instant_kinematics(motion, &NodeMotion::start).normal.template cast<T>();
  const Vector3<T> spin = half<T>(a.rotation);
  return carried<T>(rotated<T>(start, spin), rotated<T>(old_normal, spin), normal);
}

template <class T>
ContactElement::Forces<T> ContactElement::forces(const Motion& motion, std::span<const double> internal) const {
  const FrameStep<T> a = frame_step<T>(motion, a_, 0);
  const FrameStep<T> b = frame_step<T>(motion, b_, 1);
  Forces<T> result;
  result.where = geometry_->kinematics(a, b);
  result.slip = result.friction.force = result.friction.state = Vector3<T>::Zero();
  const ContactKinematics<T>& k = result.where;
  const Vector3<T> displacement = b.displacement_of(k.arm_b) - a.displacement_of(k.arm_a);
  const double duration = motion.is_instant() ? 1.0 : motion.dt;
  result.slip = (displacement - T(k.normal.dot(displacement)) * k.normal) / T(duration);
  if (motion.is_instant() && internal[last_dt] > 0.0) {
    result.normal = internal[force_at_end];
    // The coefficient is that of the step.
    const double part = internal[normal_force] > 0.0 ? internal[force_at_end] / internal[normal_force] : 0.0;
    result.friction.force = (part * a.a_i * Vec3::Map(internal.data() + friction_force)).template cast<T>();
    return result;
  }
  if (motion.is_instant()) {
    const T rate =
        -(k.force_b.dot(b.displacement - a.displacement) + k.moment_b.dot(b.rotation) + k.moment_a.dot(a.rotation));
    result.normal = T(law_->force(-k.gap_i, value_of(rate), internal[impact_speed], memory(internal)));
  } else {
    result.normal = law_->step_force(-k.gap_i, T(-k.gap_f), motion.dt, internal[impact_speed], memory(internal));
  }
  // Statics leave friction out: on whatever way they find a position of rest, what it then does is not unique.
  const bool is_static = !motion.is_instant() && motion.passed == 0.0;
  if (!friction_ || value_of(result.normal) <= 0.0 || is_static) return result;
  const Vector3<T> z = carried_bristles<T>(motion, internal, a, k.normal);
  if (motion.is_instant())
    result.friction = {
        friction_->force(values_of(result.slip), value_of(result.normal), values_of(z)).template cast<T>(), z};
  else
    result.friction = friction_->step(result.slip, result.normal, z, T(motion.dt * part_in_contact(k.gap_i, k.gap_f)));
  return result;
}

/// Resisting forces and moments on the nodes of a and b.
template <class T>
Eigen::Matrix<T, 12, 1> ContactElement::wrench(const Motion& motion, std::span<const double> internal) const {
  const Forces<T> f = forces<T>(motion, internal);
  const Vector3<T>& tangential = f.friction.force;
  const Vector3<T> on_b = tangential - f.normal * f.where.force_b;
  Eigen::Matrix<T, 12, 1> w;
  w.template segment<3>(0) = -on_b;
  w.template segment<3>(3) = -(f.normal * f.where.moment_a) - f.where.arm_a.cross(tangential);
  w.template segment<3>(6) = on_b;
  w.template segment<3>(9) = f.where.arm_b.cross(tangential) - f.normal * f.where.moment_b;
  return w;
}

RestingContact ContactElement::at_rest(const Motion& motion) const {
  const ContactKinematics<double> k = instant_kinematics(motion, &NodeMotion::start);
  RestingContact contact{k.gap_i, {}, {}};
  contact.pressure << k.force_b, -k.moment_a, -k.force_b, -k.moment_b;
  const Mat3 axes = basis_with_third_axis(k.normal);
  for (int d = 0; d < 2; ++d) {
    const Vec3 t = axes.col(d);
    contact.friction.col(d) << -t, -k.arm_a.cross(t), t, k.arm_b.cross(t);
  }
  return contact;
}

void ContactElement::add_forces(const Motion& motion, std::span<const double> internal,
                                std::vector<Vec6>& forces) const {
  const Eigen::Matrix<double, 12, 1> w = wrench<double>(motion, internal);
  for (int side = 0; side < 2; ++side)
    if (nodes_[side] != ground) forces[nodes_[side]] += w.segment<6>(6 * side);
}

void ContactElement::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  const ContactKinematics<double> end = instant_kinematics(motion, &NodeMotion::end);
  if (end.gap_i >= 0.0 && instant_kinematics(motion, &NodeMotion::start).gap_i >= 0.0) return;
  const Eigen::Matrix<Dual, 12, 1> w = wrench<Dual>(motion, internal);
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 2; ++column) {
      if (nodes_[row] == ground || nodes_[column] == ground) continue;
      Mat6 block;
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) block(r, c) = w[6 * row + r].dx(6 * column + c);
      sink.add(TangentSink::Row::balance, nodes_[row], TangentSink::Column::end, nodes_[column], block);
    }
}

void ContactElement::initialise(const Motion& motion, std::span<double> internal) const {
  std::fill(internal.begin(), internal.end(), 0.0);
  if (instant_kinematics(motion, &NodeMotion::start).gap_i < 0.0) internal[impact_speed] = no_impact;
}

/// Mean speeds belong to the middles of the steps. The speed at the moment of touch is interpolated between those of
/// the step before and of the one that touches: the mean alone would be wrong in proportion to the step.
double ContactElement::speed_of_impact(const Motion& motion, std::span<const double> internal, double gap_i,
                                       double gap_f) const {
  const double mean = (gap_i - gap_f) / motion.dt;
  if (gap_i < 0.0) return ContactLaw::speed_of_impact(internal[impact_speed], mean);
  if (internal[last_dt] == 0.0) return mean;
  const double until_touch = motion.dt * gap_i / (gap_i - gap_f);
  const double displacement = (2.0 * until_touch + internal[last_dt]) / (motion.dt + internal[last_dt]);
  // Whatever the step before was like, a touch is not at rest.
  return std::clamp(std::lerp(internal[last_approach], mean, displacement), 0.5 * mean, 2.0 * mean);
}

/// The rate of penetration is continued from the middles of the last two steps: velocities at the end of a step that is
/// long for a stiff contact are, times damping, not its force. Where the forces at both ends of a step do not fit its
/// mean, it is too long for the contact, and the mean is what Newton's law knows.
double ContactElement::force_at_end_of(const Motion& motion, std::span<const double> internal, const Forces<double>& f,
                                       double speed, std::span<const double> after) const {
  constexpr double fits = 0.2;
  const double mean_rate = (f.where.gap_i - f.where.gap_f) / motion.dt, before = internal[last_dt];
  const double rate =
      before > 0.0 ? mean_rate + (mean_rate - internal[last_approach]) * motion.dt / (motion.dt + before) : mean_rate;
  const double end = law_->force(-f.where.gap_f, rate, speed, after);
  if (f.where.gap_i >= 0.0 || before == 0.0) return end;
  const double start = internal[force_at_end];
  return std::abs(0.5 * (start + end) - f.normal) <= fits * std::max({start, f.normal, end}) ? end : f.normal;
}

void ContactElement::advance(const Motion& motion, std::span<double> internal) const {
  const ContactKinematics<double> end = instant_kinematics(motion, &NodeMotion::end);
  if (motion.passed == 0.0) {
    // Statics have neither impacts nor friction.
    std::fill(internal.begin(), internal.end(), 0.0);
    if (end.gap_i < 0.0) internal[impact_speed] = no_impact;
    return;
  }
  const Forces<double> f = forces<double>(motion, internal);
  const Vec3 force_on_b = f.normal * f.where.force_b - f.friction.force;
  internal[normal_impulse] += motion.dt * f.normal;
  Vec3::Map(internal.data() + impulse) += motion.dt * force_on_b;
  internal[normal_force] = f.normal;
  double force = 0.0;
  const std::span<double> remembered = internal.subspan(n_own_internal);
  law_->remember(-f.where.gap_i, -f.where.gap_f, remembered);
  if (end.gap_i < 0.0) {
    internal[impact_speed] = speed_of_impact(motion, internal, f.where.gap_i, f.where.gap_f);
    force = force_at_end_of(motion, internal, f, internal[impact_speed], remembered);
  }
  const bool lasts = f.where.gap_i < 0.0 && end.gap_i < 0.0 && internal[last_dt] > 0.0;
  internal[peak] = std::max(
      {internal[peak], f.normal, force, lasts ? peak_of_parabola(internal[force_at_end], f.normal, force) : 0.0});
  internal[force_at_end] = force;
  internal[last_approach] = (f.where.gap_i - f.where.gap_f) / motion.dt;
  internal[last_dt] = motion.dt;
  if (end.gap_i >= 0.0) {
    // Open: the next touch begins anew.
    internal[impact_speed] = internal[normal_force] = 0.0;
    std::ranges::fill(remembered, 0.0);
    Vec3::Map(internal.data() + bristle).setZero();
    Vec3::Map(internal.data() + friction_force).setZero();
    return;
  }
  const FrameStep<double> a = frame_step<double>(motion, a_, 0);
  const Vec3 spin = half<double>(a.rotation);
  // From the middle of the step to its end, in the axes that a has there.
  const auto at_end = [&](const Vec3& v) -> Vec3 {
    return a.a_f.transpose() *
           carried<double>(rotated<double>(v, spin), rotated<double>(f.where.normal, spin), end.normal);
  };
  Vec3::Map(internal.data() + last_slip) = a.a_f.transpose() * f.slip;
  Vec3::Map(internal.data() + bristle) = at_end(f.friction.state);
  Vec3::Map(internal.data() + friction_force) = at_end(f.friction.force);
}

void ContactElement::forget_peaks(std::span<double> internal) const { internal[peak] = 0.0; }

ContactEnergy ContactElement::contact_energy(const Motion& motion, std::span<const double> internal) const {
  const double gap = instant_kinematics(motion, &NodeMotion::start).gap_i;
  ContactEnergy energy;
  energy.elastic = law_->stored_energy(-gap, memory(internal));
  if (friction_)
    energy.friction = friction_->stored_energy(internal[normal_force], Vec3::Map(internal.data() + bristle));
  return energy;
}

StepWork ContactElement::work(const Motion& motion, std::span<const double> internal) const {
  const Forces<double> f = forces<double>(motion, internal);
  StepWork work;
  std::array<double, ContactLaw::max_memory> numbers;
  const std::span<double> then(numbers.data(), memory(internal).size());
  std::ranges::copy(memory(internal), then.begin());
  law_->remember(-f.where.gap_i, -f.where.gap_f, then);
  const double stored =
      law_->stored_energy(-f.where.gap_f, then) - law_->stored_energy(-f.where.gap_i, memory(internal));
  work.contact_loss = f.normal * (f.where.gap_i - f.where.gap_f) - stored;
  if (!friction_) return work;
  const double before = friction_->stored_energy(internal[normal_force], Vec3::Map(internal.data() + bristle));
  const double after = f.where.gap_f < 0.0 ? friction_->stored_energy(f.normal, f.friction.state) : 0.0;
  work.friction_loss = motion.dt * f.friction.force.dot(f.slip) - (after - before);
  return work;
}

/// In the axes of a, where bristles stay with the surface; a point of contact that travels carries them along.
double ContactElement::state_error(const Motion& start, std::span<const double> internal, const Motion& end,
                                   std::span<const double> end_internal, double dt) const {
  if (!has_state_error()) return 0.0;
  const Forces<double> i = forces<double>(start, internal), f = forces<double>(end, end_internal);
  // Open again, or pressed no more: nothing is left of them.
  if (f.where.gap_i >= 0.0 || end_internal[normal_force] <= 0.0) return 0.0;
  const auto axes = [&](const Motion& motion) { return Mat3(motion(a_).start.a.transpose()); };
  const Mat3 to_a_i = axes(start), to_a_f = axes(end);
  const Vec3 normal_i = to_a_i * i.where.normal, normal_f = to_a_f * f.where.normal;
  const auto carry = [&](const Vec3& v) { return carried<double>(v, normal_i, normal_f); };
  const Bristles before{carry(to_a_i * i.slip), carry(Vec3::Map(internal.data() + bristle))};
  const Bristles after{to_a_f * f.slip, Vec3::Map(end_internal.data() + bristle)};
  return friction_->state_error(before, after, end_internal[normal_force],
                                dt * part_in_contact(i.where.gap_i, f.where.gap_i));
}

/// Penetrations are small differences of positions.
ForceElement::Cancelling ContactElement::cancelling(double size) const {
  const double force = law_->secant_stiffness(approach_.penetration) * size;
  return {force, force * std::max(a_.offset.norm(), b_.offset.norm())};
}

// What the other files of this class use.
template FrameStep<double> ContactElement::frame_step(const Motion&, const Frame&, int) const;
template ContactElement::Forces<double> ContactElement::forces(const Motion&, std::span<const double>) const;

}  // namespace freeplay
