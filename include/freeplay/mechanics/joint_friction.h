#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/mechanics/joint.h"

namespace freeplay {

class FrictionLaw;

/// Coulomb's law as a set: any force up to static N at rest, kinetic N against the slip.
struct CoulombFriction {
  double static_coefficient = 0.0, kinetic_coefficient = 0.0;
};

/// Friction in an ideal joint. It has one more multiplier for each direction of slip, the friction force, and a row for
/// each that says what the force is: that of a law, or, for Coulomb's friction at rest, the one that keeps the joint at
/// rest. The normal force is made of the multipliers of the joint's own equations.
struct JointFriction {
  /// Part of the normal force: weight times the length of the vector of these multipliers of the joint.
  struct NormalPart {
    std::vector<int> equations;
    double weight = 1.0;
  };

  int joint = 0;  ///< its number in the model
  std::string law_name;
  std::shared_ptr<const FrictionLaw> law;  ///< null with `coulomb`
  std::optional<CoulombFriction> coulomb;
  double static_coefficient = 0.0;  ///< of either
  /// Slip [m] along each direction, at most three, as forms of frame A and of frame B with its axes turned to those of
  /// A (FrictionRows::begin_step).
  std::vector<QuadraticForm> slips;
  std::vector<NormalPart> normal;
  double preload = 0.0;  ///< normal force besides that of the multipliers [N]

  int first_multiplier = 0;  ///< of its friction forces among the multipliers of the model
  int first_internal = 0;    ///< of its numbers among the internal variables of the model

  int n_slips() const { return static_cast<int>(slips.size()); }

  /// Normal force for the multipliers of the joint, and its derivative by them.
  double normal_force(std::span<const double> multipliers) const;
  void normal_force_gradient(std::span<const double> multipliers, std::span<double> gradient) const;
};

/// How a joint with Coulomb's friction is: it slips; it sticks, held by its own friction; or it would slip but the rest
/// of the mechanism holds it, and its friction is at the limit (Wojtyra 2017 eq 20).
enum class FrictionMode { slips, sticks, held };

/// The numbers of a friction joint that change in time, as a view into the internal variables of a state.
template <class Double>
class FrictionNumbers {
 public:
  static constexpr int count = 8;
  explicit FrictionNumbers(Double* numbers) : numbers_(numbers) {}

  Eigen::Map<std::conditional_t<std::is_const_v<Double>, const Vec3, Vec3>> bristles() const {
    return Eigen::Map<std::conditional_t<std::is_const_v<Double>, const Vec3, Vec3>>(numbers_);
  }
  /// Of the last step [N].
  Double& normal_force() const { return numbers_[3]; }
  /// Coulomb's friction: direction of slip, or of the friction force at its limit.
  Eigen::Map<std::conditional_t<std::is_const_v<Double>, const Vec3, Vec3>> direction() const {
    return Eigen::Map<std::conditional_t<std::is_const_v<Double>, const Vec3, Vec3>>(numbers_ + 4);
  }
  FrictionMode mode() const { return static_cast<FrictionMode>(static_cast<int>(numbers_[7])); }
  void set_mode(FrictionMode mode) const { numbers_[7] = static_cast<double>(mode); }

 private:
  Double* numbers_;
};

}  // namespace freeplay
