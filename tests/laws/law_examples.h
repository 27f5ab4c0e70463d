#pragma once

// An example of every law of the registries: a new law is tested by adding a line here. All numbers are of size 1, so
// that one tolerance fits all.

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <set>

#include "freeplay/deck/law_types.h"
#include "freeplay/deck/model_file.h"
#include "freeplay/laws/contact/contact_law.h"
#include "freeplay/laws/friction/friction_law.h"

namespace freeplay {

struct LawExample {
  std::string type, keys;
  std::string label() const {
    std::string text = type + "_" + keys;
    for (char& c : text)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return text;
  }
};

inline std::ostream& operator<<(std::ostream& out, const LawExample& law) {
  return out << law.type << " {" << law.keys << "}";
}

/// Radius that Hertz's theory takes from the geometry [m].
constexpr double example_radius = 0.8;

inline std::vector<LawExample> contact_examples() {
  return {{"linear", "stiffness: 2"},
          {"linear", "stiffness: 2, damping: 0.4"},
          {"hertz", "stiffness: 3"},
          {"hertz", "stiffness: 3, exponent: 2.2"},
          {"hertz", "young: [4, 3], poisson: [0.3, 0.2]"},
          {"hunt-crossley", "stiffness: 3, restitution: 0.5"},
          {"lankarani-nikravesh", "stiffness: 3, exponent: 1, restitution: 0.3"},
          {"flores", "stiffness: 3, restitution: 0.2"},
          {"walton-braun", "loading-stiffness: 2, unloading-stiffness: 5"}};
}

inline std::vector<LawExample> friction_examples() {
  return {{"regularised-coulomb", "coefficient: 0.4, velocity: 1"},
          {"threshold-coulomb", "coefficient: 0.4, lower: 0.3, velocity: 1"},
          {"threshold-coulomb", "coefficient: 0.4, lower: 0, velocity: 1"},
          {"piecewise-coulomb", "static: 0.6, kinetic: 0.4, velocity: 1"},
          {"stribeck", "static: 0.6, kinetic: 0.4, stribeck-velocity: 2, sigma2: 0.05, velocity: 1"},
          {"stribeck", "static: 0.6, kinetic: 0.4, stribeck-velocity: 2, exponent: 1.5, velocity: 1"},
          {"brown-mcphee", "static: 0.6, kinetic: 0.4, stribeck-velocity: 2"},
          {"dahl", "coefficient: 0.4, sigma0: 0.9, velocity: 1"},
          {"lugre", "static: 0.6, kinetic: 0.4, sigma0: 0.9, stribeck-velocity: 2"},
          {"lugre", "static: 0.6, kinetic: 0.4, sigma0: 0.9, sigma1: 0.2, sigma2: 0.05, stribeck-velocity: 2"},
          {"elasto-plastic", "static: 0.6, kinetic: 0.4, sigma0: 0.9, stribeck-velocity: 2"},
          {"elasto-plastic",
           "static: 0.6, kinetic: 0.4, sigma0: 0.9, sigma1: 0.2, stribeck-velocity: 2, elastic-part: 0.5"},
          {"lugre-force",
           "static: 0.6, kinetic: 0.4, sigma0: 1.5, sigma1: 0.2, sigma2: 0.05, stribeck-velocity: 2, least-load: 0.1"},
          {"lugre-load-scaled",
           "static: 0.6, kinetic: 0.4, sigma0: 1.8, sigma1: 0.3, stribeck-velocity: 2, reference-load: 2"}};
}

/// Both laws, read as the user would write them.
inline ModelSpec model_with_laws(const LawExample& contact, const LawExample& friction) {
  return read_model_text("freeplay: 1\nbodies: {ball: {rigid: {mass: 1}}}\ncontacts: {c: {" + contact.type + ": {" +
                             contact.keys + "}}}\nfrictions: {f: {" + friction.type + ": {" + friction.keys +
                             "}}}\njoints: {j: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 1, "
                             "contact: c, friction: f}}}\nanalysis: {dynamic: {end: 1}}\n",
                         "laws.yaml");
}

inline std::shared_ptr<const ContactLaw> make_contact_example(const LawExample& example) {
  return model_with_laws(example, friction_examples().front()).contacts.front().make(example_radius);
}

inline std::shared_ptr<const FrictionLaw> make_friction_example(const LawExample& example) {
  return model_with_laws(contact_examples().front(), example).frictions.front().make();
}

/// Every name that a user can write has an example.
template <class Spec>
void expect_all_have_examples(const LawTypes<Spec>& types, const std::vector<LawExample>& examples) {
  std::set<std::string> registered, tested;
  for (const auto& law : types.list()) registered.insert(law.tag);
  registered.erase("coulomb");  // true stick is no formula but a constraint: tests/analysis/stiction_test.cc
  for (const LawExample& example : examples) tested.insert(example.type);
  EXPECT_EQ(registered, tested);
}

}  // namespace freeplay
