#include "freeplay/laws/friction/bristles.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// Marques et al. 2018, eqs 29-30: LuGre with stiffness and damping measured at a reference load.
struct LuGreLoadScaled : BristleKeys {
  double reference_load = 0.0;  ///< [N]

  static Table<LuGreLoadScaled> keys() {
    auto table = bristle_table<LuGreLoadScaled>(
        "Friction lugre-load-scaled",
        "LuGre bristles given on the force at a reference load and scaled with the normal force.", "N/m", "N*s/m");
    table.required("reference-load", &LuGreLoadScaled::reference_load, number("N", above(0)), "The reference load.");
    return table;
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<BristleFriction<LuGreBristles>>(
        LuGreBristles{curve(), sigma0 / reference_load, sigma1 / reference_load, sigma2 / reference_load, resolved()});
  }
};

const RegisterFriction<LuGreLoadScaled> lugre_load_scaled("lugre-load-scaled");

}  // namespace
}  // namespace freeplay
