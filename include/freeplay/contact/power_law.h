#pragma once

#include "freeplay/contact/contact_law.h"

namespace freeplay {

/// f = K d^n (1 + chi d_dot): all the usual laws of continuous contact. Linear: n = 1; Hertz: n = 3/2. The dissipative
/// factor is either a constant chi (Hunt and Crossley's own parameter) or hysteresis / speed of impact, with
///   Hunt-Crossley        3 (1 - e) / 2
///   Lankarani-Nikravesh  3 (1 - e^2) / 4      (seed 003, eq 23)
///   Flores               8 (1 - e) / (5 e)
/// for a coefficient of restitution e. Known defect: they return e only as e -> 1. The true value is the root of
/// (1 + e) h = log((1 + h)/(1 - h e)) with h the factor above, whatever n: for e = 0.5 it is 0.66, 0.725 and 0.47, for
/// e = 0.1 it is 0.52, 0.665 and 0.07 (tests/contact).
/// Whatever the speed of touch, the force is at most (1 + 2 hysteresis) times the elastic one
/// (ContactLaw::speed_of_impact).
struct PowerLaw {
  double stiffness = 0.0;   ///< K [N/m^n]
  double exponent = 1.0;    ///< n
  double chi = 0.0;         ///< [s/m]
  double hysteresis = 0.0;  ///< dimensionless

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
/// s = (1 - nu^2)/E (seed 003, eqs 19-20; seed 004, eqs 27-28).
/// `radius`: R_1 R_2 / (R_1 - R_2) for a journal in its bearing, the radius itself on a plane [m].
inline double hertz_stiffness(double young_1, double poisson_1, double young_2, double poisson_2, double radius) {
  const double s = (1.0 - poisson_1 * poisson_1) / young_1 + (1.0 - poisson_2 * poisson_2) / young_2;
  return 4.0 / (3.0 * s) * std::sqrt(radius);
}

}  // namespace freeplay
