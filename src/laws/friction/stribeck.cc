#include "freeplay/laws/friction/keys.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// mu_k + (mu_s - mu_k) exp(-(v/v_s)^gamma), times tanh(v/v_0) to pass through zero, + viscous v (Muvengei, Kihiu and
/// Ikua 2012, eq 3; Marques et al. 2018, eq 4).
struct Stribeck : StaticAndKinetic {
  double stribeck_velocity = 0.0, exponent = 2.0;  ///< v_s [m/s], gamma
  double viscous = 0.0, velocity = 0.0;            ///< [s/m], v_0 [m/s]

  static Table<Stribeck> keys() {
    Table<Stribeck> table("Friction stribeck", "Stribeck curve, times tanh(v/v_0) to pass through zero.");
    add_static_and_kinetic(table);
    add_stribeck_velocity(table);
    table.optional("exponent", &Stribeck::exponent, number("", above(0)), "Exponent of the curve.");
    table.optional("sigma2", &Stribeck::viscous, number("s/m", at_least(0)), "Viscous friction.");
    add_velocity(table, "v_0.");
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const { return std::make_shared<AlgebraicFriction<Stribeck>>(*this); }

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

const RegisterFriction<Stribeck> stribeck("stribeck");

}  // namespace
}  // namespace freeplay
