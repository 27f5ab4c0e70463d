#include "freeplay/mechanics/coupling.h"

#include <stdexcept>

namespace freeplay {

Equation::Part CoupledCoordinate::part(int pair, double factor) const {
  return {factor, is_angle ? RelativeCoordinate::angle() : RelativeCoordinate::displacement(), pair,
          is_angle ? angle : -1};
}

Equation::Part CoupledCoordinate::across(int pair, double factor, const Vec3& direction) const {
  return {factor, RelativeCoordinate::displacement(at.a.transpose() * direction), pair};
}

Equation::Part CoupledCoordinate::tilt(int pair, const Vec3& vector) const {
  return {vector.norm(), RelativeCoordinate::tilt(at.a.transpose() * vector), pair};
}

namespace {

const char* kind_of(bool is_angle) { return is_angle ? "an angle" : "a displacement"; }

}  // namespace

void require_angles(const CoupledCoordinates& of, bool first, bool second, const std::string& type) {
  for (const auto& [coordinate, is_angle] : {std::pair{&of[0], first}, std::pair{&of[1], second}})
    if (coordinate->is_angle != is_angle)
      throw std::invalid_argument("a " + type + " needs " + kind_of(first) + " and " + kind_of(second) +
                                  ", but that of '" + coordinate->joint + "' is " + kind_of(coordinate->is_angle));
}

void require_carrier(const CoupledCoordinates& of, const std::string& type) {
  if (of[0].a.node != of[1].a.node)
    throw std::invalid_argument("the two joints of a " + type +
                                " must name the rigid body that carries both first: `between: [housing, wheel]`");
}

}  // namespace freeplay
