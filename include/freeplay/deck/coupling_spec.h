#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "freeplay/base/location.h"
#include "freeplay/deck/time_function.h"

namespace freeplay {

class Equation;
struct CoupledCoordinate;

/// A coordinate of a joint: `hinge.angle`, `slide.displacement`, or the joint alone if it has one coordinate only.
struct CoordinateRef {
  std::string joint;
  std::string coordinate;  ///< may be empty
  Location where;

  std::string text() const { return coordinate.empty() ? joint : joint + "." + coordinate; }
};

/// A force or moment along a coordinate of a joint.
struct ActuatorSpec {
  std::string name;
  Location where;
  CoordinateRef joint;
  std::optional<TimeFunction> moment, force;  ///< one of them
  double lag = 0.0;                           ///< time constant with which the actuator follows it [s]
};

/// A joint that ties the coordinates of two other joints to each other: gear, rack, coupler. What its parameters are,
/// only its own file knows (mechanics/coupling.h).
struct CouplingSpec {
  std::string name;
  std::string type;
  Location where;
  std::array<CoordinateRef, 2> of;
  std::shared_ptr<const void> parameters;
  /// Its equation. Throws std::invalid_argument with a message for the user if the two do not fit.
  std::function<Equation(const std::array<CoupledCoordinate, 2>&)> equation;
};

}  // namespace freeplay
