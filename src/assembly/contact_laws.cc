#include "contact_laws.h"

#include <functional>
#include <map>
#include <stdexcept>

#include "freeplay/contact/power_law.h"
#include "freeplay/friction/bristle_laws.h"
#include "freeplay/friction/velocity_laws.h"

namespace freeplay {

namespace {

using Spec = FrictionLawSpec;
using FrictionMaker = std::function<std::unique_ptr<FrictionLaw>(const Spec&)>;

template <class Formula>
std::unique_ptr<FrictionLaw> algebraic(Formula formula) {
  return std::make_unique<AlgebraicFriction<Formula>>(std::move(formula));
}
template <class Formula>
std::unique_ptr<FrictionLaw> bristles(Formula formula) {
  return std::make_unique<BristleFriction<Formula>>(std::move(formula));
}

StribeckCurve curve(const Spec& s) {
  return {s.static_coefficient, s.kinetic_coefficient, s.stribeck_velocity, s.exponent};
}
std::optional<BristleStep> step(const Spec& s) {
  if (!s.step_smallest && !s.step_velocity && !s.step_growth) return {};
  const BristleStep usual;
  return BristleStep{s.step_smallest.value_or(usual.smallest), s.step_velocity.value_or(usual.velocity),
                     s.step_growth.value_or(usual.growth)};
}

LuGre dahl(const Spec& s) {
  return {{s.kinetic_coefficient, s.kinetic_coefficient, s.velocity, 2.0}, s.sigma0, 0.0, 0.0, step(s)};
}

const std::map<std::string, FrictionMaker>& friction_makers() {
  static const std::map<std::string, FrictionMaker> makers = {
      {"regularised-coulomb",
       [](const Spec& s) {
         return algebraic(RegularisedCoulomb{s.kinetic_coefficient, s.velocity});
       }},
      {"threshold-coulomb",
       [](const Spec& s) {
         return algebraic(ThresholdCoulomb{s.kinetic_coefficient, s.lower_velocity, s.velocity});
       }},
      {"piecewise-coulomb",
       [](const Spec& s) {
         return algebraic(PiecewiseLinearCoulomb{s.static_coefficient, s.kinetic_coefficient, s.velocity});
       }},
      {"stribeck",
       [](const Spec& s) {
         return algebraic(Stribeck{s.static_coefficient, s.kinetic_coefficient, s.stribeck_velocity, s.exponent,
                                   s.sigma2, s.velocity});
       }},
      {"brown-mcphee",
       [](const Spec& s) {
         return algebraic(BrownMcPhee{s.static_coefficient, s.kinetic_coefficient, s.stribeck_velocity});
       }},
      {"dahl", [](const Spec& s) { return bristles(dahl(s)); }},
      {"lugre",
       [](const Spec& s) {
         return bristles(LuGre{curve(s), s.sigma0, s.sigma1, s.sigma2, step(s)});
       }},
      {"lugre-force",
       [](const Spec& s) {
         return bristles(LuGreForce{curve(s), s.sigma0, s.sigma1, s.sigma2, s.least_load, step(s)});
       }},
      {"lugre-load-scaled",
       [](const Spec& s) {
         const double load = s.reference_load;
         return bristles(LuGre{curve(s), s.sigma0 / load, s.sigma1 / load, s.sigma2 / load, step(s)});
       }},
  };
  return makers;
}

/// Factor of d_dot over the speed of impact, from the coefficient of restitution (contact/power_law.h).
double hysteresis(const std::string& type, double e) {
  if (type == "linear" || type == "hertz") return 0.0;
  if (type == "hunt-crossley") return 1.5 * (1.0 - e);
  if (type == "lankarani-nikravesh") return 0.75 * (1.0 - e * e);
  if (type == "flores") return 8.0 * (1.0 - e) / (5.0 * e);
  throw std::logic_error("no contact law is called '" + type + "'");
}

}  // namespace

std::unique_ptr<ContactLaw> make_contact_law(const ContactLawSpec& spec, double radius) {
  PowerLaw law;
  law.exponent = spec.type == "linear" ? 1.0 : spec.exponent;
  if (spec.stiffness) {
    law.stiffness = *spec.stiffness;
  } else {
    const auto &E = *spec.young, &nu = *spec.poisson;
    law.stiffness = hertz_stiffness(E[0], nu[0], E[1], nu[1], radius);
  }
  law.chi = spec.damping;
  law.hysteresis = hysteresis(spec.type, spec.restitution);
  return std::make_unique<ContactLawOf<PowerLaw>>(law);
}

std::unique_ptr<FrictionLaw> make_friction_law(const FrictionLawSpec& spec) {
  const auto maker = friction_makers().find(spec.type);
  if (maker == friction_makers().end()) throw std::logic_error("no friction law is called '" + spec.type + "'");
  return maker->second(spec);
}

}  // namespace freeplay
