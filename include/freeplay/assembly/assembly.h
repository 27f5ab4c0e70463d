#pragma once

// From what the user wrote to a mechanism that fits together: build, close the joints, find redundant equations, make
// the velocities consistent.

#include <optional>
#include <string>
#include <vector>

#include "freeplay/deck/spec.h"
#include "freeplay/mechanics/beam.h"
#include "freeplay/mechanics/model.h"

namespace freeplay {

/// Which parts of the initial state the user gave: these move as little as possible during assembly.
struct GivenParts {
  bool position = false, rotation = false, velocity = false, angular_velocity = false;
};

/// What assembly had to change, and what it found.
struct AssemblyReport {
  int degrees_of_freedom = 0;    ///< of all bodies, without fixed ones
  int n_equations = 0;           ///< of all joints
  std::vector<int> redundant;    ///< numbers of the dropped equations
  double position_change = 0.0;  ///< largest move of a body whose position was given [m]
  std::string moved_body;
  double rotation_change = 0.0;  ///< largest rotation of a body whose orientation was given [rad]
  std::string rotated_body;
  double velocity_change = 0.0;  ///< largest change of a velocity that was given [m/s or rad/s]
  std::string changed_body;

  int mobility() const { return degrees_of_freedom - n_equations + static_cast<int>(redundant.size()); }
};

/// A place as seen from another: `output.measure`.
struct RelativeMotion {
  std::string name;
  Frame of, in;
  bool turns = true;  ///< false: `of` is a point mass
};

struct Assembled {
  Model model;
  std::vector<RelativeMotion> measures;
  std::vector<Beam> beams;  ///< refer to elements of the model
  State state;
  AssemblyReport report;
};

/// Throws InputError if the joints cannot be closed, a drive has nothing to drive, a body without inertia can spin, or
/// the output asks for columns that there are not.
Assembled assemble(const ModelSpec& spec);

/// A joint that cannot be closed, and why.
struct MisfitJoint {
  const Joint* joint;
  std::string message;
};

/// Moves a state that is nearly right onto the constraints at its time, and makes its velocities consistent.
std::optional<MisfitJoint> follow_constraints(const Model& model, State& state);

/// Model, beams and approximate state, as written. `given` is per node.
void build_model(const ModelSpec& spec, Assembled& assembled, std::vector<GivenParts>& given);

/// Equations that follow from others in this state, found by rank-revealing QR of the constraint gradients. Of a
/// dependent set the equation that stands last in the model is named; drives count as last of all.
std::vector<int> find_redundant_equations(const Model& model, const State& state);

}  // namespace freeplay
