#include "freeplay/beam/beam_element.h"

// Derivatives of the forces of a beam element. Each is B^T C B plus what the stresses do when the directors that they
// act along turn.

namespace freeplay {

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

BeamElement::StressStiffness BeamElement::stress_stiffness(std::span<const Vec6> stress, int a, int b) const {
  StressStiffness g{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Point& point = points_[k];
    const double ab = point.weight * point.derivative[a] * point.shape[b];
    const double ba = point.weight * point.shape[a] * point.derivative[b];
    g.position_director += ab * stress[k].head<3>();
    g.director_position += ba * stress[k].head<3>();
    g.directors += 0.5 * (ab - ba) * stress[k].tail<3>();
  }
  return g;
}

/// Inertial axes: the moment on a node is sum_c d_mc x F_c.
void BeamElement::StressStiffness::add_to_balance(const Mat3& d_m, const Mat3& d_f,
                                                  Eigen::Ref<Mat6, 0, Eigen::OuterStride<>> block) const {
  block.topRightCorner<3, 3>() -= 0.5 * skew(d_f * position_director);
  block.bottomLeftCorner<3, 3>() += 0.5 * skew(d_m * director_position);
  const Mat3 product = d_f * skew(directors) * d_m.transpose();  // sum_c d_mc~ w_c~ with w = d_f directors~
  block.bottomRightCorner<3, 3>() += 0.5 * (product.trace() * Mat3::Identity() - product);
}

/// Body axes: D^T F_0 and sum_c e_c x D^T F_c with D = (R_i + R_j)/2.
void BeamElement::StressStiffness::add_to_jump(const Mat3& D, const Mat3& d_j,
                                               Eigen::Ref<Mat6, 0, Eigen::OuterStride<>> block) const {
  const Mat3 D_t = D.transpose();
  block.topRightCorner<3, 3>() -= 0.5 * D_t * skew(d_j * position_director);
  block.bottomLeftCorner<3, 3>() += 0.5 * skew(director_position) * D_t;
  const Mat3 w = d_j * skew(directors);
  for (int c = 0; c < 3; ++c)
    block.bottomRightCorner<3, 3>() -= 0.5 * skew(Vec3::Unit(c)) * (D_t * skew(w.col(c))).eval();
}

void BeamElement::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  const int n = n_nodes(), n_points = static_cast<int>(points_.size());
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
  Strains B_m(6 * n_points, 6 * n), B_h(6 * n_points, 6 * n), CB_f(6 * n_points, 6 * n), CB_j(6 * n_points, 6 * n);
  std::array<Vec6, max_nodes> mean, jumping;
  for (int k = 0; k < n_points; ++k) {
    const Point& point = points_[k];
    const PointStep here = step_at(point, step);
    mean[k] = mean_stress(motion, point, here, internal.data() + 6 * k);
    jumping[k] = jump_stress(motion, point, here);
    add_stress(point, here.middle, mean[k], force);
    add_stress(point, here.half, jumping[k], jump_force);
    const Field f = interpolate(point, q_f), j = interpolate(point, q_j);
    const Mat6 C = point.weight * point.stiffness;
    for (int a = 0; a < n; ++a) {
      const Mat3 D_t = q_h[a].rightCols<3>().transpose();
      B_m.block<6, 6>(6 * k, 6 * a) = strain_gradient(point, here.middle, a, q_m[a].rightCols<3>());
      B_h.block<6, 6>(6 * k, 6 * a) =
          strain_gradient(point, {D_t * here.half.value, D_t * here.half.derivative}, a, Mat3::Identity());
      CB_f.block<6, 6>(6 * k, 6 * a).noalias() = C * strain_gradient(point, f, a, q_f[a].rightCols<3>());
      CB_j.block<6, 6>(6 * k, 6 * a).noalias() = C * strain_gradient(point, j, a, q_j[a].rightCols<3>());
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
      auto block = balance_end.block<6, 6>(6 * a, 6 * b);
      stress_stiffness(mean, a, b).add_to_balance(d_m, q_f[b].rightCols<3>(), block);
      auto jump_block = jump_jump.block<6, 6>(6 * a, 6 * b);
      stress_stiffness(jumping, a, b).add_to_jump(D, q_j[b].rightCols<3>(), jump_block);
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
