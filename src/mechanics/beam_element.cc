#include "freeplay/mechanics/beam_element.h"

#include "freeplay/math/packet.h"

namespace freeplay {

BeamElement::BeamElement(std::string name, std::vector<int> nodes, const std::vector<Pose>& reference,
                         std::shared_ptr<const GaussPoints> points, double damping, const std::optional<Mat3>& corner)
    : ForceElement(std::move(name)),
      nodes_(std::move(nodes)),
      points_(std::move(points)),
      damping_(damping),
      corner_(corner) {
  NodeValues q;
  for (int a = 0; a < n_nodes(); ++a) q[a] << reference[a].x, reference[a].R;
  for (const GaussLanes& lanes : points_->lanes) reference_.push_back(total_strain(lanes.interpolate(q, n_nodes())));
}

namespace {

Mat34 q_of(const Pose& pose) {
  Mat34 q;
  q.col(0) = pose.x;
  q.rightCols<3>() = pose.R;
  return q;
}

}  // namespace

BeamElement::NodeValues BeamElement::gather_start(const Motion& motion) const {
  NodeValues q;
  for (int a = 0; a < n_nodes(); ++a) q[a] = q_of(motion.nodes[nodes_[a]].start);
  rotation_to_own_axes(q);
  return q;
}

BeamElement::ElementStep BeamElement::gather(const Motion& motion) const {
  ElementStep step;
  for (int a = 0; a < n_nodes(); ++a) {
    const NodeMotion& node = motion.nodes[nodes_[a]];
    step.start[a] = q_of(node.start);
    step.to_end[a] = node.to_end;
    step.to_jump[a] = node.to_jump;
  }
  for (NodeValues* q : {&step.start, &step.to_end, &step.to_jump}) rotation_to_own_axes(*q);
  return step;
}

LaneStrain BeamElement::strains_of(const GaussLanes& points, std::span<const double> own) const {
  LaneStrain strains;
  // Whole columns at a time: numbers that are written one by one can not be read four at a time at once.
  const auto number = [&](int lane, int k) { return lane < points.n_points ? own[6 * lane + k] : 0.0; };
  for (int k = 0; k < 6; ++k)
    packet_at(strains.col(k).data()) = Packet{number(0, k), number(1, k), number(2, k), number(3, k)};
  return strains;
}

BeamElement::PointStep BeamElement::step_at(const GaussLanes& points, const ElementStep& step) const {
  const LaneField start = points.interpolate(step.start, n_nodes());
  const LaneField to_end = points.interpolate(step.to_end, n_nodes());
  const LaneField to_jump = points.interpolate(step.to_jump, n_nodes());
  PointStep result{moved_half(start, to_end), moved_half(start, to_jump), {}, {}};
  result.to_end = strain_change(result.middle, to_end);
  result.to_jump = strain_change(result.half, to_jump);
  return result;
}

LaneStrain BeamElement::mean_stress(const Motion& motion, const GaussLanes& points, const PointStep& step,
                                    std::span<const double> own) const {
  return points.stress(strains_of(points, own) + (0.5 + damping_ / motion.dt) * step.to_end + 0.5 * step.to_jump);
}

LaneStrain BeamElement::jump_stress(const Motion& motion, const GaussLanes& points, const PointStep& step) const {
  return points.stress(step.to_end - motion.alpha * step.to_jump);
}

LaneStrain BeamElement::instant_stress(const GaussLanes& points, std::span<const double> own) const {
  return points.stress(strains_of(points, own) + damping_ * rates_of(points, own));
}

void BeamElement::initialise(const Motion& motion, std::span<double> internal) const {
  const NodeValues q = gather_start(motion);
  const NodeValues rates = gather_rates(motion);
  auto reference = reference_.begin();
  for_points(internal, [&](const GaussLanes& points, std::span<double> own) {
    const LaneField field = points.interpolate(q, n_nodes());
    const LaneStrain strain = total_strain(field) - *reference++;
    const LaneStrain rate = strain_change(field, points.interpolate(rates, n_nodes()));
    for (int lane = 0; lane < points.n_points; ++lane) {
      Vec6::Map(own.data() + 6 * lane) = strain.row(lane).transpose();
      Vec6::Map(own.data() + 6 * (n_points() + lane)) = rate.row(lane).transpose();
    }
  });
}

void BeamElement::advance(const Motion& motion, std::span<double> internal) const {
  const ElementStep step = gather(motion);
  for_points(internal, [&](const GaussLanes& points, std::span<double> own) {
    const LaneField to_end = points.interpolate(step.to_end, n_nodes());
    const LaneField middle = moved_half(points.interpolate(step.start, n_nodes()), to_end);
    advance_at(motion, points, strain_change(middle, to_end), own);
  });
}

void BeamElement::advance_at(const Motion& motion, const GaussLanes& points, const LaneStrain& change,
                             std::span<double> own) const {
  // No time passes in statics.
  const double by_time = motion.passed > 0.0 ? 1.0 / motion.dt : 0.0;
  for (int lane = 0; lane < points.n_points; ++lane) {
    Vec6::Map(own.data() + 6 * lane) += change.row(lane).matrix().transpose();
    Vec6::Map(own.data() + 6 * (n_points() + lane)) = by_time * change.row(lane).matrix().transpose();
  }
}

BeamElement::NodeValues BeamElement::gather_rates(const Motion& motion) const {
  NodeValues rates;
  for (int a = 0; a < n_nodes(); ++a) {
    const Vec6 v = motion.velocity.empty() ? Vec6(Vec6::Zero()) : motion.velocity_of(nodes_[a]);
    rates[a] << v.head<3>(), skew(v.tail<3>()) * motion.nodes[nodes_[a]].start.R;
  }
  rotation_to_own_axes(rates);
  return rates;
}

namespace {

Packet row(const Mat34& q, int i) { return packet_at(q.data() + packet_size * i); }

struct Wrench {
  Vec3 force, moment;
};

/// On a node, from the forces on its q: moment = sum_k d_k x F_dk.
Wrench wrench(const Mat34& q, const Mat34& force) {
  Wrench result;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (j + 1) % 3;
    const Packet moments = row(q, j) * row(force, k) - row(q, k) * row(force, j);
    result.force[i] = force(i, 0);
    result.moment[i] = moments[1] + moments[2] + moments[3];
  }
  return result;
}

/// P(R_i, R_j)^T F = (D^T F_x, sum_k e_k x D^T F_dk) with q = (x, D), D = (R_i + R_j)/2: in body axes.
Wrench pulled_back(const Mat34& q, const Mat34& force) {
  const auto on_director = [&](int k) {
    return q(0, k + 1) * row(force, 0) + q(1, k + 1) * row(force, 1) + q(2, k + 1) * row(force, 2);
  };
  const Packet body[3] = {on_director(0), on_director(1), on_director(2)};
  return {{body[0][0], body[1][0], body[2][0]},
          {body[2][2] - body[1][3], body[0][3] - body[2][1], body[1][1] - body[0][2]}};
}

void add(const Wrench& wrench, Vec6& sum) {
  sum.head<3>() += wrench.force;
  sum.tail<3>() += wrench.moment;
}

}  // namespace

