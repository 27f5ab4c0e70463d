#include <cmath>

#include "freeplay/laws/section/register.h"
#include "ring.h"

namespace freeplay {
namespace {

/// Shear correction: Cowper 1966.
struct Tube {
  double outer = 0.0, inner = 0.0;  ///< radii [m]

  static auto lengths() { return std::array{&Tube::outer, &Tube::inner}; }
  static Table<Tube> keys();

  SectionGeometry geometry() const { return ring(outer, inner); }
  std::array<double, 2> shear_correction(double nu) const {
    const double m2 = std::pow(inner / outer, 2);
    const double square = (1 + m2) * (1 + m2);
    const double k = 6 * (1 + nu) * square / ((7 + 6 * nu) * square + (20 + 12 * nu) * m2);
    return {k, k};
  }
  DrawnOutline drawn() const { return {.outer = {outer, outer, 0.0}, .inner = {inner, inner, 0.0}}; }
};

void check_wall(const Tube& tube, const Given& given, Reader& reader) {
  if (given.has("inner") == given.has("wall")) {
    reader.error(given.place(),
                 given.has("wall") ? "can have only one of 'inner' and 'wall'" : "needs 'inner' or 'wall'");
  } else if (!reader.failed(reader.path()) && (given.has("wall") ? tube.inner <= 0.0 : tube.inner >= tube.outer)) {
    error_at(given.has("wall") ? "wall" : "inner", "must be less than 'outer'", given, reader);
  }
}

Table<Tube> Tube::keys() {
  Table<Tube> table("Tube",
                    "A circular ring, thick or thin. `outer` and `inner` are radii, not diameters. Shear correction "
                    "with m = inner/outer: 6*(1 + nu)*(1 + m^2)^2/((7 + 6*nu)*(1 + m^2)^2 + (20 + 12*nu)*m^2), for nu "
                    "= 0.3 and thin walls 0.531.");
  const Format<double> length = number("m", above(0));
  table.required("outer", &Tube::outer, length, "Outer radius.");
  table.add(
      {"inner", "Inner radius.", false, "", length.shape()},
      [=](const YamlNode& node, const Location& where, Reader& reader, Tube& tube) {
        tube.inner = length.read(node, where, reader).value_or(0.0);
      },
      [=](const Tube& tube) { return length.write(tube.inner); });
  table.add(
      {"wall", "Thickness of the wall, instead of `inner`.", false, "", length.shape()},
      [=](const YamlNode& node, const Location& where, Reader& reader, Tube& tube) {
        tube.inner = tube.outer - length.read(node, where, reader).value_or(0.0);
      },
      [](const Tube&) { return YamlNode{}; });
  table.check(check_wall);
  return table;
}

const RegisterOutline<Tube> tube("tube");

}  // namespace
}  // namespace freeplay
