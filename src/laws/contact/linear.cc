#include "freeplay/laws/contact/power_law.h"
#include "freeplay/laws/contact/register.h"

namespace freeplay {
namespace {

struct LinearContact {
  double stiffness = 0.0;  ///< k [N/m]
  double damping = 0.0;    ///< chi [s/m]

  static Table<LinearContact> keys() {
    Table<LinearContact> table("Contact linear", "A linear spring: f = k d, with the penetration d.");
    table.required("stiffness", &LinearContact::stiffness, number("N/m", above(0)), "Stiffness k.");
    table.optional("damping", &LinearContact::damping, number("s/m", at_least(0)),
                   "Factor chi of the dissipative part: f = k d (1 + chi d'), never negative.");
    return table;
  }
  bool needs_radius() const { return false; }
  std::shared_ptr<const ContactLaw> law(double) const {
    return std::make_shared<ElasticContact<PowerLaw>>(PowerLaw{stiffness, 1.0, damping, 0.0});
  }
};

const RegisterContact<LinearContact> linear_contact("linear");

}  // namespace
}  // namespace freeplay
