#pragma once

#include <string>
#include <vector>

#include "freeplay/analysis/linearisation.h"
#include "freeplay/assembly/assembly.h"

namespace freeplay {

/// A part of the model that turns about the axis of a bearing while the rest stands still.
///
/// Small motions of both have constant coefficients in one of two ways (doc/rotors.md): in fixed axes, if the rotor is
/// the same in all directions across its axis; or in axes that turn with it, if all the rest is. If neither is, they
/// are periodic in time, and the model is refused.
struct Rotor {
  enum class Axes { fixed, rotating };

  std::string joint;              ///< that shows the axis
  Mat3 basis = Mat3::Identity();  ///< two directions across the axis, and the axis; inertial
  Vec3 point = Vec3::Zero();      ///< on the axis [m]
  std::vector<char> rotates;      ///< per node
  std::vector<char> between;      ///< per element: acts between the rotor and the rest
  std::vector<int> joints;        ///< between the rotor and the rest
  Axes axes = Axes::fixed;
  std::string uneven;  ///< what is not the same in all directions in the rotor; empty: nothing
  /// What the mass of each node is more than with its centre of mass on the axis and without products of inertia with
  /// the axis; body axes. It is taken out of the model: unbalance shakes a rotor, but does not change its frequencies.
  std::vector<Mat6> unbalance;
  bool has_unbalance = false;
  std::vector<std::string> notes;  ///< what is left out

  Vec3 axis() const { return basis.col(2); }
  SteadyRotation rotation(double speed) const { return {speed * axis(), point}; }
  /// Names of the bodies that turn.
  std::vector<std::string> bodies(const Model& model) const;
};

/// Finds the rotor of an assembled model_for_rotor(); `joint` may be empty. Changes the model: takes unbalance out of
/// it, and gravity across the axis. InputError if there is no such rotor or its motion is periodic.
Rotor find_rotor(Assembled& assembled, const std::string& joint);

/// Notes which bearings by coefficients have no entries for some of these speeds (ascending) [rad/s].
void note_speeds_beyond_tables(const Assembled& assembled, const std::vector<double>& speeds, Rotor& rotor);

}  // namespace freeplay
