#pragma once

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <memory>

#include "freeplay/math/dual.h"

namespace freeplay {

/// Normal force of a contact: scalar physics, knows nothing of joints. The elastic part has a potential of the
/// penetration d >= 0; the dissipative part multiplies it: f = f_elastic max(0, 1 + chi d_dot), so that the contact
/// never pulls, and never gains energy.
class ContactLaw {
 public:
  virtual ~ContactLaw() = default;

  virtual double potential(double penetration) const = 0;      ///< [J]
  virtual Dual potential(const Dual& penetration) const = 0;   ///< [J]
  virtual double depth_of(double energy) const = 0;            ///< where the potential is that [m]
  virtual double elastic_force(double penetration) const = 0;  ///< its derivative [N]
  virtual Dual elastic_force(const Dual& penetration) const = 0;
  /// chi [s/m], given the speed of impact.
  virtual double damping(double impact_speed) const = 0;
  virtual Dual damping(const Dual& impact_speed) const = 0;

  /// Speed of impact of a contact that is compressed at `rate`, with that before it. A contact that is compressed more
  /// than twice as fast as it was touched has been hit again, and half of that rate takes the place of its old speed: a
  /// slow touch long ago must not make it stiff. (Loads that press bodies together make them faster after a touch, too;
  /// up to twice as fast, laws are what was published, with the speed of the touch.)
  template <class T>
  static T speed_of_impact(double before, const T& rate) {
    return value_of(rate) > 2.0 * before ? T(0.5 * rate) : T(before);
  }

  /// Force over a step from penetration d_i to d_f (negative: a gap): the discrete derivative of the potential, so that
  /// elastic work is exactly the change of the potential (seed 001, section 3), times the dissipative factor.
  /// A contact that begins in this step (d_i <= 0) has the speed of this step as its speed of impact; one that was
  /// there from the beginning of the analysis has none (infinity).
  template <class T>
  T step_force(double d_i, const T& d_f, double dt, double impact_speed) const;

  /// Force at an instant.
  double force(double penetration, double rate, double impact_speed) const;

 private:
  template <class T>
  T mean_elastic_force(double d_i, const T& d_f) const;
};

/// Makes a law from formulas written once, as templates, for numbers and for numbers with derivatives.
/// `Formula` has potential(d), its inverse depth_of(energy), elastic_force(d) and damping(v).
template <class Formula>
class ContactLawOf final : public ContactLaw {
 public:
  explicit ContactLawOf(Formula formula) : formula_(std::move(formula)) {}
  double potential(double d) const override { return formula_.potential(d); }
  Dual potential(const Dual& d) const override { return formula_.potential(d); }
  double depth_of(double energy) const override { return formula_.depth_of(energy); }
  double elastic_force(double d) const override { return formula_.elastic_force(d); }
  Dual elastic_force(const Dual& d) const override { return formula_.elastic_force(d); }
  double damping(double v) const override { return formula_.damping(v); }
  Dual damping(const Dual& v) const override { return formula_.damping(v); }

 private:
  Formula formula_;
};

template <class T>
T ContactLaw::mean_elastic_force(double d_i, const T& d_f) const {
  const double start = std::max(d_i, 0.0);
  const T end = value_of(d_f) > 0.0 ? d_f : T(0.0);
  const double depth = std::max(start, value_of(end));
  // The quotient of differences loses digits when they are small; the mean of the force by Gauss quadrature does not,
  // and has an error below round-off there.
  constexpr double close = 0.02;
  if (d_i > 0.0 && value_of(d_f) > 0.0 && std::abs(value_of(end) - start) < close * depth) {
    using Gauss = boost::math::quadrature::gauss<double, 7>;
    T sum = 0.0;
    for (std::size_t k = 0; k < Gauss::abscissa().size(); ++k)
      for (const double side : {-1.0, 1.0}) {
        if (Gauss::abscissa()[k] == 0.0 && side > 0.0) continue;
        const double place = 0.5 * (1.0 + side * Gauss::abscissa()[k]);
        sum += 0.5 * Gauss::weights()[k] * elastic_force(T(start + place * (end - start)));
      }
    return sum;
  }
  return (potential(end) - potential(start)) / (d_f - d_i);
}

template <class T>
T ContactLaw::step_force(double d_i, const T& d_f, double dt, double impact_speed) const {
  if (d_i <= 0.0 && value_of(d_f) <= 0.0) return T(0.0);
  const T rate = (d_f - d_i) / dt;
  const T factor = 1.0 + damping(d_i > 0.0 ? speed_of_impact(impact_speed, rate) : rate) * rate;
  if (value_of(factor) <= 0.0) return T(0.0);
  return mean_elastic_force(d_i, d_f) * factor;
}

inline double ContactLaw::force(double penetration, double rate, double impact_speed) const {
  if (penetration <= 0.0) return 0.0;
  return elastic_force(penetration) * std::max(0.0, 1.0 + damping(speed_of_impact(impact_speed, rate)) * rate);
}

}  // namespace freeplay
