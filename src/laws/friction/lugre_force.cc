#include "freeplay/laws/friction/bristles.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// LuGre on the force (Marques et al. 2018, eqs 9-11): F = s0 z + s1 dz/dt + s2 v, dz/dt = v - s0 |v|/(N g(v)) z. The
/// bristles do not scale with the load. Known defects: they keep their force when the load vanishes, so the load in the
/// denominator has a floor; and with a reaction as normal force the force may have no solution at all.
struct LuGreForceBristles {
  static constexpr bool is_proportional = false;
  StribeckCurve curve;
  double stiffness = 0.0, damping = 0.0, viscous = 0.0;  ///< s0 [N/m], s1 [N s/m], s2 [N s/m]
  double least_load = 0.0;                               ///< floor of N in the denominator [N]
  std::optional<BristleStep> resolved;

  template <class T>
  T rate(const Vector3<T>& slip, const T& N, const Vector3<T>& /*z*/) const {
    const T speed = length_of(slip);
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
    return resolved->limit(slip, curve.stribeck_velocity,
                           std::max(N, least_load) * curve.kinetic / (stiffness * curve.stribeck_velocity));
  }
  double stick_velocity() const { return curve.stribeck_velocity; }
};

struct LuGreForce : BristleKeys {
  double least_load = 0.0;  ///< [N]

  static Table<LuGreForce> keys() {
    auto table = bristle_table<LuGreForce>(
        "Friction lugre-force", "LuGre bristles on the friction force. They do not scale with the normal force.", "N/m",
        "N*s/m");
    table.required("least-load", &LuGreForce::least_load, number("N", above(0)),
                   "Floor of the normal force in the bristles' equation, part of the model where contacts open.");
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<BristleFriction<LuGreForceBristles>>(
        LuGreForceBristles{curve(), sigma0, sigma1, sigma2, least_load, resolved()});
  }
};

const RegisterFriction<LuGreForce> lugre_force("lugre-force");

}  // namespace
}  // namespace freeplay
