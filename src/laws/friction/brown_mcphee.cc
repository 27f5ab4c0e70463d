#include "freeplay/laws/friction/keys.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// mu_k tanh(4 v/v_s) + (mu_s - mu_k) (v/v_s) / ((v/v_s)^2/4 + 3/4)^2 (Brown and McPhee 2016; Marques et al. 2018,
/// eq 6).
struct BrownMcPhee : StaticAndKinetic {
  double stribeck_velocity = 0.0;  ///< v_s [m/s]

  static Table<BrownMcPhee> keys() {
    Table<BrownMcPhee> table("Friction brown-mcphee", "The continuous Stribeck curve of Brown and McPhee.");
    add_static_and_kinetic(table);
    add_stribeck_velocity(table);
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const { return std::make_shared<AlgebraicFriction<BrownMcPhee>>(*this); }

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

const RegisterFriction<BrownMcPhee> brown_mcphee("brown-mcphee");

}  // namespace
}  // namespace freeplay
