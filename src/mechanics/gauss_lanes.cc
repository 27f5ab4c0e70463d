#include "freeplay/mechanics/gauss_lanes.h"

namespace freeplay {

namespace {

[[gnu::always_inline]] inline Lane product(const LaneNodeValue& a, int k, const LaneNodeValue& b, int l) {
  const auto term = [&](int i) { return a.col(lane_column(i, k)) * b.col(lane_column(i, l)); };
  return term(0) + term(1) + term(2);
}

}  // namespace

void GaussLanes::add(const LineMesh::GaussPoint& point, const Mat6& point_stiffness) {
  const int lane = n_points++;
  weight[lane] = point.weight;
  for (std::size_t a = 0; a < point.shape.size(); ++a) {
    shape(lane, a) = point.shape[a];
    derivative(lane, a) = point.derivative[a];
  }
  is_diagonal = is_diagonal && point_stiffness.isDiagonal(0.0);
  stiffness.row(lane) = point_stiffness.reshaped().transpose();
}

GaussPoints::GaussPoints(const LineMesh::Element& geometry, const std::vector<Mat6>& stiffness) {
  for (const LineMesh::GaussPoint& point : geometry.gauss_points) {
    if (n_points % n_lanes == 0) lanes.emplace_back();
    lanes.back().add(point, stiffness[n_points++]);
    is_diagonal = is_diagonal && lanes.back().is_diagonal;
  }
}

bool GaussPoints::agree_with(const GaussPoints& other, double error) const {
  if (n_points != other.n_points) return false;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const GaussLanes &a = lanes[k], &b = other.lanes[k];
    const auto agree = [&](const auto& x, const auto& y) {
      return ((x - y).abs() <= error * x.abs().maxCoeff()).all();
    };
    if (!agree(a.weight, b.weight) || !agree(a.shape, b.shape) || !agree(a.derivative, b.derivative)) return false;
    if ((a.stiffness != b.stiffness).any()) return false;
  }
  return true;
}

LaneField GaussLanes::interpolate(const NodeValues& q, int n_nodes) const {
  LaneField field;
  for (int k = 0; k < 4; ++k) {
    Lane value[3], change[3];
    for (int i = 0; i < 3; ++i) value[i] = change[i] = Lane::Zero();
    for (int a = 0; a < n_nodes; ++a) {
      const Lane N = shape.col(a), dN = derivative.col(a);
      for (int i = 0; i < 3; ++i) {
        value[i] += N * q[a](i, k);
        change[i] += dN * q[a](i, k);
      }
    }
    for (int i = 0; i < 3; ++i) {
      // Strains do not depend on x, but on x'.
      field.value.col(lane_column(i, k)) = k > 0 ? value[i] : Lane::Zero();
      field.derivative.col(lane_column(i, k)) = change[i];
    }
  }
  return field;
}

LaneStrain GaussLanes::stress(const LaneStrain& strain) const {
  LaneStrain result;
  if (is_diagonal) {
    for (int row = 0; row < 6; ++row) result.col(row) = stiffness.col(7 * row) * strain.col(row);
    return result;
  }
  for (int row = 0; row < 6; ++row) {
    Lane sum = stiffness.col(row) * strain.col(0);
    for (int column = 1; column < 6; ++column) sum += stiffness.col(row + 6 * column) * strain.col(column);
    result.col(row) = sum;
  }
  return result;
}

GaussLanes::Conjugate GaussLanes::conjugate_to(const LaneField& q, const LaneStrain& stress) const {
  LaneNodeValue by_value, by_derivative;
  Lane n[3], m[3];
  for (int k = 0; k < 3; ++k) {
    n[k] = weight * stress.col(k);
    m[k] = 0.5 * weight * stress.col(k + 3);
  }
  for (int i = 0; i < 3; ++i) {
    const auto d = [&](int k) { return q.value.col(lane_column(i, k)); };
    const auto dp = [&](int k) { return q.derivative.col(lane_column(i, k)); };
    by_value.col(lane_column(i, 0)).setZero();
    by_value.col(lane_column(i, 1)) = n[0] * dp(0) + m[1] * dp(3) - m[2] * dp(2);
    by_value.col(lane_column(i, 2)) = n[1] * dp(0) + m[2] * dp(1) - m[0] * dp(3);
    by_value.col(lane_column(i, 3)) = n[2] * dp(0) + m[0] * dp(2) - m[1] * dp(1);
    by_derivative.col(lane_column(i, 0)) = n[0] * d(1) + n[1] * d(2) + n[2] * d(3);
    by_derivative.col(lane_column(i, 1)) = m[2] * d(2) - m[1] * d(3);
    by_derivative.col(lane_column(i, 2)) = m[0] * d(3) - m[2] * d(1);
    by_derivative.col(lane_column(i, 3)) = m[1] * d(1) - m[0] * d(2);
  }
  return {by_value.transpose(), by_derivative.transpose()};
}

void GaussLanes::add_stress(const LaneField& q, const LaneStrain& stress, int n_nodes, NodeValues& forces) const {
  const Conjugate conjugate = conjugate_to(q, stress);
  for (int a = 0; a < n_nodes; ++a) {
    Eigen::Map<Eigen::Array<double, 12, 1>> target(forces[a].data());
    Eigen::Array<double, 12, 1> force = target;
    for (int lane = 0; lane < n_lanes; ++lane) {
      force += shape(lane, a) * conjugate.value.col(lane);
      force += derivative(lane, a) * conjugate.derivative.col(lane);
    }
    target = force;
  }
}

LaneField moved_half(const LaneField& start, const LaneField& change) {
  return {start.value + 0.5 * change.value, start.derivative + 0.5 * change.derivative};
}

LaneStrain strain_change(const LaneField& middle, const LaneField& change) {
  const auto both = [&](int k, int l) -> Lane {
    return product(middle.value, k, change.derivative, l) + product(change.value, k, middle.derivative, l);
  };
  LaneStrain e;
  for (int k = 1; k <= 3; ++k) {
    const int b = k % 3 + 1;
    const int c = b % 3 + 1;
    e.col(k - 1) = both(k, 0);
    e.col(k + 2) = 0.5 * (both(c, b) - both(b, c));
  }
  return e;
}

LaneStrain total_strain(const LaneField& q) { return strain_change({0.5 * q.value, 0.5 * q.derivative}, q); }

}  // namespace freeplay
