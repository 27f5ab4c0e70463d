#include "freeplay/beam/beam_element.h"

// Derivatives of the forces of a beam element. Each is B^T C B plus what the stresses do when the directors that they
// act along turn.

namespace freeplay {

BeamElement::Field BeamElement::at_point(const LaneField& field, int lane) {
  return {field.value.row(lane).matrix().reshaped(3, 4), field.derivative.row(lane).matrix().reshaped(3, 4)};
}

Mat6 BeamElement::strain_gradient(double N, double dN, const Field& field, const Mat3& arms) {
  const auto d = [&](int k) { return field.value.col(k); };
  const auto dp = [&](int k) { return field.derivative.col(k); };
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

Eigen::Matrix4d BeamElement::stress_stiffness(const GaussLanes& points, const LaneStrain& stress, int a, int b) {
  const Lane by_first = points.weight * points.derivative.col(a) * points.shape.col(b);
  const Lane by_second = points.weight * points.shape.col(a) * points.derivative.col(b);
  const Lane by_both = 0.5 * (by_first - by_second);
  Eigen::Matrix4d g = Eigen::Matrix4d::Zero();
  for (int k = 1; k <= 3; ++k) {
    const int l = k % 3 + 1;
    const int m = l % 3 + 1;
    g(0, k) = (by_first * stress.col(k - 1)).sum();
    g(k, 0) = (by_second * stress.col(k - 1)).sum();
    g(l, m) = (by_both * stress.col(k + 2)).sum();
    g(m, l) = -g(l, m);
  }
  return g;
}

namespace {

// How the forces F_c = sum_d g(c, d) q.col(d) on one node turn with the directors d of another, whose variation at the
// middle of an interval is half of that at its end.

/// Inertial axes: the moment is sum_c d_mc x F_c, and a~ b~ = b a^T - (a . b) I.
template <class Block>
void add_turning(const Eigen::Matrix4d& g, const Mat3& d_m, const Mat3& d_f, Block block) {
  const Vec3 force = d_f * g.row(0).tail<3>().transpose();
  const Vec3 arm = d_m * g.col(0).tail<3>();
  block.template topRightCorner<3, 3>() -= 0.5 * skew(force);
  block.template bottomLeftCorner<3, 3>() += 0.5 * skew(arm);
  const Mat3 product = d_f * g.bottomRightCorner<3, 3>().transpose() * d_m.transpose();
  block.template bottomRightCorner<3, 3>() += 0.5 * (product.trace() * Mat3::Identity() - product);
}

/// Body axes: D^T F_0 and sum_c e_c x D^T F_c with D = (R_i + R_j)/2.
template <class Block>
void add_turning_of_jump(const Eigen::Matrix4d& g, const Mat3& D, const Mat3& d_j, Block block) {
  const Mat3 D_t = D.transpose();
  const Vec3 force = d_j * g.row(0).tail<3>().transpose();
  block.template topRightCorner<3, 3>() -= 0.5 * D_t * skew(force);
  block.template bottomLeftCorner<3, 3>() += 0.5 * skew(g.col(0).tail<3>()) * D_t;
  const Mat3 forces = d_j * g.bottomRightCorner<3, 3>().transpose();
  for (int c = 0; c < 3; ++c)
    block.template bottomRightCorner<3, 3>() -= 0.5 * skew(Vec3::Unit(c)) * (D_t * skew(forces.col(c))).eval();
}

}  // namespace

void BeamElement::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
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
  // One row per strain and Gauss point, six columns (dx, dphi) per node. B_h is pulled back to body axes.
  using Strains = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6 * max_nodes, 6 * max_nodes>;
  Strains B_m(6 * n_points_, 6 * n), B_h(6 * n_points_, 6 * n), CB_f(6 * n_points_, 6 * n), CB_j(6 * n_points_, 6 * n);
  std::array<LaneStrain, (max_nodes + n_lanes - 1) / n_lanes> mean, jumping;
  for (std::size_t p = 0; p < points_.size(); ++p) {
    const GaussLanes& points = points_[p];
    const PointStep here = step_at(points, step);
    mean[p] = mean_stress(motion, points, here, internal.subspan(6 * n_lanes * p));
    jumping[p] = jump_stress(motion, points, here);
    points.add_stress(here.middle, mean[p], n, force);
    points.add_stress(here.half, jumping[p], n, jump_force);
    const LaneField end = points.interpolate(q_f, n), jump = points.interpolate(q_j, n);
    for (int lane = 0; lane < points.n_points; ++lane) {
      const Field m = at_point(here.middle, lane), h = at_point(here.half, lane);
      const Field f = at_point(end, lane), j = at_point(jump, lane);
      const Mat6 C = points.weight[lane] * points.stiffness_of(lane);
      const Eigen::Index row = 6 * (n_lanes * p + lane);
      for (int a = 0; a < n; ++a) {
        const Mat3 D_t = q_h[a].rightCols<3>().transpose();
        const double N = points.shape(lane, a), dN = points.derivative(lane, a);
        B_m.block<6, 6>(row, 6 * a) = strain_gradient(N, dN, m, q_m[a].rightCols<3>());
        B_h.block<6, 6>(row, 6 * a) = strain_gradient(N, dN, {D_t * h.value, D_t * h.derivative}, Mat3::Identity());
        CB_f.block<6, 6>(row, 6 * a).noalias() = C * strain_gradient(N, dN, f, q_f[a].rightCols<3>());
        CB_j.block<6, 6>(row, 6 * a).noalias() = C * strain_gradient(N, dN, j, q_j[a].rightCols<3>());
      }
    }
  }
  using Tangent = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6 * max_nodes, 6 * max_nodes>;
  Tangent balance_end = (0.5 + damping_ / motion.dt) * (B_m.transpose() * CB_f);
  Tangent balance_jump = 0.5 * (B_m.transpose() * CB_j);
  Tangent jump_end = B_h.transpose() * CB_f;
  Tangent jump_jump = -motion.alpha * (B_h.transpose() * CB_j);
  for (int a = 0; a < n; ++a) {
    const Mat3 d_m = q_m[a].rightCols<3>(), D = q_h[a].rightCols<3>();
    for (int b = 0; b < n; ++b) {
      Eigen::Matrix4d g = Eigen::Matrix4d::Zero(), g_jump = Eigen::Matrix4d::Zero();
      for (std::size_t p = 0; p < points_.size(); ++p) {
        g += stress_stiffness(points_[p], mean[p], a, b);
        g_jump += stress_stiffness(points_[p], jumping[p], a, b);
      }
      add_turning(g, d_m, q_f[b].rightCols<3>(), balance_end.block<6, 6>(6 * a, 6 * b));
      add_turning_of_jump(g_jump, D, q_j[b].rightCols<3>(), jump_jump.block<6, 6>(6 * a, 6 * b));
    }
    // The arms of the forces turn too: d(d_m x F) = 1/2 F~ d_f~ dphi, and d(D^T) F = 1/2 R_j^T F~ dphi.
    auto moments = balance_end.block<3, 3>(6 * a + 3, 6 * a + 3);
    auto jumps = jump_jump.block<6, 3>(6 * a, 6 * a + 3);
    const Mat3 R_j_t = q_j[a].rightCols<3>().transpose();
    jumps.topRows<3>() += 0.5 * R_j_t * skew(jump_force[a].col(0));
    for (int c = 1; c <= 3; ++c) {
      moments += 0.5 * skew(force[a].col(c)) * skew(q_f[a].col(c));
      jumps.bottomRows<3>() += 0.5 * skew(Vec3::Unit(c - 1)) * R_j_t * skew(jump_force[a].col(c));
    }
  }
  using Row = TangentSink::Row;
  using Column = TangentSink::Column;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      Mat6 by_end = jump_end.block<6, 6>(6 * a, 6 * b), by_jump = jump_jump.block<6, 6>(6 * a, 6 * b);
      turn_to_node_axes(a, by_end);
      turn_to_node_axes(a, by_jump);
      sink.add(Row::balance, nodes_[a], Column::end, nodes_[b], balance_end.block<6, 6>(6 * a, 6 * b));
      sink.add(Row::balance, nodes_[a], Column::jump, nodes_[b], balance_jump.block<6, 6>(6 * a, 6 * b));
      sink.add(Row::jump, nodes_[a], Column::end, nodes_[b], by_end);
      sink.add(Row::jump, nodes_[a], Column::jump, nodes_[b], by_jump);
    }
}

}  // namespace freeplay
