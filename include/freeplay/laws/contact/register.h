#pragma once

#include "freeplay/deck/law_types.h"
#include "freeplay/laws/contact/contact_law.h"

namespace freeplay {

/// Makes a contact law known: reader, schema and reference find it. `Parameters` has the keys() of the model file,
/// needs_radius(), and law(radius), which makes the law (radius: see ContactLawSpec::make).
template <class Parameters>
struct RegisterContact {
  explicit RegisterContact(const std::string& type) {
    contact_law_types().add(
        law_type<Parameters, ContactLawSpec>(type, [](const Parameters& parameters, ContactLawSpec& chosen) {
          chosen.needs_radius = parameters.needs_radius();
          chosen.make = [parameters](double radius) { return parameters.law(radius); };
        }));
  }
};

}  // namespace freeplay