void BeamElement::add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const {
  const ElementStep step = gather(motion);
  NodeValues resisting;
  for (int a = 0; a < n_nodes(); ++a) resisting[a].setZero();
  for_points(internal, [&](const GaussLanes& points, std::span<const double> own) {
    const PointStep here = step_at(points, step);
    const LaneStrain stress =
        motion.is_instant() ? instant_stress(points, own) : mean_stress(motion, points, here, own);
    points.add_stress(here.middle, stress, n_nodes(), resisting);
  });
  for (int a = 0; a < n_nodes(); ++a)
    add(wrench(step.start[a] + 0.5 * step.to_end[a], resisting[a]), forces[nodes_[a]]);
}

void BeamElement::add_step_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces,
                                  std::vector<Vec6>& jump_forces) const {
  const ElementStep step = gather(motion);
  NodeValues balance, jump;
  for (int a = 0; a < n_nodes(); ++a) {
    balance[a].setZero();
    jump[a].setZero();
  }
  for_points(internal, [&](const GaussLanes& points, std::span<const double> own) {
    const PointStep here = step_at(points, step);
    points.add_stress(here.middle, mean_stress(motion, points, here, own), n_nodes(), balance);
    points.add_stress(here.half, jump_stress(motion, points, here), n_nodes(), jump);
  });
  for (int a = 0; a < n_nodes(); ++a) {
    add(wrench(step.start[a] + 0.5 * step.to_end[a], balance[a]), forces[nodes_[a]]);
    Wrench jump_force = pulled_back(step.start[a] + 0.5 * step.to_jump[a], jump[a]);
    for (Vec3* vector : {&jump_force.force, &jump_force.moment}) rotation_to_node_axes(a, *vector);
    add(jump_force, jump_forces[nodes_[a]]);
  }
}

