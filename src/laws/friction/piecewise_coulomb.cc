#include "freeplay/laws/friction/keys.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// Linear up to mu_s at gamma, falls linearly to mu_k at 3/2 gamma (Wojtyra 2017, eq 12).
struct PiecewiseCoulomb : StaticAndKinetic {
  double velocity = 0.0;  ///< gamma [m/s]

  static Table<PiecewiseCoulomb> keys() {
    Table<PiecewiseCoulomb> table(
        "Friction piecewise-coulomb",
        "Rises linearly to the static value at `velocity`, falls to the kinetic one at 1.5 of it.");
    add_static_and_kinetic(table);
    add_velocity(table, "Velocity of the largest friction.");
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<AlgebraicFriction<PiecewiseCoulomb>>(*this);
  }

  template <class T>
  T coefficient(const T& v) const {
    if (value_of(v) <= velocity) return static_ * v / velocity;
    if (value_of(v) <= 1.5 * velocity) return static_ - 2.0 * (static_ - kinetic) * (v - velocity) / velocity;
    return T(kinetic);
  }
  double slope() const { return static_ / velocity; }
  double stick_velocity() const { return velocity; }
};

const RegisterFriction<PiecewiseCoulomb> piecewise_coulomb("piecewise-coulomb");

}  // namespace
}  // namespace freeplay
