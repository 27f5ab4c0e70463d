#include <numbers>
#include <stdexcept>

#include "freeplay/mechanics/coupling.h"

namespace freeplay {
namespace {

/// second = ratio first + constant, or displacement = lead/(2 pi) angle + constant.
struct Coupler : Coupled {
  std::optional<double> ratio, lead;

  static Table<Coupler> keys() {
    Table<Coupler> table("Joint coupler",
                         "The coordinates of two joints change in proportion: belts, bevel gears, differentials, a "
                         "spindle between two joints. It acts along the two coordinates alone.");
    add_coupled_joints(table);
    table.optional("ratio", &Coupler::ratio, number(""),
                   "Change of the second coordinate per change of the first, for two angles or two displacements.");
    table.optional("lead", &Coupler::lead, number("m"),
                   "Displacement per turn, for an angle and a displacement, in either order.");
    table.check([](const Coupler& coupler, const Given& given, Reader& reader) {
      if (given.has("ratio") == given.has("lead")) reader.error(given.place(), "needs either 'ratio' or 'lead'");
      if (coupler.ratio == 0.0) error_at("ratio", "must not be 0: the second joint would stand still", given, reader);
      if (coupler.lead == 0.0) error_at("lead", "must not be 0", given, reader);
    });
    return table;
  }

  Equation equation(const CoupledCoordinates& of) const {
    const bool mixed = of[0].is_angle != of[1].is_angle;
    if (mixed && !lead)
      throw std::invalid_argument(
          "one coordinate is an angle, the other a displacement: give `lead` instead of `ratio`");
    if (!mixed && lead)
      throw std::invalid_argument(std::string("both coordinates are ") + (of[0].is_angle ? "angles" : "displacements") +
                                  ": give `ratio` instead of `lead`");
    if (!mixed) return Equation::relation({of[0].part(0, -*ratio), of[1].part(1, 1.0)}, "ratio", !of[0].is_angle);
    const int angle = of[0].is_angle ? 0 : 1;
    return Equation::relation(
        {of[angle].part(angle, -*lead / (2.0 * std::numbers::pi)), of[1 - angle].part(1 - angle, 1.0)}, "lead", true);
  }
};

const RegisterCoupling<Coupler> coupler("coupler");

}  // namespace
}  // namespace freeplay
