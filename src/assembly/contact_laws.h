#pragma once

#include <memory>

#include "freeplay/contact/contact_law.h"
#include "freeplay/friction/friction_law.h"
#include "freeplay/model/spec.h"

namespace freeplay {

/// The registries of laws: a new law is a new line in contact_laws.cc and a table of keys in model/tables_contact.cc.
/// `radius` is what Hertz's theory takes from the geometry (contact/power_law.h) [m].
std::unique_ptr<ContactLaw> make_contact_law(const ContactLawSpec& spec, double radius);
std::unique_ptr<FrictionLaw> make_friction_law(const FrictionLawSpec& spec);

}  // namespace freeplay
