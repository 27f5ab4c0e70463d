#include <cmath>
#include <stdexcept>

#include "freeplay/mechanics/coupling.h"

namespace freeplay {
namespace {

/// A pinion and a toothed rod. The force of the teeth acts along the rail at the pitch radius, so that the bearing of
/// the pinion feels it.
struct Rack : Coupled {
  double radius = 0.0;

  static Table<Rack> keys() {
    Table<Rack> table("Joint rack",
                      "A pinion and a rack. The joints are the hinge of the pinion and the slide of the rack, both on "
                      "the body that carries them (named first in each), with axes at a right angle.");
    add_coupled_joints(table);
    table.required("radius", &Rack::radius, number("m"),
                   "Pitch radius of the pinion: displacement of the rack along its axis per angle; negative: the other "
                   "way round.");
    table.check([](const Rack& rack, const Given& given, Reader& reader) {
      if (given.has("radius") && rack.radius == 0.0) error_at("radius", "must not be 0", given, reader);
    });
    return table;
  }

  Equation equation(const CoupledCoordinates& of) const {
    constexpr double right_angle = 1e-6;
    require_angles(of, true, false, "rack");
    require_carrier(of, "rack");
    const Vec3 along = of[1].at.a.col(2);
    if (std::abs(along.dot(of[0].at.a.col(2))) > right_angle)
      throw std::invalid_argument("the axes of pinion and rack must be at a right angle; for others give a `coupler`");
    return Equation::relation({of[0].part(0, radius), of[0].across(0, 1.0, along), of[1].part(1, -1.0)},
                              "rolling of the pinion", true);
  }
};

const RegisterCoupling<Rack> rack("rack");

}  // namespace
}  // namespace freeplay
