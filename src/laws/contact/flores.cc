#include "freeplay/laws/contact/power_law.h"
#include "freeplay/laws/contact/register.h"

namespace freeplay {
namespace {

/// Flores, Machado, Silva and Martins 2011. Known defect: e = 0.5 returns 0.47, and e = 0.1 returns 0.07.
struct Flores : RestitutionKeys {
  static Table<Flores> keys() {
    return restitution_table<Flores>(
        "flores", "f = K d^n (1 + 8 (1 - e)/(5 e) d'/v), v the speed of impact: closest to e of these laws.");
  }
  std::shared_ptr<const ContactLaw> law(double radius) const {
    return PowerLawKeys::law(radius, 8.0 * (1.0 - restitution) / (5.0 * restitution));
  }
};

const RegisterContact<Flores> flores("flores");

}  // namespace
}  // namespace freeplay
