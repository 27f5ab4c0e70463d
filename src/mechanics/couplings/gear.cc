#include <stdexcept>

#include "freeplay/mechanics/coupling.h"

namespace freeplay {
namespace {

/// Two wheels with parallel axes that a common body carries. Their pitch circles touch in the point P and roll on each
/// other there; r_1 and r_2 follow from the numbers of teeth and the distance of the axes. The force of the teeth acts
/// in P along the common tangent, so that the bearings feel it.
struct Gear : Coupled {
  std::array<int, 2> teeth{};
  bool internal = false;

  static Table<Gear> keys() {
    Table<Gear> table("Joint gear",
                      "Two toothed wheels. The joints are their hinges on the body that carries both (named first in "
                      "each), with parallel axes; the radii follow from the numbers of teeth and the distance of the "
                      "axes. The bearings feel the tangential force of the teeth, not the separating one.");
    add_coupled_joints(table);
    table.required("teeth", &Gear::teeth, array_of<2>(integer(at_least(1))), "Of the first and the second wheel.");
    table.optional("internal", &Gear::internal, boolean(), "The larger wheel is a ring with its teeth inside.");
    table.check([](const Gear& gear, const Given& given, Reader& reader) {
      if (gear.internal && gear.teeth[0] == gear.teeth[1])
        error_at("teeth", "must differ in an internal gear: the ring has more", given, reader);
    });
    return table;
  }

  Equation equation(const CoupledCoordinates& of) const {
    constexpr double parallel = 1e-6;
    require_angles(of, true, true, "gear");
    require_carrier(of, "gear");
    const Vec3 n_1 = of[0].at.a.col(2), n_2 = of[1].at.a.col(2);
    Vec3 apart = of[1].at.x - of[0].at.x;
    apart -= apart.dot(n_1) * n_1;
    if (n_1.cross(n_2).norm() > parallel)
      throw std::invalid_argument("the axes of a gear must be parallel; for others give a `coupler` with a `ratio`");
    const double distance = apart.norm();
    if (distance == 0.0)
      throw std::invalid_argument(
          "the axes of the two joints are the same, so that the wheels have no radius; give a "
          "`coupler` with a `ratio`");
    // Where P lies from each axis, along e from the first to the second.
    const Vec3 e = apart / distance;
    const double z_1 = teeth[0], z_2 = teeth[1];
    const double from_first = distance * (internal ? -z_1 / (z_2 - z_1) : z_1 / (z_1 + z_2));
    const double from_second = from_first - distance;
    const Vec3 t = n_1.cross(e);
    // The velocities of both wheels in P along t agree.
    return Equation::relation({of[0].part(0, from_first), of[0].across(0, 1.0, t),
                               of[1].part(1, -n_1.dot(n_2) * from_second), of[1].across(1, -1.0, t)},
                              "rolling of the pitch circles", true);
  }
};

const RegisterCoupling<Gear> gear("gear");

}  // namespace
}  // namespace freeplay
