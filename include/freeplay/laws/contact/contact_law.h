#pragma once

#include <span>

#include "freeplay/math/dual.h"

namespace freeplay {

/// Normal force of a contact: scalar physics, knows nothing of joints. What it must do (tests/laws/contact): push and
/// never pull, none where bodies are apart, and over any step do at least the work by which its stored energy changes.
/// Penetrations d are positive where bodies overlap and negative where there is a gap [m].
class ContactLaw {
 public:
  virtual ~ContactLaw() = default;

  static constexpr int max_memory = 4;
  /// Numbers that it remembers besides the speed of impact, at most max_memory, all zero while the bodies are apart.
  virtual int n_memory() const { return 0; }
  /// The memory after a step.
  virtual void remember(double /*d_i*/, double /*d_f*/, std::span<double> /*memory*/) const {}

  /// Force over a step from penetration d_i to d_f, constant [N]. A contact that begins in this step (d_i <= 0) has the
  /// speed of this step as its speed of impact; one that was there from the beginning of the analysis has none
  /// (infinity).
  virtual double step_force(double d_i, double d_f, double dt, double impact_speed,
                            std::span<const double> memory = {}) const = 0;
  virtual Dual step_force(double d_i, const Dual& d_f, double dt, double impact_speed,
                          std::span<const double> memory = {}) const = 0;
  /// Force at an instant [N].
  virtual double force(double penetration, double rate, double impact_speed,
                       std::span<const double> memory = {}) const = 0;

  virtual double stored_energy(double penetration, std::span<const double> memory = {}) const = 0;  ///< [J]
  /// Where a contact that has just begun stores that energy [m].
  virtual double depth_of(double energy) const = 0;
  /// Force over penetration of a contact that has just begun [N/m].
  virtual double secant_stiffness(double penetration) const = 0;

  /// Speed of impact of a contact that is compressed at `rate`, with that before it. A contact that is compressed more
  /// than twice as fast as it was touched has been hit again, and half of that rate takes the place of its old speed: a
  /// slow touch long ago must not make it stiff. (Loads that press bodies together make them faster after a touch, too;
  /// up to twice as fast, laws are what was published, with the speed of the touch.)
  template <class T>
  static T speed_of_impact(double before, const T& rate) {
    return value_of(rate) > 2.0 * before ? T(0.5 * rate) : T(before);
  }
};

}  // namespace freeplay
