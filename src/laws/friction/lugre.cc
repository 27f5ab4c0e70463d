#include "freeplay/laws/friction/bristles.h"
#include "freeplay/laws/friction/register.h"

namespace freeplay {
namespace {

/// Formula and known defects: LuGreBristles.
struct LuGre : BristleKeys {
  static Table<LuGre> keys() {
    return bristle_table<LuGre>(
        "Friction lugre", "LuGre bristles on the friction coefficient: sigma0 z + sigma1 z' + sigma2 v.", "1/m", "s/m");
  }
  std::shared_ptr<const FrictionLaw> law() const {
    return std::make_shared<BristleFriction<LuGreBristles>>(LuGreBristles{curve(), sigma0, sigma1, sigma2, resolved()});
  }
};

const RegisterFriction<LuGre> lugre("lugre");

}  // namespace
}  // namespace freeplay
