#pragma once

// Friction laws with bristles (LuGre and Dahl).

#include <algorithm>
#include <cmath>
#include <optional>

#include "freeplay/math/dual.h"

namespace freeplay {

/// mu_k + (mu_s - mu_k) exp(-(v/v_s)^gamma)
struct StribeckCurve {
  double static_ = 0.0, kinetic = 0.0, velocity = 0.0, exponent = 2.0;
  template <class T>
  T operator()(const T& v) const {
    using std::exp;
    using std::pow;
    if (static_ == kinetic || value_of(v) == 0.0) return T(static_);
    return kinetic + (static_ - kinetic) * exp(-pow(T(v / velocity), exponent));
  }
};

/// Step that resolves the bristles: seed 001 eq (33), Omega dt = tau max(1, nu)^alpha, nu = (v/v_s)/v_min.
/// Deviation: the bristles of a contact that sticks are springs at rest, whose own time constant g/(s0 |v|) grows
/// without bound. Below v_s/100 the step may grow again, in the same way, so that a mechanism can stand still for
/// hours. A step in which such a contact breaks away is rejected (ContactElement::overshoots).
struct BristleStep {
  double smallest = 0.02, velocity = 5.0, growth = 1.2;  ///< tau_min, v_min, alpha
  double limit(double slip, double stribeck_velocity, double time_constant) const {
    constexpr double rest = 0.01;
    const double v = slip / stribeck_velocity;
    const double nu = std::max(v / velocity, rest / v);
    return time_constant * smallest * std::pow(std::max(1.0, nu), growth);
  }
  /// Step while bristles with damping settle, in their time constants at this slip.
  double transient() const { return 10.0 * smallest; }
};

/// LuGre on the friction coefficient (seed 001 eqs 22-23; seed 000 eqs 13-15; with stiffness and damping divided by an
/// equivalent load also seed 004 eqs 29-30): mu = s0 z + s1 dz/dt + s2 v, dz/dt = v - s0 |v|/g(v) z.
/// Known defects: with s1 > 0 the coefficient can pass mu_s for a moment when the slip reverses, and for slip faster
/// than 4 mu_k/s1 the bristle damping can give energy. The deflection can pass mu_s/s0, by up to 22 %, in a long step
/// in which the slip reverses (tests/friction; the seed's proof of |z| < mu_s/s0 after eq 30 overlooks it). A load that
/// grows while the bristles are deflected stores energy that nobody paid for.
struct LuGre {
  static constexpr bool is_proportional = true;
  StribeckCurve curve;
  double stiffness = 0.0, damping = 0.0, viscous = 0.0;  ///< s0 [1/m], s1 [s/m], s2 [s/m]
  std::optional<BristleStep> resolved;  ///< if the user asks for it; else the error of the bristles rules the step

  template <class T>
  T rate(const T& speed, const T&) const {
    return stiffness * speed / curve(speed);
  }
  template <class T>
  Vector3<T> force(const Vector3<T>& z, const Vector3<T>& dz, const Vector3<T>& v, const T& N) const {
    return N * Vector3<T>(stiffness * z + damping * dz + viscous * v);
  }
  double energy(double N, double z) const { return 0.5 * N * stiffness * z * z; }
  double break_away(double) const { return curve.static_ / stiffness; }
  /// What damping gives, in units of steady friction.
  double damped_part(double speed, double, double dz) const { return damping * dz / curve(speed); }
  double step_limit(double slip, double) const {
    return resolved->limit(slip, curve.velocity, curve.kinetic / (stiffness * curve.velocity));
  }
  double stick_velocity() const { return curve.velocity; }
};

/// LuGre on the force (seed 004 eqs 9-11): F = s0 z + s1 dz/dt + s2 v, dz/dt = v - s0 |v|/(N g(v)) z. The bristles do
/// not scale with the load. Known defects: they keep their force when the load vanishes, so the load in the denominator
/// has a floor; and with a reaction as normal force the force may have no solution at all.
struct LuGreForce {
  static constexpr bool is_proportional = false;
  StribeckCurve curve;
  double stiffness = 0.0, damping = 0.0, viscous = 0.0;  ///< s0 [N/m], s1 [N s/m], s2 [N s/m]
  double least_load = 0.0;                               ///< floor of N in the denominator [N]
  std::optional<BristleStep> resolved;  ///< if the user asks for it; else the error of the bristles rules the step

  template <class T>
  T rate(const T& speed, const T& N) const {
    const T load = value_of(N) > least_load ? N : T(least_load);
    return stiffness * speed / (load * curve(speed));
  }
  template <class T>
  Vector3<T> force(const Vector3<T>& z, const Vector3<T>& dz, const Vector3<T>& v, const T&) const {
    return stiffness * z + damping * dz + viscous * v;
  }
  double energy(double, double z) const { return 0.5 * stiffness * z * z; }
  double break_away(double N) const { return std::max(N, least_load) * curve.static_ / stiffness; }
  /// What damping gives, in units of steady friction.
  double damped_part(double speed, double N, double dz) const {
    return damping * dz / (std::max(N, least_load) * curve(speed));
  }
  double step_limit(double slip, double N) const {
    return resolved->limit(slip, curve.velocity,
                           std::max(N, least_load) * curve.kinetic / (stiffness * curve.velocity));
  }
  double stick_velocity() const { return curve.velocity; }
};

}  // namespace freeplay
