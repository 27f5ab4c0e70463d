#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "freeplay/math/dual.h"

namespace freeplay {

/// What a law makes of one step. Vectors lie in the plane of contact, in whatever axes the caller uses.
template <class T>
struct FrictionStep {
  Vector3<T> force;  ///< resists slip: the friction force on the body that slips is minus this [N]
  Vector3<T> state;  ///< bristle deflection at the end of the step
};

/// Bristles at an instant.
struct Bristles {
  Vec3 slip = Vec3::Zero();   ///< velocity [m/s]
  Vec3 state = Vec3::Zero();  ///< deflection
};

/// Friction force from slip velocity, normal force and a state (bristles): scalar physics, knows nothing of joints.
/// Friction is isotropic; a joint with one direction of slip uses one component.
class FrictionLaw {
 public:
  virtual ~FrictionLaw() = default;

  /// The force, constant over a step, for the mean slip velocity and normal force; `state` is that at its start; `dt`
  /// is the time in contact.
  virtual FrictionStep<double> step(const Vec3& slip, double normal_force, const Vec3& state, double dt) const = 0;
  virtual FrictionStep<Dual> step(const Vector3<Dual>& slip, const Dual& normal_force, const Vector3<Dual>& state,
                                  const Dual& dt) const = 0;

  /// The force at an instant.
  virtual Vec3 force(const Vec3& slip, double normal_force, const Vec3& state) const = 0;

