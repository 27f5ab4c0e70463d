#pragma once

#include <Eigen/Geometry>
#include <random>

#include "freeplay/math/types.h"

namespace freeplay {

/// Reproducible random numbers.
class Random {
 public:
  explicit Random(unsigned seed = 1) : engine_(seed) {}

  double operator()(double low = -1.0, double high = 1.0) {
    return low + (high - low) * (static_cast<double>(engine_()) / std::mt19937::max());
  }
  Vec3 vector(double size = 1.0) { return {size * (*this)(), size * (*this)(), size * (*this)()}; }
  Vec6 twist(double size = 1.0) {
    Vec6 result;
    result << vector(size), vector(size);
    return result;
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
  }
  /// Any rotation.
  Mat3 rotation() { return Eigen::AngleAxisd((*this)(-3.14, 3.14), direction()).toRotationMatrix(); }

 private:
  std::mt19937 engine_;
};

/// Derivative of `function` (of one number, with a plain number or matrix as its value) by a central difference of
/// fourth order. For functions whose derivatives are of size 1 it has about 12 digits: truncation h^4/30 and round-off
/// 1e-16/h balance near h = 1e-3.
template <class Function>
auto derivative(Function&& function, double at = 0.0, double h = 1e-3) -> decltype(function(at)) {
  return (8.0 * (function(at + h) - function(at - h)) - (function(at + 2.0 * h) - function(at - 2.0 * h))) / (12.0 * h);
}

/// Second derivative, likewise; about 9 digits.
template <class Function>
auto second_derivative(Function&& function, double at = 0.0, double h = 2e-3) -> decltype(function(at)) {
  return (16.0 * (function(at + h) + function(at - h)) - (function(at + 2.0 * h) + function(at - 2.0 * h)) -
          30.0 * function(at)) /
         (12.0 * h * h);
}

/// What a derivative() of quantities of size 1 to 10 may be off by, with a margin.
constexpr double finite_difference_tolerance = 1e-9;

}  // namespace freeplay
