#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace freeplay {

/// A mechanism at rest, as far as its forces go. Unknowns are, in this order, the reactions of the joints, the friction
/// forces, accelerations (none at rest), all made forces [N]; they satisfy
///
///   balance . (reactions, frictions, accelerations) = fixed_load + factor * scaled_load
///
/// and each friction joint |friction| <= coefficient * N, where N = preload + sum of weight * |map . reactions|.
///
/// A contact is a friction joint whose normal force pushes and never pulls, with or without friction.
///
/// Sliding can begin if there is a motion that the joints allow, and forces that reach or exceed their limit in every
/// joint that slips in it, along the slip, and stay within it in all others; a contact that opens has no forces. How
/// what exceeds the limits and what the inertia of the bodies takes share the work is left open, because forces that
/// are not unique leave it open.
struct FrictionProblem {
  struct NormalPart {
    Eigen::MatrixXd map;  ///< at most three rows
    double weight = 1.0;
  };
  struct FrictionJoint {
    std::string name;
    double coefficient = 0.0;
    double preload = 0.0;  ///< [N]
    std::vector<NormalPart> normal;
    int first = 0;                 ///< of its friction forces among all
    int n_directions = 1;          ///< at most three; none in a contact without friction
    Eigen::MatrixXd slip;          ///< by the accelerations; the same for velocities
    bool is_contact = false;       ///< its normal force is its only multiplier, and not negative
    Eigen::RowVectorXd opening{};  ///< of a contact: growth of its gap by the accelerations; the same for velocities

    /// Negative in a contact that would have to pull.
    double normal_force(const Eigen::VectorXd& reactions) const;
  };

  int n_reactions = 0, n_frictions = 0, n_accelerations = 0;
  Eigen::MatrixXd balance;
  Eigen::VectorXd fixed_load, scaled_load;
  std::vector<FrictionJoint> joints;

  int n_unknowns() const { return n_reactions + n_frictions + n_accelerations; }
  int friction_column(const FrictionJoint& joint) const { return n_reactions + joint.first; }
  int acceleration_column() const { return n_reactions + n_frictions; }

  /// Reactions and friction forces that balance each other without any load, as columns: what makes forces not unique.
  Eigen::MatrixXd self_stresses() const;
};

}  // namespace freeplay
