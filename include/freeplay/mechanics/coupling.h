#pragma once

// Joints that tie the coordinates of two other joints to each other. A type is one file in src/mechanics/couplings/: a
// struct of parameters with the keys of the model file and the equation, and a line that registers it.

#include "freeplay/deck/coordinate_reference.h"
#include "freeplay/deck/law_types.h"
#include "freeplay/mechanics/joint.h"

namespace freeplay {

/// One of the two coordinates, with the places of its joint.
struct CoupledCoordinate {
  std::string joint;
  bool is_angle = true;  ///< else a displacement along the axis
  Frame a, b;
  FramePlace at;   ///< where `a` is in the initial positions; the joint axis is its third axis
  int angle = -1;  ///< the element that counts the angle

  /// factor times the coordinate, as the part of an equation.
  Equation::Part part(int pair, double factor) const;
  /// factor times the displacement of b against a along a direction in inertial axes. The joint keeps it at zero if the
  /// direction is across its axis: it tells where the force acts, not how the joints move.
  Equation::Part across(int pair, double factor, const Vec3& direction) const;
  /// The same for a rotation about a vector across the axis, times the length of the vector.
  Equation::Part tilt(int pair, const Vec3& vector) const;
};
using CoupledCoordinates = std::array<CoupledCoordinate, 2>;

/// What all of them have: key `joints`.
struct Coupled {
  std::array<CoordinateRef, 2> joints;
};

template <class Parameters>
void add_coupled_joints(Table<Parameters>& table) {
  table.required("joints", &Parameters::joints, array_of<2>(coordinate_reference()),
                 "The two joints, or coordinates of joints: `hinge`, `rail`, `sleeve.angle`, `sleeve.displacement`.");
}

/// Throws std::invalid_argument unless both coordinates are of these kinds.
void require_angles(const CoupledCoordinates& of, bool first, bool second, const std::string& type);
/// Throws unless both joints have the same first body: the one that carries the bearings.
void require_carrier(const CoupledCoordinates& of, const std::string& type);

/// Makes a type known to the reader; at the start of the program.
template <class Parameters>
struct RegisterCoupling {
  explicit RegisterCoupling(const std::string& tag) {
    coupling_types().add(law_type<Parameters, CouplingSpec>(tag, [](const Parameters& parameters, CouplingSpec& spec) {
      spec.of = parameters.joints;
      spec.equation = [parameters](const CoupledCoordinates& of) { return parameters.equation(of); };
    }));
  }
};

}  // namespace freeplay
