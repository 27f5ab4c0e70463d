#pragma once

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "freeplay/laws/contact/contact_law.h"

namespace freeplay {

/// Laws whose elastic part has a potential of the penetration, multiplied by a dissipative factor:
/// f = f_elastic max(0, 1 + chi d_dot). `Formula` is written once, as templates, for numbers and for numbers with
/// derivatives: potential(d), its inverse depth_of(energy), its derivative elastic_force(d), and damping(v), which is
/// chi given the speed of impact [s/m].
template <class Formula>
class ElasticContact final : public ContactLaw {
 public:
  explicit ElasticContact(Formula formula) : formula_(std::move(formula)) {}
  const Formula& formula() const { return formula_; }

  double step_force(double d_i, double d_f, double dt, double speed, std::span<const double>) const override {
    return over_step<double>(d_i, d_f, dt, speed);
  }
  Dual step_force(double d_i, const Dual& d_f, double dt, double speed, std::span<const double>) const override {
    return over_step<Dual>(d_i, d_f, dt, speed);
  }
  double force(double d, double rate, double impact_speed, std::span<const double>) const override {
    if (d <= 0.0) return 0.0;
    return formula_.elastic_force(d) *
           std::max(0.0, 1.0 + formula_.damping(speed_of_impact(impact_speed, rate)) * rate);
  }
  double stored_energy(double d, std::span<const double>) const override {
    return formula_.potential(std::max(0.0, d));
  }
  double depth_of(double energy) const override { return formula_.depth_of(energy); }
  double secant_stiffness(double d) const override { return formula_.elastic_force(d) / d; }

 private:
  /// The discrete derivative of the potential, so that elastic work is exactly the change of the potential (Bauchau and
  /// Ju 2006, section 3), times the dissipative factor.
  template <class T>
  T over_step(double d_i, const T& d_f, double dt, double impact_speed) const {
    if (d_i <= 0.0 && value_of(d_f) <= 0.0) return T(0.0);
    const T rate = (d_f - d_i) / dt;
    const T factor = 1.0 + formula_.damping(d_i > 0.0 ? speed_of_impact(impact_speed, rate) : rate) * rate;
    if (value_of(factor) <= 0.0) return T(0.0);
    return mean_elastic_force(d_i, d_f) * factor;
  }

  template <class T>
  T mean_elastic_force(double d_i, const T& d_f) const {
    const double start = std::max(d_i, 0.0);
    const T end = value_of(d_f) > 0.0 ? d_f : T(0.0);
    const double depth = std::max(start, value_of(end));
    // The quotient of differences loses digits when they are small; the mean of the force by Gauss quadrature does
    // not, and has an error below round-off there.
    constexpr double close = 0.02;
    if (d_i > 0.0 && value_of(d_f) > 0.0 && std::abs(value_of(end) - start) < close * depth) {
      using Gauss = boost::math::quadrature::gauss<double, 7>;
      T sum = 0.0;
      for (std::size_t k = 0; k < Gauss::abscissa().size(); ++k)
        for (const double side : {-1.0, 1.0}) {
          if (Gauss::abscissa()[k] == 0.0 && side > 0.0) continue;
          const double place = 0.5 * (1.0 + side * Gauss::abscissa()[k]);
          sum += 0.5 * Gauss::weights()[k] * formula_.elastic_force(T(start + place * (end - start)));
        }
      return sum;
    }
    return (formula_.potential(end) - formula_.potential(T(start))) / (d_f - d_i);
  }

  Formula formula_;
};

}  // namespace freeplay
