#include "freeplay/beam/beam_element.h"

namespace freeplay {

BeamElement::BeamElement(std::string name, std::vector<int> nodes, const std::vector<Pose>& reference,
                         const LineMesh::Element& geometry, const Section& section, const std::optional<Mat3>& corner)
    : ForceElement(std::move(name)), nodes_(std::move(nodes)), damping_(section.damping), corner_(corner) {
  NodeValues q;
  for (int a = 0; a < n_nodes(); ++a) q[a] << reference[a].x, reference[a].R;
  for (const LineMesh::GaussPoint& gauss : geometry.gauss_points) {
    Point point;
    point.weight = gauss.weight;
    std::copy(gauss.shape.begin(), gauss.shape.end(), point.shape.begin());
    std::copy(gauss.derivative.begin(), gauss.derivative.end(), point.derivative.begin());
    point.reference = strain(interpolate(point, q));
    point.stiffness = section.stiffness[points_.size()];
    points_.push_back(point);
  }
}

BeamElement::NodeValues BeamElement::gather_start(const Motion& motion) const {
  NodeValues q;
  for (int a = 0; a < n_nodes(); ++a) q[a] << motion.nodes[nodes_[a]].start.x, motion.nodes[nodes_[a]].start.R;
  turn_to_own_axes(q);
  return q;
}

BeamElement::ElementStep BeamElement::gather(const Motion& motion) const {
  ElementStep step;
  for (int a = 0; a < n_nodes(); ++a) {
    const NodeMotion& node = motion.nodes[nodes_[a]];
    step.start[a] << node.start.x, node.start.R;
    step.to_end[a] = node.to_end;
    step.to_jump[a] = node.to_jump;
  }
  for (NodeValues* q : {&step.start, &step.to_end, &step.to_jump}) turn_to_own_axes(*q);
  return step;
}

BeamElement::Field BeamElement::interpolate(const Point& point, const NodeValues& q) const {
  Field field{point.shape[0] * q[0], point.derivative[0] * q[0]};
  for (int a = 1; a < n_nodes(); ++a) {
    field.value += point.shape[a] * q[a];
    field.derivative += point.derivative[a] * q[a];
  }
  return field;
}

BeamElement::Field BeamElement::moved_half(const Field& start, const Field& change) {
  return {start.value + 0.5 * change.value, start.derivative + 0.5 * change.derivative};
}

Vec6 BeamElement::strain(const Field& field) {
  const auto d = [&](int k) { return field.value.col(k); };
  const auto dp = [&](int k) { return field.derivative.col(k); };
  Vec6 e;
  for (int k = 1; k <= 3; ++k) e[k - 1] = d(k).dot(dp(0));
  e[3] = 0.5 * (d(3).dot(dp(2)) - d(2).dot(dp(3)));
  e[4] = 0.5 * (d(1).dot(dp(3)) - d(3).dot(dp(1)));
  e[5] = 0.5 * (d(2).dot(dp(1)) - d(1).dot(dp(2)));
  return e;
}

Vec6 BeamElement::strain_change(const Field& middle, const Field& change) {
  const auto product = [](const Field& a, const Field& b, int k, int l) {
    return a.value.col(k).dot(b.derivative.col(l));
  };
  Vec6 e;
  for (int k = 1; k <= 3; ++k) e[k - 1] = product(middle, change, k, 0) + product(change, middle, k, 0);
  for (int k = 1; k <= 3; ++k) {
    const int b = k % 3 + 1;
    const int c = b % 3 + 1;
    e[k + 2] = 0.5 * ((product(middle, change, c, b) + product(change, middle, c, b)) -
                      (product(middle, change, b, c) + product(change, middle, b, c)));
  }
  return e;
}

BeamElement::PointStep BeamElement::step_at(const Point& point, const ElementStep& step) const {
  const Field start = interpolate(point, step.start);
  const Field to_end = interpolate(point, step.to_end);
  const Field to_jump = interpolate(point, step.to_jump);
  PointStep result;
  result.middle = moved_half(start, to_end);
  result.half = moved_half(start, to_jump);
  result.to_end = strain_change(result.middle, to_end);
  result.to_jump = strain_change(result.half, to_jump);
  return result;
}

/// S_g and the damping: C [(E_f + E_j)/2 + eta (E_f - E_i)/dt] (integrator.md).
Vec6 BeamElement::mean_stress(const Motion& motion, const Point& point, const PointStep& step,
                              const double* strain) const {
  return point.stiffness * (Vec6::Map(strain) + (0.5 + damping_ / motion.dt) * step.to_end + 0.5 * step.to_jump);
}

Vec6 BeamElement::jump_stress(const Motion& motion, const Point& point, const PointStep& step) const {
  return point.stiffness * (step.to_end - motion.alpha * step.to_jump);
}

void BeamElement::add_stress(const Point& point, const Field& field, const Vec6& stress, NodeValues& forces) const {
  const auto d = [&](int k) { return field.value.col(k); };
  const auto dp = [&](int k) { return field.derivative.col(k); };
  const Vec6 s = point.weight * stress;
  const Vec3 k = 0.5 * s.tail<3>();
  Mat34 by_value, by_derivative;  // conjugate to q and q'
  by_value.col(0).setZero();
  by_value.col(1) = s[0] * dp(0) + k[1] * dp(3) - k[2] * dp(2);
  by_value.col(2) = s[1] * dp(0) + k[2] * dp(1) - k[0] * dp(3);
  by_value.col(3) = s[2] * dp(0) + k[0] * dp(2) - k[1] * dp(1);
  by_derivative.col(0) = s[0] * d(1) + s[1] * d(2) + s[2] * d(3);
  by_derivative.col(1) = k[2] * d(2) - k[1] * d(3);
  by_derivative.col(2) = k[0] * d(3) - k[2] * d(1);
  by_derivative.col(3) = k[1] * d(1) - k[0] * d(2);
  for (int a = 0; a < n_nodes(); ++a) forces[a] += point.shape[a] * by_value + point.derivative[a] * by_derivative;
}

void BeamElement::initialise(const Motion& motion, std::span<double> internal) const {
  const NodeValues q = gather_start(motion);
  const NodeValues rates = gather_rates(motion);
  for (std::size_t g = 0; g < points_.size(); ++g) {
    const Field field = interpolate(points_[g], q);
    Vec6::Map(internal.data() + 6 * g) = strain(field) - points_[g].reference;
    Vec6::Map(internal.data() + 6 * (points_.size() + g)) = strain_change(field, interpolate(points_[g], rates));
  }
}

void BeamElement::advance(const Motion& motion, std::span<double> internal) const {
  const ElementStep step = gather(motion);
  for (std::size_t g = 0; g < points_.size(); ++g) {
    const Field to_end = interpolate(points_[g], step.to_end);
    const Field middle = moved_half(interpolate(points_[g], step.start), to_end);
    const Vec6 change = strain_change(middle, to_end);
    Vec6::Map(internal.data() + 6 * g) += change;
    // No time passes in statics.
    const Vec6 rate = motion.passed > 0.0 ? Vec6(change / motion.dt) : Vec6(Vec6::Zero());
    Vec6::Map(internal.data() + 6 * (points_.size() + g)) = rate;
  }
}

BeamElement::NodeValues BeamElement::gather_rates(const Motion& motion) const {
  NodeValues rates;
  for (int a = 0; a < n_nodes(); ++a) {
    const Vec6 v = motion.velocity.empty() ? Vec6(Vec6::Zero()) : motion.velocity_of(nodes_[a]);
    rates[a] << v.head<3>(), skew(v.tail<3>()) * motion.nodes[nodes_[a]].start.R;
  }
  turn_to_own_axes(rates);
  return rates;
}

namespace {

/// Force and moment on a node from the forces on its q: moment = sum_k d_k x F_dk.
Vec6 wrench(const Mat34& q, const Mat34& force) {
  Vec6 result;
  result << force.col(0), q.col(1).cross(force.col(1)) + q.col(2).cross(force.col(2)) + q.col(3).cross(force.col(3));
  return result;
}

/// P(R_i, R_j)^T F = (D^T F_x, sum_k e_k x D^T F_dk), D = (R_i + R_j)/2: in body axes.
Vec6 pulled_back(const Mat34& force, const Mat3& D) {
  const Mat34 body = D.transpose() * force;
  Vec6 result;
  result << body.col(0), body(2, 2) - body(1, 3), body(0, 3) - body(2, 1), body(1, 1) - body(0, 2);
  return result;
}

}  // namespace

void BeamElement::add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const {
  const ElementStep step = gather(motion);
  NodeValues resisting;
  for (int a = 0; a < n_nodes(); ++a) resisting[a].setZero();
  for (std::size_t g = 0; g < points_.size(); ++g) {
    const Point& point = points_[g];
    const PointStep here = step_at(point, step);
    const Vec6 stress =
        motion.instant ? instant_stress(internal, g) : mean_stress(motion, point, here, internal.data() + 6 * g);
    add_stress(point, here.middle, stress, resisting);
  }
  for (int a = 0; a < n_nodes(); ++a) forces[nodes_[a]] += wrench(step.start[a] + 0.5 * step.to_end[a], resisting[a]);
}

void BeamElement::add_step_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces,
                                  std::vector<Vec6>& jump_forces) const {
  const ElementStep step = gather(motion);
  NodeValues balance, jump;
  for (int a = 0; a < n_nodes(); ++a) {
    balance[a].setZero();
    jump[a].setZero();
  }
  for (std::size_t g = 0; g < points_.size(); ++g) {
    const PointStep here = step_at(points_[g], step);
    add_stress(points_[g], here.middle, mean_stress(motion, points_[g], here, internal.data() + 6 * g), balance);
    add_stress(points_[g], here.half, jump_stress(motion, points_[g], here), jump);
  }
  for (int a = 0; a < n_nodes(); ++a) {
    forces[nodes_[a]] += wrench(step.start[a] + 0.5 * step.to_end[a], balance[a]);
    const Mat34 half = step.start[a] + 0.5 * step.to_jump[a];
    Vec6 jump_force = pulled_back(jump[a], half.rightCols<3>());
    turn_to_node_axes(a, jump_force);
    jump_forces[nodes_[a]] += jump_force;
  }
}

