#include "element_columns.h"
#include "freeplay/mechanics/beam_element.h"

// Derivatives of the forces of a beam element. Each is B^T C B plus what the stresses do when the directors that they
// act along turn. Rows are the work of the forces on motions of the nodes, columns derivatives along such motions: the
// receiver says which.

namespace freeplay {

namespace {

using Columns = StrainColumns::Columns;

/// At each Gauss point (column): shape functions of the node of each motion, and their derivatives by arc length.
struct MotionShapes {
  Columns value, derivative;

  MotionShapes(int n_nodes, int n_points)
      : value(padded_columns(n_nodes), n_points), derivative(padded_columns(n_nodes), n_points) {}

  void set(int point, const GaussLanes& points, int lane, int n_nodes) {
    value.col(point).setZero();
    derivative.col(point).setZero();
    for (int a = 0; a < n_nodes; ++a) {
      value.col(point).segment<3>(3 * a).setConstant(points.shape(lane, a));
      derivative.col(point).segment<3>(3 * a).setConstant(points.derivative(lane, a));
    }
  }
};

[[gnu::always_inline]] inline Lane dot(const LaneVector& a, const LaneVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Strains at Gauss point number `point` by the motions of all nodes.
void differentiate_strains(const LaneField& field, int lane, const MotionShapes& shapes, const Variations& variations,
                           int point, StrainColumns& strains) {
  const int gamma = 3 * point, kappa = static_cast<int>(strains.by_rotation.cols()) / 2 + 3 * point;
  for (int first = 0; first < strains.by_rotation.rows(); first += n_lanes) {
    const Lane N = shapes.value.col(point).segment<n_lanes>(first);
    const Lane dN = shapes.derivative.col(point).segment<n_lanes>(first);
    const LaneVector displacement = variations.x_by_displacement.lanes(first),
                     x = variations.x_by_rotation.lanes(first);
    const LaneVector d[3] = {variations.d_by_rotation[0].lanes(first), variations.d_by_rotation[1].lanes(first),
                             variations.d_by_rotation[2].lanes(first)};
    LaneVector by_dx, by_slope[3], by_bending[3];
    for (int i = 0; i < 3; ++i) {
      by_dx[i] = N * field.derivative(lane, lane_column(i, 0));
      for (int k = 0; k < 3; ++k) {
        by_slope[k][i] = dN * field.value(lane, lane_column(i, k + 1));
        by_bending[k][i] = by_slope[k][i] - N * field.derivative(lane, lane_column(i, k + 1));
      }
    }
    for (int k = 0; k < 3; ++k) {
      // K_k with (b, c) the two axes after k: 1/2 (d_c . d_b' - d_b . d_c')
      const int b = (k + 1) % 3, c = (b + 1) % 3;
      strains.by_displacement.col(gamma + k).segment<n_lanes>(first) = dot(by_slope[k], displacement);
      strains.by_rotation.col(gamma + k).segment<n_lanes>(first) = dot(by_slope[k], x) + dot(by_dx, d[k]);
      strains.by_rotation.col(kappa + k).segment<n_lanes>(first) =
          0.5 * (dot(by_bending[c], d[b]) - dot(by_bending[b], d[c]));
    }
  }
}

/// C times strains, in place.
void to_stresses(const Mat6& C, bool is_diagonal, int point, StrainColumns& strains) {
  const int gamma = 3 * point, kappa = static_cast<int>(strains.by_rotation.cols()) / 2 + 3 * point;
  const auto column = [&](int k) { return k < 3 ? gamma + k : kappa + k - 3; };
  for (int first = 0; first < strains.by_rotation.rows(); first += n_lanes) {
    const auto displacement = [&](int k) { return strains.by_displacement.col(column(k)).segment<n_lanes>(first); };
    const auto rotation = [&](int k) { return strains.by_rotation.col(column(k)).segment<n_lanes>(first); };
    if (is_diagonal) {
      for (int k = 0; k < 3; ++k) displacement(k) *= C(k, k);
      for (int k = 0; k < 6; ++k) rotation(k) *= C(k, k);
      continue;
    }
    LaneStrain by_displacement, by_rotation;
    for (int k = 0; k < 6; ++k) {
      by_displacement.col(k) = C(k, 0) * displacement(0) + C(k, 1) * displacement(1) + C(k, 2) * displacement(2);
      by_rotation.col(k) = C(k, 0) * rotation(0);
      for (int l = 1; l < 6; ++l) by_rotation.col(k) += C(k, l) * rotation(l);
    }
    for (int k = 0; k < 6; ++k) {
      displacement(k) = by_displacement.col(k);
      rotation(k) = by_rotation.col(k);
    }
  }
}

/// The rows of one node, by the motions of all nodes.
struct NodeRows {
  ThreeRows displacement_by_displacement, displacement_by_rotation, rotation_by_displacement, rotation_by_rotation;

  /// factor B^T C B.
  void multiply(double factor, const StrainColumns& strains, int a, const StrainColumns& stresses, bool is_diagonal) {
    const int all = static_cast<int>(strains.by_rotation.cols()), gamma = all / 2;
    // Ways stretch and shear, but do not bend.
    freeplay::multiply(factor, strains.by_displacement, 3 * a, stresses.by_displacement, gamma,
                       displacement_by_displacement);
    freeplay::multiply(factor, strains.by_displacement, 3 * a, stresses.by_rotation, gamma, displacement_by_rotation);
    freeplay::multiply(factor, strains.by_rotation, 3 * a, stresses.by_displacement, is_diagonal ? gamma : all,
                       rotation_by_displacement);
    freeplay::multiply(factor, strains.by_rotation, 3 * a, stresses.by_rotation, all, rotation_by_rotation);
  }

  /// The columns of one node, as a 6 x 6 part of a larger matrix.
  template <class Part>
  void get(int b, Part block) const {
    for (int r = 0; r < 3; ++r) {
      block.row(r).template head<3>() = displacement_by_displacement.col(r).segment<3>(3 * b).matrix();
      block.row(r).template tail<3>() = displacement_by_rotation.col(r).segment<3>(3 * b).matrix();
      block.row(r + 3).template head<3>() = rotation_by_displacement.col(r).segment<3>(3 * b).matrix();
      block.row(r + 3).template tail<3>() = rotation_by_rotation.col(r).segment<3>(3 * b).matrix();
    }
  }
};

/// Adds what the weighted stresses at the Gauss points do when q changes: they put forces F_a.col(c) = sum_d g(c, d)
/// q_b.col(d) on the q of node `a`, where q_b changes by half of `columns`, as a middle moves half as far as the end.
void add_rotating(const MotionShapes& shapes, std::span<const Vec6> stresses, const Variations& rows, int a,
                  const Variations& columns, NodeRows& result) {
  const int n_points = static_cast<int>(stresses.size());
  Columns by_value(6, n_points), by_derivative(6, n_points);
  for (int p = 0; p < n_points; ++p) {
    by_value.col(p) = (0.5 * shapes.value(3 * a, p)) * stresses[p].array();
    by_derivative.col(p) = (0.5 * shapes.derivative(3 * a, p)) * stresses[p].array();
  }
  // g(0, k), g(k, 0) and the two parts of g(b, c) = -g(c, b), with (b, c) the two axes after k.
  ThreeRows x_by_d, d_by_x, d_by_d, d_by_d_minus;
  multiply(1.0, by_derivative, 0, shapes.value, n_points, x_by_d);
  multiply(1.0, by_value, 0, shapes.derivative, n_points, d_by_x);
  multiply(0.5, by_derivative, 3, shapes.value, n_points, d_by_d);
  multiply(0.5, by_value, 3, shapes.derivative, n_points, d_by_d_minus);
  for (int first = 0; first < shapes.value.rows(); first += n_lanes) {
    LaneVector stretch, arm, bending;
    for (int k = 0; k < 3; ++k) {
      stretch[k] = x_by_d.col(k).segment<n_lanes>(first);
      arm[k] = d_by_x.col(k).segment<n_lanes>(first);
      bending[k] = d_by_d.col(k).segment<n_lanes>(first) - d_by_d_minus.col(k).segment<n_lanes>(first);
    }
    const LaneVector displacement = columns.x_by_displacement.lanes(first), x = columns.x_by_rotation.lanes(first);
    const std::array<LaneVector, 3> d{columns.d_by_rotation[0].lanes(first), columns.d_by_rotation[1].lanes(first),
                                      columns.d_by_rotation[2].lanes(first)};
    Lane rows_of_displacement[3], by_displacement[3], by_rotation[3];
    for (int r = 0; r < 3; ++r) rows_of_displacement[r] = by_displacement[r] = by_rotation[r] = Lane::Zero();
    for (int i = 0; i < 3; ++i) {
      const Lane force = stretch[0] * d[0][i] + stretch[1] * d[1][i] + stretch[2] * d[2][i];
      for (int r = 0; r < 3; ++r) rows_of_displacement[r] += rows.x_by_displacement.component[i][3 * a + r] * force;
      for (int k = 0; k < 3; ++k) {
        const int b = (k + 1) % 3, c = (b + 1) % 3;
        const Lane on_d = arm[k] * x[i] + bending[c] * d[b][i] - bending[b] * d[c][i];
        const Lane on_d_by_displacement = arm[k] * displacement[i];
        for (int r = 0; r < 3; ++r) {
          const double d_by_row = rows.d_by_rotation[k].component[i][3 * a + r];
          by_rotation[r] += d_by_row * on_d;
          by_displacement[r] += d_by_row * on_d_by_displacement;
        }
      }
    }
    for (int r = 0; r < 3; ++r) {
      result.displacement_by_rotation.col(r).segment<n_lanes>(first) += rows_of_displacement[r];
      result.rotation_by_displacement.col(r).segment<n_lanes>(first) += by_displacement[r];
      result.rotation_by_rotation.col(r).segment<n_lanes>(first) += by_rotation[r];
    }
  }
}

// The arms of forces turn too, at the middle half as far as at the end.

/// Moments sum_k d_mk x F_k.
Mat3 rotating_of_arms(const Mat34& force, const Mat6& motions, const Variations& variations, int a) {
  Mat3 moments = Mat3::Zero();
  for (int k = 0; k < 3; ++k) moments -= 0.5 * skew(force.col(k + 1)) * variations.d_by_rotation[k].at(a);
  return motions.bottomRightCorner<3, 3>().transpose() * moments;
}

/// D^T F_0 and sum_k e_k x D^T F_k, with D = (R_i + R_j)/2.
Eigen::Matrix<double, 6, 3> rotating_of_body(const Mat34& force, const Mat6& motions, const Variations& variations,
                                             int a) {
  Mat3 by_d[4];
  for (int c = 0; c < 4; ++c)
    for (int k = 0; k < 3; ++k) by_d[c].row(k) = 0.5 * force.col(c).transpose() * variations.d_by_rotation[k].at(a);
  Mat3 moments = Mat3::Zero();
  for (int c = 0; c < 3; ++c) moments += skew(Vec3::Unit(c)) * by_d[c + 1];
  Eigen::Matrix<double, 6, 3> result;
  result << motions.topLeftCorner<3, 3>().transpose() * by_d[0],
      motions.bottomRightCorner<3, 3>().transpose() * moments;
  return result;
}

}  // namespace

void BeamElement::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  using Row = TangentSink::Row;
  using Column = TangentSink::Column;
  const int n = n_nodes();
  const ElementStep step = gather(motion);
  NodeValues q_f, q_j, force, jump_force;
  std::array<Mat6, max_nodes> balance_motions, jump_motions;
  Variations along_m(n), along_h(n), along_f(n), along_j(n);
  for (int a = 0; a < n; ++a) {
    q_f[a] = step.start[a] + step.to_end[a];
    q_j[a] = step.start[a] + step.to_jump[a];
    force[a].setZero();
    jump_force[a].setZero();
    balance_motions[a] = sink.row_motions(Row::balance, nodes_[a]);
    jump_motions[a] = sink.row_motions(Row::jump, nodes_[a]);
    rotation_to_own_axes(a, jump_motions[a]);
    const Mat34 q_m = step.start[a] + 0.5 * step.to_end[a], q_h = step.start[a] + 0.5 * step.to_jump[a];
    along_m.set_inertial(a, balance_motions[a], q_m.rightCols<3>());
    along_h.set_in_body(a, jump_motions[a], q_h.rightCols<3>());
    along_f.set_inertial(a, sink.column_motions(Column::end, nodes_[a]), q_f[a].rightCols<3>());
    along_j.set_inertial(a, sink.column_motions(Column::jump, nodes_[a]), q_j[a].rightCols<3>());
  }
  // Of all Gauss points.
  StrainColumns B_m(n, n_points()), B_h(n, n_points()), CB_f(n, n_points()), CB_j(n, n_points());
  MotionShapes shapes(n, n_points());
  std::array<Vec6, max_nodes> mean, jumping;
  for (int point = 0; point < n_points(); point += n_lanes) {
    const GaussLanes& points = points_->lanes[point / n_lanes];
    const PointStep here = step_at(points, step);
    const LaneStrain mean_stresses = mean_stress(motion, points, here, internal.subspan(6 * point));
    const LaneStrain jump_stresses = jump_stress(motion, points, here);
    points.add_stress(here.middle, mean_stresses, n, force);
    points.add_stress(here.half, jump_stresses, n, jump_force);
    const LaneField end = points.interpolate(q_f, n), jump = points.interpolate(q_j, n);
    for (int lane = 0; lane < points.n_points; ++lane) {
      const int p = point + lane;
      const double weight = points.weight[lane];
      mean[p] = weight * mean_stresses.row(lane).matrix();
      jumping[p] = weight * jump_stresses.row(lane).matrix();
      shapes.set(p, points, lane, n);
      differentiate_strains(here.middle, lane, shapes, along_m, p, B_m);
      differentiate_strains(here.half, lane, shapes, along_h, p, B_h);
      differentiate_strains(end, lane, shapes, along_f, p, CB_f);
      differentiate_strains(jump, lane, shapes, along_j, p, CB_j);
      const Mat6 C = weight * points.stiffness_of(lane);
      to_stresses(C, points_->is_diagonal, p, CB_f);
      to_stresses(C, points_->is_diagonal, p, CB_j);
    }
  }
  const auto for_points = [&](auto& stresses) { return std::span<const Vec6>(stresses.data(), n_points()); };
  NodeRows balance_by_end, balance_by_jump, jump_by_end, jump_by_jump;
  TangentSink::TwinBlock blocks;
  for (int a = 0; a < n; ++a) {
    balance_by_end.multiply(0.5 + damping_ / motion.dt, B_m, a, CB_f, points_->is_diagonal);
    add_rotating(shapes, for_points(mean), along_m, a, along_f, balance_by_end);
    balance_by_jump.multiply(0.5, B_m, a, CB_j, points_->is_diagonal);
    jump_by_end.multiply(1.0, B_h, a, CB_f, points_->is_diagonal);
    jump_by_jump.multiply(-motion.alpha, B_h, a, CB_j, points_->is_diagonal);
    add_rotating(shapes, for_points(jumping), along_h, a, along_j, jump_by_jump);
    for (int b = 0; b < n; ++b) {
      balance_by_end.get(b, blocks.topLeftCorner<6, 6>());
      balance_by_jump.get(b, blocks.topRightCorner<6, 6>());
      jump_by_end.get(b, blocks.bottomLeftCorner<6, 6>());
      jump_by_jump.get(b, blocks.bottomRightCorner<6, 6>());
      if (a == b) {
        blocks.block<3, 3>(3, 3) += rotating_of_arms(force[a], balance_motions[a], along_f, a);
        blocks.bottomRightCorner<6, 3>() += rotating_of_body(jump_force[a], jump_motions[a], along_j, a);
      }
      sink.add_along_motions(nodes_[a], nodes_[b], blocks);
    }
  }
}

}  // namespace freeplay
