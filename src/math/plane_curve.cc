#include "freeplay/math/plane_curve.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace freeplay {

namespace {

constexpr int samples_per_span = 12;

/// Second derivatives at the points that make the first derivative continuous (de Boor, A Practical Guide to Splines,
/// chapter IV). h[k] is the width of the span after point k. Open: no third derivative jumps next to an end.
Eigen::MatrixX2d second_derivatives(const std::vector<Vec2>& points, const std::vector<double>& h, bool closed) {
  const int n = static_cast<int>(points.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  Eigen::MatrixX2d right = Eigen::MatrixX2d::Zero(n, 2);
  for (int k = closed ? 0 : 1; k < (closed ? n : n - 1); ++k) {
    const int before = (k + n - 1) % n, after = (k + 1) % n;
    matrix(k, before) += h[before];
    matrix(k, k) += 2.0 * (h[before] + h[k]);
    matrix(k, after) += h[k];
    right.row(k) = 6.0 * ((points[after] - points[k]) / h[k] - (points[k] - points[before]) / h[before]);
  }
  if (!closed)
    for (const auto& [row, first] : {std::pair{0, 0}, std::pair{n - 1, n - 3}}) {
      matrix(row, first) = 1.0 / h[first];
      matrix(row, first + 1) = -1.0 / h[first] - 1.0 / h[first + 1];
      matrix(row, first + 2) = 1.0 / h[first + 1];
    }
  return matrix.partialPivLu().solve(right);
}

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

PlaneCurve::PlaneCurve(const std::vector<Vec2>& points, bool closed) : closed_(closed) {
  const std::size_t n = points.size(), n_spans = closed ? n : n - 1;
  std::vector<double> h;
  for (std::size_t k = 0; k < n_spans; ++k) h.push_back((points[(k + 1) % n] - points[k]).norm());
  const Eigen::MatrixX2d second = second_derivatives(points, h, closed);
  start_.push_back(0.0);
  double area = 0.0;
  for (std::size_t k = 0; k < n_spans; ++k) {
    const Vec2 &from = points[k], &to = points[(k + 1) % n];
    const Vec2 left = second.row(k), right = second.row((k + 1) % n);
    spans_.push_back({from, (to - from) / h[k] - h[k] / 6.0 * (2.0 * left + right), 0.5 * left,
                      (right - left) / (6.0 * h[k]), h[k]});
    area += cross(from, to);
    for (int i = 0; i < samples_per_span; ++i) {
      const double u = h[k] * i / samples_per_span;
      samples_.push_back({spans_.back().at(u).x, start_.back() + u});
    }
    start_.push_back(start_.back() + h[k]);
  }
  if (!closed) samples_.push_back({points.back(), start_.back()});
  if (closed && area > 0.0) side_ = -1.0;  // counterclockwise: the left is inside
}

PlaneCurve::Jet PlaneCurve::at(double parameter) const {
  const double length = start_.back();
  if (closed_) parameter -= length * std::floor(parameter / length);
  if (!closed_ && (parameter < 0.0 || parameter > length)) {
    const Jet end = parameter < 0.0 ? spans_.front().at(0.0) : spans_.back().at(spans_.back().width);
    const double beyond = parameter < 0.0 ? parameter : parameter - length;
    return {end.x + beyond * end.rate, end.rate, Vec2::Zero()};
  }
  const auto after = std::upper_bound(start_.begin() + 1, start_.end() - 1, parameter);
  const std::size_t k = static_cast<std::size_t>(after - start_.begin()) - 1;
  return spans_[k].at(parameter - start_[k]);
}

/// Newton's method for (p - x) . x' = 0 from the nearest sample, kept between the samples on both sides of it.
PlaneCurve::Jet PlaneCurve::nearest(const Vec2& point) const {
  const auto best =
      std::ranges::min_element(samples_, {}, [&](const Sample& sample) { return (sample.x - point).squaredNorm(); });
  double u = best->parameter;
  const double reach = 2.0 * std::ranges::max_element(spans_, {}, &Span::width)->width / samples_per_span;
  double low = u - reach, high = u + reach;
  if (!closed_) {  // the straight ends go on for ever
    const double far = 1.0 + (point - best->x).norm() + start_.back();
    if (best == samples_.begin()) low = u - far;
    if (best == samples_.end() - 1) high = u + far;
  }
  constexpr int most_iterations = 60;
  Jet jet = at(u);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const double g = (point - jet.x).dot(jet.rate);
    (g > 0.0 ? low : high) = u;
    const double slope = (point - jet.x).dot(jet.second_rate) - jet.rate.squaredNorm();
    double next = u - g / slope;
    if (slope >= 0.0 || next < low || next > high) next = 0.5 * (low + high);
    const bool arrived = std::abs(next - u) <= 1e-15 * start_.back();
    u = next;
    jet = at(u);
    if (arrived) break;
  }
  return jet;
}

PlaneCurve::Distance PlaneCurve::distance(const Vec2& point) const {
  const Jet jet = nearest(point);
  const double speed = jet.rate.norm();
  const Vec2 t = jet.rate / speed;
  const Vec2 n = side_ * Vec2(-t.y(), t.x());
  const double curvature = jet.second_rate.dot(n) / (speed * speed);
  Distance result;
  result.value = (point - jet.x).dot(n);
  result.gradient = n;
  result.second = -curvature / (1.0 - curvature * result.value) * t * t.transpose();
  return result;
}

}  // namespace freeplay