Mat6 BeamElement::strain_gradient(const Point& point, const Field& field, int node, const Mat3& arms) const {
  const auto d = [&](int k) { return field.value.col(k); };
  const auto dp = [&](int k) { return field.derivative.col(k); };
  const double N = point.shape[node];
  const double dN = point.derivative[node];
  Mat6 gradient = Mat6::Zero();
  for (int k = 1; k <= 3; ++k) {
    gradient.row(k - 1) << dN * d(k).transpose(), N * arms.col(k - 1).cross(dp(0)).transpose();
    // K_k with (b, c) the two axes after k: 1/2 (d_c . d_b' - d_b . d_c')
    const int b = k % 3 + 1;
    const int c = b % 3 + 1;
    gradient.row(k + 2).tail<3>() =
        0.5 * (arms.col(b - 1).cross(dN * d(c) - N * dp(c)) + arms.col(c - 1).cross(N * dp(b) - dN * d(b)));
  }
  return gradient;
}

Eigen::Matrix4d BeamElement::stress_stiffness(const Point& point, const Vec6& stress, int a, int b) const {
  const double N_a = point.shape[a], dN_a = point.derivative[a];
  const double N_b = point.shape[b], dN_b = point.derivative[b];
  Eigen::Matrix4d g = Eigen::Matrix4d::Zero();
  for (int k = 1; k <= 3; ++k) {
    const int l = k % 3 + 1;
    const int m = l % 3 + 1;
    g(0, k) = dN_a * N_b * stress[k - 1];
    g(k, 0) = N_a * dN_b * stress[k - 1];
    g(l, m) = 0.5 * stress[k + 2] * (dN_a * N_b - N_a * dN_b);
    g(m, l) = -g(l, m);
  }
  return point.weight * g;
}

