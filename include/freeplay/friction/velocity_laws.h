#pragma once

// Friction laws without memory: mu as a function of the slip speed v.

#include <cmath>

#include "freeplay/math/dual.h"

namespace freeplay {

/// mu tanh(v / v_0): smooth, creeps instead of sticking.
struct RegularisedCoulomb {
  double coefficient_ = 0.0, velocity = 0.0;
  template <class T>
  T coefficient(const T& v) const {
    using std::tanh;
    return coefficient_ * tanh(v / velocity);
  }
  double slope() const { return coefficient_ / velocity; }
  double stick_velocity() const { return velocity; }
};

/// mu times a factor that rises linearly from 0 at v_0 to 1 at v_1 (seed 003, eqs 4-5). Known defect: no friction at
/// all below v_0.
struct ThresholdCoulomb {
  double coefficient_ = 0.0, lower = 0.0, upper = 0.0;
  template <class T>
  T coefficient(const T& v) const {
    if (value_of(v) <= lower) return T(0.0);
    if (value_of(v) >= upper) return T(coefficient_);
    return coefficient_ * (v - lower) / (upper - lower);
  }
  double slope() const { return lower > 0.0 ? 0.0 : coefficient_ / upper; }
  double stick_velocity() const { return upper; }
};

/// Linear up to mu_s at gamma, falls linearly to mu_k at 3/2 gamma (seed 000, eq 12).
struct PiecewiseLinearCoulomb {
  double static_ = 0.0, kinetic = 0.0, velocity = 0.0;
  template <class T>
  T coefficient(const T& v) const {
    if (value_of(v) <= velocity) return static_ * v / velocity;
    if (value_of(v) <= 1.5 * velocity) return static_ - 2.0 * (static_ - kinetic) * (v - velocity) / velocity;
    return T(kinetic);
  }
  double slope() const { return static_ / velocity; }
  double stick_velocity() const { return velocity; }
};

/// mu_k + (mu_s - mu_k) exp(-(v/v_s)^gamma) + viscous v, times tanh(v/v_0) to pass through zero (seed 003 eq 3, seed
/// 004 eq 4).
struct Stribeck {
  double static_ = 0.0, kinetic = 0.0, stribeck_velocity = 0.0, exponent = 2.0, viscous = 0.0, velocity = 0.0;
  template <class T>
  T coefficient(const T& v) const {
    using std::exp;
    using std::pow;
    using std::tanh;
    const T falling = (static_ - kinetic) * exp(-pow(T(v / stribeck_velocity), exponent));
    return (kinetic + falling) * tanh(v / velocity) + viscous * v;
  }
  double slope() const { return static_ / velocity + viscous; }
  double stick_velocity() const { return velocity; }
};

/// mu_k tanh(4 v/v_s) + (mu_s - mu_k) (v/v_s) / ((v/v_s)^2/4 + 3/4)^2 (Brown and McPhee; seed 004, eq 6).
struct BrownMcPhee {
  double static_ = 0.0, kinetic = 0.0, stribeck_velocity = 0.0;
  template <class T>
  T coefficient(const T& v) const {
    using std::tanh;
    const T s = v / stribeck_velocity;
    const T well = 0.25 * s * s + 0.75;
    return kinetic * tanh(4.0 * s) + (static_ - kinetic) * s / (well * well);
  }
  double slope() const { return (4.0 * kinetic + (static_ - kinetic) / (0.75 * 0.75)) / stribeck_velocity; }
  double stick_velocity() const { return stribeck_velocity; }
};

}  // namespace freeplay
