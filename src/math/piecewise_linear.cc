#include "freeplay/math/piecewise_linear.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

int PiecewiseLinear::segment_of(double x) const {
  const int n_segments = static_cast<int>(points_.size()) - 1;
  int segment = 0;
  while (segment + 1 < n_segments && x >= points_[segment + 1][0]) ++segment;
  return segment;
}

double PiecewiseLinear::slope_of(int segment) const {
  const auto& [x0, y0] = points_[segment];
  const auto& [x1, y1] = points_[segment + 1];
  return (y1 - y0) / (x1 - x0);
}

double PiecewiseLinear::value(double x) const {
  const int segment = segment_of(x);
  return points_[segment][1] + slope_of(segment) * (x - points_[segment][0]);
}

double PiecewiseLinear::integral(double a, double b) const {
  if (a > b) return -integral(b, a);
  const int last = segment_of(b);
  double sum = 0.0;
  double left = a;
  for (int segment = segment_of(a); segment <= last; ++segment) {
    const double right = segment == last ? b : points_[segment + 1][0];
    const double middle = 0.5 * (left + right);
    sum += (points_[segment][1] + slope_of(segment) * (middle - points_[segment][0])) * (right - left);
    left = right;
  }
  return sum;
}

double PiecewiseLinear::mean(double a, double b) const {
  if (segment_of(a) == segment_of(b)) return value(0.5 * (a + b));
  return integral(a, b) / (b - a);
}

double PiecewiseLinear::mean_derivative(double a, double b) const {
  if (segment_of(a) == segment_of(b)) return 0.5 * slope(b);
  return (value(b) - mean(a, b)) / (b - a);
}

}  // namespace freeplay
