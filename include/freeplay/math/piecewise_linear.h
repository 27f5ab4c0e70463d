#pragma once

#include <array>
#include <vector>

namespace freeplay {

/// A piecewise linear function y(x) through given points, continued beyond its ends with the slope of the end segments.
/// Used as the force law of springs: `integral` is its potential, `mean` the discrete derivative of that potential.
class PiecewiseLinear {
 public:
  /// y = slope * x.
  explicit PiecewiseLinear(double slope) : points_{{0.0, 0.0}, {1.0, slope}} {}
  /// At least two points with ascending x.
  explicit PiecewiseLinear(std::vector<std::array<double, 2>> points) : points_(std::move(points)) {}

  double value(double x) const;
  double slope(double x) const { return slope_of(segment_of(x)); }
  /// Integral from a to b, summed over segments so that nothing cancels.
  double integral(double a, double b) const;
  /// integral(a, b) / (b - a); the value where a = b.
  double mean(double a, double b) const;
  /// d mean / d b.
  double mean_derivative(double a, double b) const;

 private:
  int segment_of(double x) const;
  double slope_of(int segment) const;

  std::vector<std::array<double, 2>> points_;
};

}  // namespace freeplay
