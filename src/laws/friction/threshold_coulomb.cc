#include "freeplay/laws/friction/keys.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// mu times a factor that rises linearly from 0 at v_0 to 1 at v_1 (Ambrosio 2003; Muvengei et al. 2012,
/// eqs 4-5). Known defect: no friction at all below v_0.
struct ThresholdCoulomb : OneCoefficient {
  double lower = 0.0, velocity = 0.0;  ///< v_0, v_1 [m/s]

  static Table<ThresholdCoulomb> keys() {
    Table<ThresholdCoulomb> table(
        "Friction threshold-coulomb",
        "mu times a factor that rises from 0 at `lower` to 1 at `velocity`. No friction below `lower`.");
    add_coefficient(table);
    table.required("lower", &ThresholdCoulomb::lower, number("m/s", at_least(0)), "No friction below this velocity.");
    add_velocity(table, "Full friction from this velocity on.");
    table.check([](const ThresholdCoulomb& law, const Given& given, Reader& reader) {
      if (given.has("lower") && given.has("velocity") && law.lower >= law.velocity)
        error_at("lower", "must be smaller than 'velocity'", given, reader);
    });
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<AlgebraicFriction<ThresholdCoulomb>>(*this);
  }

  template <class T>
  T coefficient(const T& v) const {
    if (value_of(v) <= lower) return T(0.0);
    if (value_of(v) >= velocity) return T(mu);
    return mu * (v - lower) / (velocity - lower);
  }
  double slope() const { return lower > 0.0 ? 0.0 : mu / velocity; }
  double stick_velocity() const { return velocity; }
};

const RegisterFriction<ThresholdCoulomb> threshold_coulomb("threshold-coulomb");

}  // namespace
}  // namespace freeplay
