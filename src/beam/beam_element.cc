#include "freeplay/beam/beam_element.h"

namespace freeplay {

BeamElement::BeamElement(std::string name, std::vector<int> nodes, const std::vector<Pose>& reference,
                         const LineMesh::Element& geometry, std::shared_ptr<const Section> section)
    : ForceElement(std::move(name)), nodes_(std::move(nodes)), section_(std::move(section)) {
  NodeValues q;
  for (int a = 0; a < n_nodes(); ++a) q[a] << reference[a].x, reference[a].R;
  for (const LineMesh::GaussPoint& gauss : geometry.gauss_points) {
    Point point;
    point.weight = gauss.weight;
    std::copy(gauss.shape.begin(), gauss.shape.end(), point.shape.begin());
    std::copy(gauss.derivative.begin(), gauss.derivative.end(), point.derivative.begin());
    point.reference = strain(interpolate(point, q));
    points_.push_back(point);
  }
}

BeamElement::NodeValues BeamElement::gather(const Motion& motion, Pose NodeMotion::*which) const {
  NodeValues q;
  for (int a = 0; a < n_nodes(); ++a) {
    const Pose& pose = motion.nodes[nodes_[a]].*which;
    q[a].col(0) = pose.x;
    q[a].rightCols<3>() = pose.R;
  }
  return q;
}

void BeamElement::average(const NodeValues& a, const NodeValues& b, int n, NodeValues& result) {
  for (int k = 0; k < n; ++k) result[k] = 0.5 * (a[k] + b[k]);
}

BeamElement::Field BeamElement::interpolate(const Point& point, const NodeValues& q) const {
  Field field{Mat34::Zero(), Mat34::Zero()};
  for (int a = 0; a < n_nodes(); ++a) {
    field.value += point.shape[a] * q[a];
    field.derivative += point.derivative[a] * q[a];
  }
  return field;
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
  const NodeValues q = gather(motion, &NodeMotion::start);
  for (std::size_t g = 0; g < points_.size(); ++g)
    Vec6::Map(internal.data() + 6 * g) = strain(interpolate(points_[g], q)) - points_[g].reference;
}

void BeamElement::advance(const Motion& motion, std::span<double> internal) const {
  const NodeValues q = gather(motion, &NodeMotion::end);
  for (std::size_t g = 0; g < points_.size(); ++g)
    Vec6::Map(internal.data() + 6 * g) = strain(interpolate(points_[g], q)) - points_[g].reference;
}

BeamElement::NodeValues BeamElement::gather_rates(const Motion& motion) const {
  NodeValues rates;
  for (int a = 0; a < n_nodes(); ++a) {
    const Vec6& v = motion.velocity[nodes_[a]];
    rates[a].col(0) = v.head<3>();
    rates[a].rightCols<3>() = skew(v.tail<3>()) * motion.nodes[nodes_[a]].start.R;
  }
  return rates;
}

Vec6 BeamElement::strain_rate(const Field& q, const Field& rate) {
  // For a quadratic form Q, its derivative along r is Q(q + r) - Q(q) - Q(r).
  return strain({q.value + rate.value, q.derivative + rate.derivative}) - strain(q) - strain(rate);
}

void BeamElement::add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const {
  const NodeValues q_f = gather(motion, &NodeMotion::end);
  NodeValues q_m = q_f;
  NodeValues q_j = q_f;
  NodeValues rates;
  if (motion.instant) {
    rates = gather_rates(motion);
  } else {
    average(gather(motion, &NodeMotion::start), q_f, n_nodes(), q_m);
    q_j = gather(motion, &NodeMotion::jump);
  }
  NodeValues resisting;
  for (int a = 0; a < n_nodes(); ++a) resisting[a].setZero();
  for (std::size_t g = 0; g < points_.size(); ++g) {
    const Point& point = points_[g];
    const Vec6 e_f = strain(interpolate(point, q_f)) - point.reference;
    Vec6 e;
    if (motion.instant) {
      e = e_f + section_->damping * strain_rate(interpolate(point, q_f), interpolate(point, rates));
    } else {
      const Vec6 e_j = strain(interpolate(point, q_j)) - point.reference;
      e = 0.5 * (e_f + e_j) + section_->damping / motion.dt * (e_f - Vec6::Map(internal.data() + 6 * g));
    }
    add_stress(point, interpolate(point, q_m), section_->stiffness * e, resisting);
  }
  for (int a = 0; a < n_nodes(); ++a) {
    forces[nodes_[a]].head<3>() += resisting[a].col(0);
    for (int k = 1; k <= 3; ++k) forces[nodes_[a]].tail<3>() += q_m[a].col(k).cross(resisting[a].col(k));
  }
}

void BeamElement::add_jump_forces(const Motion& motion, std::vector<Vec6>& forces) const {
  const NodeValues q_i = gather(motion, &NodeMotion::start);
  const NodeValues q_f = gather(motion, &NodeMotion::end);
  const NodeValues q_j = gather(motion, &NodeMotion::jump);
  NodeValues q_h, f;
  average(q_i, q_j, n_nodes(), q_h);
  for (int a = 0; a < n_nodes(); ++a) f[a].setZero();
  for (const Point& point : points_) {
    const Vec6 e_i = strain(interpolate(point, q_i));
    const Vec6 change =
        (strain(interpolate(point, q_f)) - e_i) - motion.alpha * (strain(interpolate(point, q_j)) - e_i);
    add_stress(point, interpolate(point, q_h), section_->stiffness * change, f);
  }
  for (int a = 0; a < n_nodes(); ++a) {
    // P(R_i, R_j)^T F = (D^T F_x, sum_k e_k x D^T F_dk), D = (R_i + R_j)/2
    const Mat34 body = q_h[a].rightCols<3>().transpose() * f[a];
    Vec6& force = forces[nodes_[a]];
    force.head<3>() += body.col(0);
    for (int k = 0; k < 3; ++k) force.tail<3>() += Vec3::Unit(k).cross(body.col(k + 1));
  }
}

std::array<BeamElement::Mat34, 6> BeamElement::strain_gradient(const Point& point, const Field& field, int node) const {
  const auto d = [&](int k) { return field.value.col(k); };
  const auto dp = [&](int k) { return field.derivative.col(k); };
  const double N = point.shape[node];
  const double dN = point.derivative[node];
  std::array<Mat34, 6> g;
  for (Mat34& m : g) m.setZero();
  for (int k = 1; k <= 3; ++k) {
    g[k - 1].col(0) = dN * d(k);
    g[k - 1].col(k) = N * dp(0);
    // K_k with (b, c) the two axes after k: 1/2 (d_c . d_b' - d_b . d_c')
    const int b = k % 3 + 1;
    const int c = b % 3 + 1;
    g[k + 2].col(b) = 0.5 * (dN * d(c) - N * dp(c));
    g[k + 2].col(c) = 0.5 * (N * dp(b) - dN * d(b));
  }
  return g;
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

using Mat34 = Eigen::Matrix<double, 3, 4>;

/// Derivative of a strain by (dx, dphi) of a node from its derivative by q: dd_k = dphi x d_k.
Vec6 by_motion(const Mat34& by_q, const Mat34& q) {
  Vec6 result;
  result.head<3>() = by_q.col(0);
  result.tail<3>() = q.col(1).cross(by_q.col(1)) + q.col(2).cross(by_q.col(2)) + q.col(3).cross(by_q.col(3));
  return result;
}

/// P(R_i, R_j)^T in body axes, see add_jump_forces().
Vec6 pulled_back(const Mat34& by_q, const Mat3& D) {
  const Mat34 body = D.transpose() * by_q;
  Vec6 result;
  result.head<3>() = body.col(0);
  result.tail<3>().setZero();
  for (int k = 0; k < 3; ++k) result.tail<3>() += Vec3::Unit(k).cross(body.col(k + 1));
  return result;
}

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
  const NodeValues q_i = gather(motion, &NodeMotion::start);
  const NodeValues q_f = gather(motion, &NodeMotion::end);
  const NodeValues q_j = gather(motion, &NodeMotion::jump);
  NodeValues q_m, q_h, force, jump_force;
  average(q_i, q_f, n, q_m);
  average(q_i, q_j, n, q_h);
  for (int a = 0; a < n; ++a) {
    force[a].setZero();
    jump_force[a].setZero();
  }
  std::array<Mat6, max_nodes * max_nodes> balance_end, balance_jump, jump_end, jump_jump;
  for (auto* blocks : {&balance_end, &balance_jump, &jump_end, &jump_jump})
    std::fill(blocks->begin(), blocks->begin() + n * n, Mat6::Zero());
  const Mat6& C = section_->stiffness;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Point& point = points_[k];
    const Field f = interpolate(point, q_f), j = interpolate(point, q_j), m = interpolate(point, q_m),
                h = interpolate(point, q_h);
    const Vec6 e_i = Vec6::Map(internal.data() + 6 * k);
    const Vec6 e_f = strain(f) - point.reference;
    const Vec6 e_j = strain(j) - point.reference;
    const Vec6 stress = C * (0.5 * (e_f + e_j) + section_->damping / motion.dt * (e_f - e_i));
    const Vec6 jump_stress = C * ((e_f - e_i) - motion.alpha * (e_j - e_i));
    add_stress(point, m, stress, force);
    add_stress(point, h, jump_stress, jump_force);
    std::array<Mat6, max_nodes> B_m, B_h, B_f, B_j;  // row k: strain k by (dx, dphi), or pulled back to body axes
    for (int a = 0; a < n; ++a) {
      const auto g_m = strain_gradient(point, m, a), g_h = strain_gradient(point, h, a),
                 g_f = strain_gradient(point, f, a), g_j = strain_gradient(point, j, a);
      for (int s = 0; s < 6; ++s) {
        B_m[a].row(s) = by_motion(g_m[s], q_m[a]);
        B_h[a].row(s) = pulled_back(g_h[s], q_h[a].rightCols<3>());
        B_f[a].row(s) = by_motion(g_f[s], q_f[a]);
        B_j[a].row(s) = by_motion(g_j[s], q_j[a]);
      }
    }
    const double by_end = 0.5 + section_->damping / motion.dt;
    for (int a = 0; a < n; ++a) {
      const Mat6 C_m = point.weight * B_m[a].transpose() * C;
      const Mat6 C_h = point.weight * B_h[a].transpose() * C;
      for (int b = 0; b < n; ++b) {
        balance_end[a * n + b] += by_end * C_m * B_f[b];
        balance_jump[a * n + b] += 0.5 * C_m * B_j[b];
        jump_end[a * n + b] += C_h * B_f[b];
        jump_jump[a * n + b] -= motion.alpha * C_h * B_j[b];
        const Eigen::Matrix4d g = stress_stiffness(point, stress, a, b);
        const Eigen::Matrix4d g_jump = stress_stiffness(point, jump_stress, a, b);
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
      sink.add(Row::balance, nodes_[a], Column::end, nodes_[b], balance_end[a * n + b]);
      sink.add(Row::balance, nodes_[a], Column::jump, nodes_[b], balance_jump[a * n + b]);
      sink.add(Row::jump, nodes_[a], Column::end, nodes_[b], jump_end[a * n + b]);
      sink.add(Row::jump, nodes_[a], Column::jump, nodes_[b], jump_jump[a * n + b]);
    }
  }
}

StepWork BeamElement::work(const Motion& motion, std::span<const double> internal) const {
  const NodeValues q_f = gather(motion, &NodeMotion::end);
  const NodeValues q_j = gather(motion, &NodeMotion::jump);
  StepWork work;
  for (std::size_t g = 0; g < points_.size(); ++g) {
    const Point& point = points_[g];
    const Vec6 e_i = Vec6::Map(internal.data() + 6 * g);
    const Vec6 change = strain(interpolate(point, q_f)) - point.reference - e_i;
    const Vec6 jump = strain(interpolate(point, q_j)) - point.reference - e_i;
    work.damping_loss += point.weight * section_->damping / motion.dt * change.dot(section_->stiffness * change);
    work.numerical_loss += 0.5 * motion.alpha * point.weight * jump.dot(section_->stiffness * jump);
  }
  return work;
}

double BeamElement::stored_energy(const Motion& motion, std::span<const double>) const {
  const NodeValues q = gather(motion, &NodeMotion::start);
  double energy = 0.0;
  for (const Point& point : points_) {
    const Vec6 e = strain(interpolate(point, q)) - point.reference;
    energy += 0.5 * point.weight * e.dot(section_->stiffness * e);
  }
  return energy;
}

ForceElement::Cancelling BeamElement::cancelling(double size) const {
  double length = 0.0;
  for (const Point& point : points_) length += point.weight;
  const double force = section_->stiffness.diagonal().head<3>().maxCoeff() * std::max(1.0, size / length);
  return {force, force * length + section_->stiffness.diagonal().tail<3>().maxCoeff() / length};
}

Vec6 BeamElement::section_forces(const Motion& motion, int gauss_point) const {
  const Point& point = points_[gauss_point];
  const NodeValues q = gather(motion, &NodeMotion::start);
  return section_->stiffness * (strain(interpolate(point, q)) - point.reference);
}

}  // namespace freeplay
