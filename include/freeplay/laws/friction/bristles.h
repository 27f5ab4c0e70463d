#pragma once

// What laws with bristles have in common: the Stribeck curve, stiffness and damping, and a step that resolves them.

#include <algorithm>
#include <cmath>

#include "freeplay/base/units.h"
#include "freeplay/laws/friction/friction_law.h"
#include "freeplay/laws/friction/keys.h"

namespace freeplay {

/// g(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^gamma)
struct StribeckCurve : StaticAndKinetic {
  double stribeck_velocity = 0.0, exponent = 2.0;
  template <class T>
  T operator()(const T& v) const {
    using std::exp;
    using std::pow;
    if (static_ == kinetic || value_of(v) == 0.0) return T(static_);
    return kinetic + (static_ - kinetic) * exp(-pow(T(v / stribeck_velocity), exponent));
  }
};

/// Step that resolves the bristles: Bauchau and Ju 2006, eq 33, Omega dt = tau max(1, nu)^alpha, nu = (v/v_s)/v_min.
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

/// The same as users give it.
struct BristleStepKeys {
  std::optional<double> step_smallest, step_velocity, step_growth;

  /// If none is given, the error of the bristles rules the step.
  std::optional<BristleStep> resolved() const {
    if (!step_smallest && !step_velocity && !step_growth) return {};
    const BristleStep usual;
    return BristleStep{step_smallest.value_or(usual.smallest), step_velocity.value_or(usual.velocity),
                       step_growth.value_or(usual.growth)};
  }
};

template <class Law>
void add_bristle_step(Table<Law>& table) {
  const BristleStep usual;
  const auto if_absent = [](double value) { return "; if absent: " + number_text(value) + "."; };
  Table<Law> step("Step of a bristle law",
                  "A step for the bristles besides the one that follows from `tolerance`: smallest * mu_k/(sigma0 "
                  "v_s) * max(1, v/(v_s velocity), v_s/(100 v))^growth. Applies if one of its keys is given.");
  step.optional("smallest", &Law::step_smallest, number("", above(0)),
                "In time constants of the bristles" + if_absent(usual.smallest));
  step.optional("velocity", &Law::step_velocity, number("", above(0)),
                "In Stribeck velocities: the step grows beyond it" + if_absent(usual.velocity));
  step.optional("growth", &Law::step_growth, number("", at_least(0)),
                "Exponent of the growth" + if_absent(usual.growth));
  table.group("step", step, "Control of the step size.");
}

/// Bristles with a Stribeck curve, as users give them.
struct BristleKeys : StribeckCurve, BristleStepKeys {
  double sigma0 = 0.0, sigma1 = 0.0, sigma2 = 0.0;  ///< stiffness, damping, viscous friction
  const StribeckCurve& curve() const { return *this; }
};

template <class Law>
Table<Law> bristle_table(const std::string& title, const std::string& text, const std::string& stiffness_unit,
                         const std::string& damping_unit) {
  Table<Law> table(title, text);
  add_static_and_kinetic(table);
  table.required("sigma0", &Law::sigma0, number(stiffness_unit, above(0)), "Stiffness of the bristles.");
  table.optional("sigma1", &Law::sigma1, number(damping_unit, at_least(0)), "Damping of the bristles.");
  table.optional("sigma2", &Law::sigma2, number(damping_unit, at_least(0)), "Viscous friction.");
  add_stribeck_velocity(table);
  table.optional("exponent", &Law::exponent, number("", above(0)), "Exponent of the Stribeck curve.");
  add_bristle_step(table);
  return table;
}

/// LuGre on the friction coefficient (Bauchau and Ju 2006, eqs 22-23; Wojtyra 2017, eqs 13-15; with stiffness and
/// damping divided by an equivalent load also Marques et al. 2018, eqs 29-30): mu = s0 z + s1 dz/dt + s2 v,
/// dz/dt = v - s0 |v|/g(v) z.
/// Known defects: with s1 > 0 the coefficient can pass mu_s for a moment when the slip reverses, and for slip faster
/// than 4 mu_k/s1 the bristle damping can give energy. The deflection can pass mu_s/s0, by up to 22 %, in a long step
/// in which the slip reverses (tests/laws/friction; the proof of |z| < mu_s/s0 by Bauchau and Ju after their eq 30
/// overlooks it). A load that grows while the bristles are deflected stores energy that nobody paid for.
struct LuGreBristles {
  static constexpr bool is_proportional = true;
  StribeckCurve curve;
  double stiffness = 0.0, damping = 0.0, viscous = 0.0;  ///< s0 [1/m], s1 [s/m], s2 [s/m]
  std::optional<BristleStep> resolved;

  template <class T>
  T rate(const Vector3<T>& slip, const T& /*N*/, const Vector3<T>& /*z*/) const {
    const T speed = length_of(slip);
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
    return resolved->limit(slip, curve.stribeck_velocity, curve.kinetic / (stiffness * curve.stribeck_velocity));
  }
  double stick_velocity() const { return curve.stribeck_velocity; }
};

}  // namespace freeplay
