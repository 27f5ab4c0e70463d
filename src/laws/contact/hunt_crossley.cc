#include "freeplay/laws/contact/power_law.h"
#include "freeplay/laws/contact/register.h"

namespace freeplay {
namespace {

/// Hunt and Crossley 1975, to first order in 1 - e. Known defect: e = 0.5 returns 0.66, and e = 0.1 returns 0.52.
struct HuntCrossley : RestitutionKeys {
  static Table<HuntCrossley> keys() {
    return restitution_table<HuntCrossley>("hunt-crossley", "f = K d^n (1 + 3 (1 - e)/2 d'/v), v the speed of impact.");
  }
  std::shared_ptr<const ContactLaw> law(double radius) const {
    return PowerLawKeys::law(radius, 1.5 * (1.0 - restitution));
  }
};

const RegisterContact<HuntCrossley> hunt_crossley("hunt-crossley");

}  // namespace
}  // namespace freeplay
