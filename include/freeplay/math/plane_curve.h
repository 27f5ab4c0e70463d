#pragma once

#include <vector>

#include "freeplay/math/types.h"

namespace freeplay {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

/// A spline through points of a plane, closed or open; an open one goes on straight at its ends.
class PlaneCurve {
 public:
  PlaneCurve(const std::vector<Vec2>& points, bool closed);

  double length() const { return start_.back(); }  ///< nearly: of its chords

  /// Distance of a point from the curve, with first and second derivatives by the point. Positive outside of a closed
  /// curve, and on the left of an open one.
  struct Distance {
    double value = 0.0;
    Vec2 gradient = Vec2::Zero();
    Mat2 second = Mat2::Zero();
  };
  Distance distance(const Vec2& point) const;

 private:
  /// x and its first two derivatives by the parameter.
  struct Jet {
    Vec2 x, rate, second_rate;
  };
  /// In each span u from 0 to `width`: x_0 + u (b + u (c + u d)).
  struct Span {
    Vec2 x, b, c, d;
    double width = 0.0;
    Jet at(double u) const {
      return {x + u * (b + u * (c + u * d)), b + u * (2.0 * c + 3.0 * u * d), 2.0 * c + 6.0 * u * d};
    }
  };
  struct Sample {
    Vec2 x;
    double parameter = 0.0;
  };

  Jet at(double parameter) const;
  Jet nearest(const Vec2& point) const;

  bool closed_;
  double side_ = 1.0;  ///< 1: positive on the left
  std::vector<Span> spans_;
  std::vector<double> start_;  ///< parameter at the start of each span, and at the end
  std::vector<Sample> samples_;
};

}  // namespace freeplay
