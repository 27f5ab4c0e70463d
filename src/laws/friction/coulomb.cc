#include "freeplay/deck/law_types.h"
#include "freeplay/laws/friction/keys.h"

namespace freeplay {
namespace {

/// Set-valued: at rest it is a constraint of the joint (JointFriction::coulomb) and no formula.
struct Coulomb : StaticAndKinetic {
  static Table<Coulomb> keys() {
    Table<Coulomb> table("Friction coulomb",
                         "Coulomb's law itself: true stick, any force up to static N at rest, kinetic N when slipping. "
                         "For ideal joints.");
    add_static_and_kinetic(table);
    return table;
  }
};

const bool coulomb_is_known = [] {
  friction_law_types().add(
      law_type<Coulomb, FrictionLawSpec>("coulomb", [](const Coulomb& parameters, FrictionLawSpec& chosen) {
        chosen.static_coefficient = parameters.static_;
        chosen.set_valued_kinetic_coefficient = parameters.kinetic;
      }));
  return true;
}();

}  // namespace
}  // namespace freeplay
