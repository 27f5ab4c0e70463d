#include <Eigen/SparseLU>
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/tools/roots.hpp>
#include <boost/numeric/odeint.hpp>
#include <limits>

#include "freeplay/math/curve.h"

namespace freeplay {

namespace {

/// x and its first two derivatives by the parameter u.
struct SplineJet {
  Vec3 x, rate, second_rate;
};

/// The spline by its parameter: in each span u from 0 to `width`, x = x_0 + u (b + u (c + u d)).
struct Span {
  Vec3 x, b, c, d;
  double width = 0.0;

  SplineJet at(double u) const {
    return {x + u * (b + u * (c + u * d)), b + u * (2.0 * c + 3.0 * u * d), 2.0 * c + 6.0 * u * d};
  }
};

/// Second derivatives at the points. Inside they make the first derivative continuous (de Boor, A Practical Guide to
/// Splines, chapter IV); the first and the last row say that the third derivative is continuous next to the end.
Eigen::MatrixX3d second_derivatives(const std::vector<Vec3>& points, const std::vector<double>& h) {
  const int n = static_cast<int>(points.size());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::MatrixX3d right = Eigen::MatrixX3d::Zero(n, 3);
  const auto not_a_knot = [&](int row, int first) {
    entries.emplace_back(row, first, 1.0 / h[first]);
    entries.emplace_back(row, first + 1, -1.0 / h[first] - 1.0 / h[first + 1]);
    entries.emplace_back(row, first + 2, 1.0 / h[first + 1]);
  };
  not_a_knot(0, 0);
  for (int k = 1; k + 1 < n; ++k) {
    entries.emplace_back(k, k - 1, h[k - 1]);
    entries.emplace_back(k, k, 2.0 * (h[k - 1] + h[k]));
    entries.emplace_back(k, k + 1, h[k]);
    right.row(k) = 6.0 * ((points[k + 1] - points[k]) / h[k] - (points[k] - points[k - 1]) / h[k - 1]);
  }
  if (n > 3) {
    not_a_knot(n - 1, n - 3);
  } else {  // both ends say the same; the second derivative of a parabola is constant
    entries.emplace_back(n - 1, n - 2, -1.0);
    entries.emplace_back(n - 1, n - 1, 1.0);
  }
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return Eigen::SparseLU<Eigen::SparseMatrix<double>>(matrix).solve(right);
}

std::vector<Span> spans_through(const std::vector<Vec3>& points) {
  std::vector<double> h;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) h.push_back((points[k + 1] - points[k]).norm());
  const Eigen::MatrixX3d second = second_derivatives(points, h);
  std::vector<Span> spans;
  for (std::size_t k = 0; k < h.size(); ++k) {
    const Vec3 left = second.row(k), right = second.row(k + 1);
    spans.push_back({points[k], (points[k + 1] - points[k]) / h[k] - h[k] / 6.0 * (2.0 * left + right), 0.5 * left,
                     (right - left) / (6.0 * h[k]), h[k]});
  }
  return spans;
}

/// Arc length from u = 0. The speed is close to 1, so that a few pieces of the span give it to round-off.
double arc_length(const Span& span, double u) {
  constexpr int n_pieces = 8;
  const auto speed = [&](double v) { return span.at(v).rate.norm(); };
  double length = 0.0;
  for (int k = 0; k < n_pieces; ++k)
    length += boost::math::quadrature::gauss<double, 15>::integrate(speed, u * k / n_pieces, u * (k + 1) / n_pieces);
  return length;
}

/// Carries a vector normal to the curve along a span: U' = -(U . t') t (R. L. Bishop, There is more than one way to
/// frame a curve, Amer. Math. Monthly 82 (1975) 246-251).
Vec3 carried(const Span& span, double u, const Vec3& normal) {
  namespace odeint = boost::numeric::odeint;
  using Array = std::array<double, 3>;
  constexpr double tolerance = 1e-13;
  Array state{normal.x(), normal.y(), normal.z()};
  const auto rate = [&](const Array& U, Array& dU, double v) {
    const SplineJet jet = span.at(v);
    const double speed = jet.rate.norm();
    const Vec3 t = jet.rate / speed;
    const Vec3 t_rate = (jet.second_rate - t.dot(jet.second_rate) * t) / speed;
    Vec3::Map(dU.data()) = -Vec3::Map(U.data()).dot(t_rate) * t;
  };
  using Stepper = odeint::runge_kutta_fehlberg78<Array>;
  odeint::integrate_adaptive(odeint::make_controlled<Stepper>(tolerance, tolerance), rate, state, 0.0, u, 0.1 * u);
  const Vec3 t = span.at(u).rate.normalized();
  const Vec3 U = Vec3::Map(state.data());
  return (U - U.dot(t) * t).normalized();
}

Mat3 triad(const Vec3& normal, const Vec3& tangent) {
  Mat3 axes;
  axes << normal, tangent.cross(normal), tangent;
  return axes;
}

class Spline : public Curve {
 public:
  explicit Spline(const std::vector<Vec3>& points) : spans_(spans_through(points)) {
    start_.push_back(0.0);
    normal_.push_back(spans_.front().b.unitOrthogonal());
    for (const Span& span : spans_) {
      start_.push_back(start_.back() + arc_length(span, span.width));
      normal_.push_back(carried(span, span.width, normal_.back()));
    }
  }
  double length() const override { return start_.back(); }
  Vec3 point(double s) const override {
    const auto [k, u] = parameter(s);
    return spans_[k].at(u).x;
  }
  Vec3 tangent(double s) const override {
    const auto [k, u] = parameter(s);
    return spans_[k].at(u).rate.normalized();
  }
  Mat3 transport(double s) const override {
    const auto [k, u] = parameter(s);
    const Vec3 normal = u > 0.0 ? carried(spans_[k], u, normal_[k]) : normal_[k];
    const Mat3 first = triad(normal_.front(), spans_.front().b.normalized());
    return triad(normal, spans_[k].at(u).rate.normalized()) * first.transpose();
  }

 private:
  /// Span and parameter in it at an arc length.
  std::pair<std::size_t, double> parameter(double s) const {
    const auto after = std::upper_bound(start_.begin() + 1, start_.end() - 1, s);
    const auto k = static_cast<std::size_t>(after - start_.begin()) - 1;
    const Span& span = spans_[k];
    const double wanted = s - start_[k];
    const double full = start_[k + 1] - start_[k];
    if (wanted <= 0.0 || wanted >= full) return {k, wanted <= 0.0 ? 0.0 : span.width};
    const auto length_and_speed = [&](double u) {
      return std::pair(arc_length(span, u) - wanted, span.at(u).rate.norm());
    };
    constexpr int digits = std::numeric_limits<double>::digits - 2;
    const double guess = span.width * wanted / full;
    return {k, boost::math::tools::newton_raphson_iterate(length_and_speed, guess, 0.0, span.width, digits)};
  }

  std::vector<Span> spans_;
  std::vector<double> start_;  ///< arc length at the points
  std::vector<Vec3> normal_;   ///< a vector carried along, at the points
};

}  // namespace

std::unique_ptr<Curve> make_spline(const std::vector<Vec3>& points) { return std::make_unique<Spline>(points); }

}  // namespace freeplay
