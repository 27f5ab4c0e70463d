#pragma once

#include <array>
#include <memory>
#include <optional>

#include "freeplay/deck/table.h"
#include "freeplay/laws/contact/elastic_contact.h"

namespace freeplay {

/// f = K d^n (1 + chi d_dot). Linear: n = 1; Hertz: n = 3/2. The dissipative factor is either a constant chi (Hunt and
/// Crossley's own parameter) or hysteresis / speed of impact. A hysteresis h that is chosen by a coefficient of
/// restitution returns it only approximately: the true value is the root e of (1 + e) h = log((1 + h)/(1 - h e)),
/// whatever n. Whatever the speed of touch, the force is at most (1 + 2 h) times the elastic one
/// (ContactLaw::speed_of_impact).
struct PowerLaw {
  double stiffness = 0.0;   ///< K [N/m^n]
  double exponent = 1.0;    ///< n
  double chi = 0.0;         ///< [s/m]
  double hysteresis = 0.0;  ///< h, dimensionless

  template <class T>
  T elastic_force(const T& d) const {
    using std::pow;
    if (exponent == 1.0) return stiffness * d;
    return value_of(d) > 0.0 ? T(stiffness * pow(d, exponent)) : T(0.0);
  }
  template <class T>
  T potential(const T& d) const {
    using std::pow;
    if (exponent == 1.0) return 0.5 * stiffness * d * d;
    return value_of(d) > 0.0 ? T(stiffness / (exponent + 1.0) * pow(d, exponent + 1.0)) : T(0.0);
  }
  double depth_of(double energy) const {
    return std::pow((exponent + 1.0) * energy / stiffness, 1.0 / (exponent + 1.0));
  }
  template <class T>
  T damping(const T& impact_speed) const {
    return hysteresis == 0.0 ? T(chi) : T(hysteresis / impact_speed);
  }
};

/// Hertz's stiffness K = 4 / (3 (s_1 + s_2)) sqrt(R) for two bodies of Young's modulus E and Poisson's ratio nu,
/// s = (1 - nu^2)/E (Muvengei et al. 2012, eqs 19-20; Marques et al. 2018, eqs 27-28).
double hertz_stiffness(double young_1, double poisson_1, double young_2, double poisson_2, double radius);

/// Stiffness and exponent as users give them.
struct PowerLawKeys {
  std::optional<double> stiffness;  ///< [N/m^n]; absent: Hertz's, from the materials
  double exponent = 1.5;
  std::optional<std::array<double, 2>> young, poisson;  ///< of bearing and journal [Pa]; only without a stiffness

  bool needs_radius() const { return !stiffness; }
  /// With that dissipative factor.
  std::shared_ptr<const ContactLaw> law(double radius, double hysteresis) const;
};

/// The unit of K depends on the exponent, so that none can be written.
Format<double> number_without_unit();
void check_stiffness(const Given& given, Reader& reader);

/// Keys that all power laws have.
template <class Law>
Table<Law> power_law_table(const std::string& title, const std::string& text) {
  Table<Law> table("Contact " + title, text);
  table.optional("stiffness", &Law::stiffness, number_without_unit(),
                 "K of f = K d^n as a number without unit: its value in N/m^n. If absent: Hertz's, from the materials "
                 "and the radii of the joint.");
  table.optional("exponent", &Law::exponent, number("", at_least(1)), "n.");
  table.optional("young", &Law::young, array_of<2>(number("Pa", above(0))), "Young's moduli of the two bodies.");
  table.optional("poisson", &Law::poisson, array_of<2>(number("", between(0, 0.5))),
                 "Poisson's ratios of the two bodies.");
  table.check([](const Law&, const Given& given, Reader& reader) { check_stiffness(given, reader); });
  return table;
}

/// And with a coefficient of restitution.
struct RestitutionKeys : PowerLawKeys {
  double restitution = 1.0;
};

template <class Law>
Table<Law> restitution_table(const std::string& title, const std::string& text) {
  Table<Law> table = power_law_table<Law>(title, text);
  table.required("restitution", &Law::restitution, number("", between(0.01, 1)), "Coefficient of restitution e.");
  return table;
}

}  // namespace freeplay
