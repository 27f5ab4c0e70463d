#include "unit_hint.h"

#include "freeplay/base/names.h"
#include "freeplay/base/units.h"

namespace freeplay {

std::string unit_notation_hint(std::string_view name) {
  for (std::size_t i = 1; i < name.size(); ++i) {
    const std::string head(name.substr(0, i));
    const std::string tail(name.substr(i));
    if (!find_unit(head)) continue;
    if (find_unit(tail)) return ", did you mean " + head + "*" + tail + "?";
    if (tail.find_first_not_of("0123456789") == std::string::npos) return ", did you mean " + head + "^" + tail + "?";
  }
  return {};
}

std::string unit_hint(std::string_view name) {
  const std::string notation = unit_notation_hint(name);
  if (!notation.empty()) return notation;
  const std::vector<std::string> common = {"mm",  "cm",  "m",   "kg",  "g",   "s",  "ms", "N",  "kN",
                                           "MN",  "Pa",  "kPa", "MPa", "GPa", "J",  "W",  "Hz", "rad",
                                           "deg", "rev", "rpm", "min", "h",   "in", "ft", "lb", "lbf"};
  return did_you_mean(name, common);
}

}  // namespace freeplay