namespace {

/// Half the variation of F_c = sum_d g(c, d) q.col(d) by (dx, dphi) of the end of an interval.
Eigen::Matrix<double, 3, 6> force_variation(const Eigen::Matrix4d& g, int c, const Mat34& end) {
  Eigen::Matrix<double, 3, 6> v;
  v.leftCols<3>() = 0.5 * g(c, 0) * Mat3::Identity();
  v.rightCols<3>() = -0.5 * skew(g(c, 1) * end.col(1) + g(c, 2) * end.col(2) + g(c, 3) * end.col(3));
  return v;
}

}  // namespace

void BeamElement::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  using Row = TangentSink::Row;
  using Column = TangentSink::Column;
  const int n = n_nodes();
  const ElementStep step = gather(motion);
  NodeValues q_f, q_j, q_m, q_h, force, jump_force;
  for (int a = 0; a < n; ++a) {
    q_f[a] = step.start[a] + step.to_end[a];
    q_j[a] = step.start[a] + step.to_jump[a];
    q_m[a] = step.start[a] + 0.5 * step.to_end[a];
    q_h[a] = step.start[a] + 0.5 * step.to_jump[a];
    force[a].setZero();
    jump_force[a].setZero();
  }
  std::array<Mat6, max_nodes * max_nodes> balance_end, balance_jump, jump_end, jump_jump;
  for (auto* blocks : {&balance_end, &balance_jump, &jump_end, &jump_jump})
    std::fill(blocks->begin(), blocks->begin() + n * n, Mat6::Zero());
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Point& point = points_[k];
    const Mat6& C = point.stiffness;
    const PointStep here = step_at(point, step);
    const Vec6 stress = mean_stress(motion, point, here, internal.data() + 6 * k);
    const Vec6 jumping = jump_stress(motion, point, here);
    add_stress(point, here.middle, stress, force);
    add_stress(point, here.half, jumping, jump_force);
    const Field f = interpolate(point, q_f), j = interpolate(point, q_j);
    std::array<Mat6, max_nodes> B_m, B_h, B_f, B_j;  // row k: strain k by (dx, dphi); B_h pulled back to body axes
    for (int a = 0; a < n; ++a) {
      const Mat3 D_t = q_h[a].rightCols<3>().transpose();
      B_m[a] = strain_gradient(point, here.middle, a, q_m[a].rightCols<3>());
      B_f[a] = strain_gradient(point, f, a, q_f[a].rightCols<3>());
      B_j[a] = strain_gradient(point, j, a, q_j[a].rightCols<3>());
      B_h[a] = strain_gradient(point, {D_t * here.half.value, D_t * here.half.derivative}, a, Mat3::Identity());
    }
    const double by_end = 0.5 + damping_ / motion.dt;
    for (int a = 0; a < n; ++a) {
      const Mat6 C_m = point.weight * B_m[a].transpose() * C;
      const Mat6 C_h = point.weight * B_h[a].transpose() * C;
      for (int b = 0; b < n; ++b) {
        balance_end[a * n + b] += by_end * C_m * B_f[b];
        balance_jump[a * n + b] += 0.5 * C_m * B_j[b];
        jump_end[a * n + b] += C_h * B_f[b];
        jump_jump[a * n + b] -= motion.alpha * C_h * B_j[b];
        const Eigen::Matrix4d g = stress_stiffness(point, stress, a, b);
        const Eigen::Matrix4d g_jump = stress_stiffness(point, jumping, a, b);
        balance_end[a * n + b].topRows<3>() += force_variation(g, 0, q_f[b]);
        const Mat3 D_t = q_h[a].rightCols<3>().transpose();
        jump_jump[a * n + b].topRows<3>() += D_t * force_variation(g_jump, 0, q_j[b]);
        for (int c = 1; c <= 3; ++c) {
          balance_end[a * n + b].bottomRows<3>() += skew(q_m[a].col(c)) * force_variation(g, c, q_f[b]);
          jump_jump[a * n + b].bottomRows<3>() += skew(Vec3::Unit(c - 1)) * D_t * force_variation(g_jump, c, q_j[b]);
        }
      }
    }
  }
  for (int a = 0; a < n; ++a) {
    // The arms of the forces turn too: d(d_m x F) = 1/2 F~ d_f~ dphi, and d(D^T) F = 1/2 R_j^T F~ dphi.
    const Mat3 R_j_t = q_j[a].rightCols<3>().transpose();
    jump_jump[a * n + a].topRightCorner<3, 3>() += 0.5 * R_j_t * skew(jump_force[a].col(0));
    for (int c = 1; c <= 3; ++c) {
      balance_end[a * n + a].bottomRightCorner<3, 3>() += 0.5 * skew(force[a].col(c)) * skew(q_f[a].col(c));
      jump_jump[a * n + a].bottomRightCorner<3, 3>() +=
          0.5 * skew(Vec3::Unit(c - 1)) * R_j_t * skew(jump_force[a].col(c));
    }
    for (int b = 0; b < n; ++b) {
      turn_to_node_axes(a, jump_end[a * n + b]);
      turn_to_node_axes(a, jump_jump[a * n + b]);
      sink.add(Row::balance, nodes_[a], Column::end, nodes_[b], balance_end[a * n + b]);
      sink.add(Row::balance, nodes_[a], Column::jump, nodes_[b], balance_jump[a * n + b]);
      sink.add(Row::jump, nodes_[a], Column::end, nodes_[b], jump_end[a * n + b]);
      sink.add(Row::jump, nodes_[a], Column::jump, nodes_[b], jump_jump[a * n + b]);
    }
  }
}

