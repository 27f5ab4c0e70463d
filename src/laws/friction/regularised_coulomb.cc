#include "freeplay/laws/friction/keys.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// mu tanh(v / v_0): smooth, creeps instead of sticking.
struct RegularisedCoulomb : OneCoefficient {
  double velocity = 0.0;  ///< v_0 [m/s]

  static Table<RegularisedCoulomb> keys() {
    Table<RegularisedCoulomb> table("Friction regularised-coulomb",
                                    "mu tanh(v/v_0): smooth; creeps instead of sticking.");
    add_coefficient(table);
    add_velocity(table, "v_0.");
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<AlgebraicFriction<RegularisedCoulomb>>(*this);
  }

  template <class T>
  T coefficient(const T& v) const {
    using std::tanh;
    return mu * tanh(v / velocity);
  }
  double slope() const { return mu / velocity; }
  double stick_velocity() const { return velocity; }
};

const RegisterFriction<RegularisedCoulomb> regularised_coulomb("regularised-coulomb");

}  // namespace
}  // namespace freeplay