StepWork BeamElement::work_at(const Motion& motion, const GaussLanes& points, const PointStep& step) const {
  StepWork work;
  if (damping_ > 0.0) work.damping_loss = damping_ / motion.dt * points.work(points.stress(step.to_end), step.to_end);
  work.numerical_loss = 0.5 * motion.alpha * points.work(points.stress(step.to_jump), step.to_jump);
  return work;
}

StepWork BeamElement::work(const Motion& motion, std::span<const double>) const {
  const ElementStep step = gather(motion);
  StepWork work;
  for (const GaussLanes& points : points_->lanes) work += work_at(motion, points, step_at(points, step));
  return work;
}

StepWork BeamElement::conclude(const Motion& motion, std::span<const double>, std::span<double> end) const {
  const ElementStep step = gather(motion);
  StepWork work;
  for_points(end, [&](const GaussLanes& points, std::span<double> own) {
    const PointStep here = step_at(points, step);
    work += work_at(motion, points, here);
    advance_at(motion, points, here.to_end, own);
  });
  return work;
}

double BeamElement::stored_energy(const Motion&, std::span<const double> internal) const {
  double energy = 0.0;
  for_points(internal, [&](const GaussLanes& points, std::span<const double> own) {
    const LaneStrain strains = strains_of(points, own);
    energy += 0.5 * points.work(points.stress(strains), strains);
  });
  return energy;
}

ForceElement::Cancelling BeamElement::cancelling(double size) const {
  double extension = 0.0, bending = 0.0;
  for (const GaussLanes& points : points_->lanes) {
    for (int lane = 0; lane < points.n_points; ++lane) {
      const Vec6 stiffness = points.stiffness_of(lane).diagonal();
      extension = std::max(extension, stiffness.head<3>().maxCoeff());
      bending = std::max(bending, stiffness.tail<3>().maxCoeff());
    }
  }
  const double force = extension * std::max(1.0, size / length());
  return {force, force * length() + bending / length()};
}

double BeamElement::length() const {
  double sum = 0.0;
  for (const GaussLanes& points : points_->lanes) sum += points.weight.sum();
  return sum;
}

Pose BeamElement::interpolated(const Motion& motion, std::span<const double> shape) const {
  const NodeValues q = gather_start(motion);
  Mat34 value = Mat34::Zero();
  for (int a = 0; a < n_nodes(); ++a) value += shape[a] * q[a];
  return {value.col(0), value.rightCols<3>()};
}

void BeamElement::section_states(std::span<const double> internal, std::span<SectionState> states) const {
  auto state = states.begin();
  for_points(internal, [&](const GaussLanes& points, std::span<const double> own) {
    const LaneStrain strain = strains_of(points, own), stress = instant_stress(points, own);
    for (int lane = 0; lane < points.n_points; ++lane)
      *state++ = {strain.row(lane).transpose(), stress.row(lane).transpose()};
  });
}

}  // namespace freeplay