  virtual bool has_state() const { return false; }
  /// Whether friction is proportional to the normal force. If not, a joint whose normal force follows from friction may
  /// have no solution.
  virtual bool is_proportional() const { return true; }
  /// Energy in the bristles [J].
  virtual double stored_energy(double /*normal_force*/, const Vec3& /*state*/) const { return 0.0; }
  /// Error of the state over a time dt in contact, under the mean normal force of the step, relative to the deflection
  /// at break-away.
  virtual double state_error(const Bristles& /*start*/, const Bristles& /*end*/, double /*normal_force*/,
                             double /*dt*/) const {
    return 0.0;
  }
  /// The step that the user asks for at this slip velocity, normal force and state [s].
  virtual double step_limit(const Vec3& /*slip*/, double /*normal_force*/, const Vec3& /*state*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// Slip below this velocity counts as sticking in results and events [m/s].
  virtual double stick_velocity() const = 0;
};

/// Laws without memory: f = N mu(v). `Formula` has coefficient(v), its slope() at v = 0, and stick_velocity().
template <class Formula>
class AlgebraicFriction final : public FrictionLaw {
 public:
  explicit AlgebraicFriction(Formula formula) : formula_(std::move(formula)) {}
  FrictionStep<double> step(const Vec3& slip, double N, const Vec3& state, double) const override {
    return {resisting(slip, N), state};
  }
  FrictionStep<Dual> step(const Vector3<Dual>& slip, const Dual& N, const Vector3<Dual>& state,
                          const Dual&) const override {
    return {resisting(slip, N), state};
  }
  Vec3 force(const Vec3& slip, double N, const Vec3&) const override { return resisting(slip, N); }
  double stick_velocity() const override { return formula_.stick_velocity(); }

 private:
  template <class T>
  Vector3<T> resisting(const Vector3<T>& slip, const T& N) const {
    const T speed = length_of(slip);
    // Below this the quotient is its limit to the last digit.
    constexpr double negligible = 1e-12;
    if (value_of(speed) <= negligible * formula_.stick_velocity()) return (N * formula_.slope()) * slip;
    return T(N * formula_.coefficient(speed) / speed) * slip;
  }

  Formula formula_;
};

/// Laws with bristles of deflection z: dz/dt = v - rate(v, N, z) z, discretised by the time-discontinuous pair of
/// Bauchau and Ju 2006, eq 29, which is linear in z_f and z_j. `Formula` has rate(v, N, z), force(z, dz/dt, v, N),
/// energy(N, |z|), break_away(N), step_limit(speed, N), damped_part(speed, N, |dz/dt|), stick_velocity(),
/// is_proportional. Bristles with damping give far more than the steady friction while they settle, at the beginning of
/// a contact and when the slip reverses. That lasts 1/rate, often less than a microsecond, and decides a good part of
/// the impulse of an impact, so a step that the user asks for is limited until what damping gives is small beside
/// steady friction.
template <class Formula>
class BristleFriction final : public FrictionLaw {
 public:
  explicit BristleFriction(Formula formula) : formula_(std::move(formula)) {}
  FrictionStep<double> step(const Vec3& slip, double N, const Vec3& state, double dt) const override {
    return discrete<double>(slip, N, state, dt);
  }
  FrictionStep<Dual> step(const Vector3<Dual>& slip, const Dual& N, const Vector3<Dual>& state,
                          const Dual& dt) const override {
    return discrete<Dual>(slip, N, state, dt);
  }
  Vec3 force(const Vec3& slip, double N, const Vec3& z) const override {
    const Vec3 rate = slip - formula_.template rate<double>(slip, N, z) * z;
    return formula_.template force<double>(z, rate, slip, N);
  }
  bool has_state() const override { return true; }
  bool is_proportional() const override { return Formula::is_proportional; }
  double stored_energy(double N, const Vec3& z) const override { return formula_.energy(N, z.norm()); }
  /// How far the state is from the trapezoidal rule between the rates at both ends (integrator.md). Bristles that
  /// settle within a small part of the step follow slip and load whatever the step: what is left of such an error is
  /// filtered, as that of the motion is (ErrorEstimate), and twice, so that a load that changes slowly does not count.
  double state_error(const Bristles& start, const Bristles& end, double N, double dt) const override {
    const auto settling = [&](const Bristles& b) { return formula_.template rate<double>(b.slip, N, b.state); };
    const auto rate = [&](const Bristles& b) { return Vec3(b.slip - settling(b) * b.state); };
    const Vec3 defect = end.state - start.state - 0.5 * dt * (rate(start) + rate(end));
    const double filter = 1.0 + 0.5 * dt * std::min(settling(start), settling(end));
    return defect.norm() / (filter * filter * formula_.break_away(N));
  }
  double step_limit(const Vec3& slip, double N, const Vec3& z) const override {
    if (!formula_.resolved) return std::numeric_limits<double>::infinity();
    const double speed = slip.norm();
    const double a = formula_.template rate<double>(slip, N, z);
    const double damped = formula_.damped_part(speed, N, (slip - a * z).norm());
    const double transient = formula_.resolved->transient() / a * std::max(1.0, 1.0 / damped);
    return std::min(formula_.step_limit(speed, N), transient);
  }
  double stick_velocity() const override { return formula_.stick_velocity(); }

 private:
  template <class T>
  FrictionStep<T> discrete(const Vector3<T>& slip, const T& N, const Vector3<T>& z_i, const T& dt) const {
    // (z_f - z_i)/dt + a (z_f + z_j)/2 = v,  (z_j - z_i)/dt - a (z_f - z_j)/6 = 0,  with b = a dt/6:
    // The rate is that where elastic bristles would go: dissipative whatever it is, and no bristle passes in one step
    // what would have stopped it.
    const T a = formula_.template rate<T>(slip, N, Vector3<T>(z_i + dt * slip));
    const T b = a * dt / 6.0;
    const T left = 1.0 + 3.0 * b + 3.0 * b * b / (1.0 + b);
    const T right = 1.0 - 3.0 * b / (1.0 + b);
    const Vector3<T> z_f = (right * z_i + dt * slip) / left;
    const Vector3<T> z_j = (z_i + b * z_f) / T(1.0 + b);
    const Vector3<T> z_g = 0.5 * (z_f + z_j);
    const Vector3<T> rate = slip - a * z_g;
    return {formula_.template force<T>(z_g, rate, slip, N), z_f};
  }

  Formula formula_;
};

}  // namespace freeplay
