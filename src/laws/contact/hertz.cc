#include "freeplay/laws/contact/power_law.h"
#include "freeplay/laws/contact/register.h"

namespace freeplay {
namespace {

struct Hertz : PowerLawKeys {
  static Table<Hertz> keys() { return power_law_table<Hertz>("hertz", "f = K d^n, elastic."); }
  std::shared_ptr<const ContactLaw> law(double radius) const { return PowerLawKeys::law(radius, 0.0); }
};

const RegisterContact<Hertz> hertz("hertz");

}  // namespace
}  // namespace freeplay
