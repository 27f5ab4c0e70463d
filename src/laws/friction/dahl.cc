#include "freeplay/laws/friction/bristles.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// LuGre without Stribeck effect and damping (Dahl 1968).
struct Dahl : OneCoefficient, BristleStepKeys {
  double sigma0 = 0.0, velocity = 0.0;  ///< [1/m], [m/s]

  static Table<Dahl> keys() {
    Table<Dahl> table("Friction dahl", "Bristles without Stribeck effect: friction coefficient sigma0 z.");
    add_coefficient(table);
    table.required("sigma0", &Dahl::sigma0, number("1/m", above(0)), "Stiffness of the bristles.");
    add_velocity(table, "Slower slip counts as sticking; sets the scale of the step.");
    add_bristle_step(table);
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<BristleFriction<LuGreBristles>>(
        LuGreBristles{{{mu, mu}, velocity, 2.0}, sigma0, 0.0, 0.0, resolved()});
  }
};

const RegisterFriction<Dahl> dahl("dahl");

}  // namespace
}  // namespace freeplay
