#include "freeplay/laws/contact/power_law.h"
#include "freeplay/laws/contact/register.h"

namespace freeplay {
namespace {

/// Lankarani and Nikravesh 1990 (Muvengei et al. 2012, eq 23). Known defect: e = 0.5 returns 0.725, and e =
/// 0.1 returns 0.665.
struct LankaraniNikravesh : RestitutionKeys {
  static Table<LankaraniNikravesh> keys() {
    return restitution_table<LankaraniNikravesh>("lankarani-nikravesh",
                                                 "f = K d^n (1 + 3 (1 - e^2)/4 d'/v), v the speed of impact.");
  }
  std::shared_ptr<const ContactLaw> law(double radius) const {
    return PowerLawKeys::law(radius, 0.75 * (1.0 - restitution * restitution));
  }
};

const RegisterContact<LankaraniNikravesh> lankarani_nikravesh("lankarani-nikravesh");

}  // namespace
}  // namespace freeplay
