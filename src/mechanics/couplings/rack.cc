#include <cmath>
#include <stdexcept>

#include "freeplay/mechanics/coupling.h"

namespace freeplay {
namespace {

/// A pinion and a toothed rod. The force of the teeth acts along the rail t in the point P of the pitch circle that
/// moves along t: P - c = r t x n, n being the axis of the pinion and c a point of it. Bearing and rail feel it.
struct Rack : Coupled {
  double radius = 0.0;

  static Table<Rack> keys() {
    Table<Rack> table("Joint rack",
                      "A pinion and a rack. The joints are the hinge of the pinion and the slide of the rack, both on "
                      "the body that carries them (named first in each), with axes at a right angle.");
    add_coupled_joints(table);
    table.required(
        "radius", &Rack::radius, number("m"),
        "Pitch radius of the pinion: displacement of the rack along its axis per angle of the pinion. They mesh on "
        "the side where the pinion moves that way; negative: on the other side, the other way round.");
    table.check([](const Rack& rack, const Given& given, Reader& reader) {
      if (given.has("radius") && rack.radius == 0.0) error_at("radius", "must not be 0", given, reader);
    });
    return table;
  }

  Equation equation(const CoupledCoordinates& of) const {
    constexpr double right_angle = 1e-6;
    require_angles(of, true, false, "rack");
    require_carrier(of, "rack");
    const Vec3 t = of[1].at.a.col(2), n = of[0].at.a.col(2);
    if (std::abs(t.dot(n)) > right_angle)
      throw std::invalid_argument("the axes of pinion and rack must be at a right angle; for others give a `coupler`");
    std::vector<Equation::Part> parts{of[0].part(0, radius), of[0].across(0, 1.0, t), of[1].part(1, -1.0)};
    // The rod shifts in P by its displacement and by its rotation, which the rail hinders, times the arm.
    const Vec3 arm = (of[0].at.x + radius * t.cross(n) - of[1].at.x).cross(t);
    if (arm.norm() > 0.0) parts.push_back(of[1].tilt(1, -arm));
    return Equation::relation(std::move(parts), "rolling of the pinion", true);
  }
};

const RegisterCoupling<Rack> rack("rack");

}  // namespace
}  // namespace freeplay
