#pragma once

#include "freeplay/deck/law_types.h"
#include "freeplay/laws/friction/friction_law.h"

namespace freeplay {

/// Makes a friction law known: reader, schema and reference find it. `Parameters` has the keys() of the model file,
/// static_coefficient(), and law(), which makes the law.
template <class Parameters>
struct RegisterFriction {
  explicit RegisterFriction(const std::string& type) {
    friction_law_types().add(
        law_type<Parameters, FrictionLawSpec>(type, [](const Parameters& parameters, FrictionLawSpec& chosen) {
          chosen.static_coefficient = parameters.static_coefficient();
          chosen.make = [parameters] { return parameters.law(); };
        }));
  }
};

}  // namespace freeplay