StepWork BeamElement::work(const Motion& motion, std::span<const double>) const {
  const ElementStep step = gather(motion);
  StepWork work;
  for (const Point& point : points_) {
    const PointStep here = step_at(point, step);
    work.damping_loss += point.weight * damping_ / motion.dt * here.to_end.dot(point.stiffness * here.to_end);
    work.numerical_loss += 0.5 * motion.alpha * point.weight * here.to_jump.dot(point.stiffness * here.to_jump);
  }
  return work;
}

double BeamElement::stored_energy(const Motion&, std::span<const double> internal) const {
  double energy = 0.0;
  for (std::size_t g = 0; g < points_.size(); ++g) {
    const Eigen::Map<const Vec6> e(internal.data() + 6 * g);
    energy += 0.5 * points_[g].weight * e.dot(points_[g].stiffness * e);
  }
  return energy;
}

ForceElement::Cancelling BeamElement::cancelling(double size) const {
  double length = 0.0, extension = 0.0, bending = 0.0;
  for (const Point& point : points_) {
    length += point.weight;
    extension = std::max(extension, point.stiffness.diagonal().head<3>().maxCoeff());
    bending = std::max(bending, point.stiffness.diagonal().tail<3>().maxCoeff());
  }
  const double force = extension * std::max(1.0, size / length);
  return {force, force * length + bending / length};
}

Pose BeamElement::interpolated(const Motion& motion, std::span<const double> shape) const {
  const NodeValues q = gather_start(motion);
  Mat34 value = Mat34::Zero();
  for (int a = 0; a < n_nodes(); ++a) value += shape[a] * q[a];
  return {value.col(0), value.rightCols<3>()};
}

void BeamElement::section_states(std::span<const double> internal, std::span<SectionState> states) const {
  for (std::size_t g = 0; g < points_.size(); ++g) states[g] = {strain_of(internal, g), instant_stress(internal, g)};
}

}  // namespace freeplay
