#include "unit_hint.h"

#include <cctype>
#include <map>

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

namespace {

/// Names of units written out, abbreviations that others use, and units that there are not, in terms of those there
/// are.
const std::map<std::string_view, std::string_view> other_names{{"meter", "m"},
                                                               {"metre", "m"},
                                                               {"millimeter", "mm"},
                                                               {"millimetre", "mm"},
                                                               {"centimeter", "cm"},
                                                               {"centimetre", "cm"},
                                                               {"micron", "um"},
                                                               {"micrometer", "um"},
                                                               {"inch", "in"},
                                                               {"inches", "in"},
                                                               {"foot", "ft"},
                                                               {"feet", "ft"},
                                                               {"gram", "g"},
                                                               {"gramme", "g"},
                                                               {"kilogram", "kg"},
                                                               {"kilo", "kg"},
                                                               {"ton", "t"},
                                                               {"tonne", "t"},
                                                               {"pound", "lb"},
                                                               {"sec", "s"},
                                                               {"second", "s"},
                                                               {"millisecond", "ms"},
                                                               {"minute", "min"},
                                                               {"hour", "h"},
                                                               {"hr", "h"},
                                                               {"degree", "deg"},
                                                               {"radian", "rad"},
                                                               {"revolution", "rev"},
                                                               {"turn", "rev"},
                                                               {"newton", "N"},
                                                               {"pascal", "Pa"},
                                                               {"joule", "J"},
                                                               {"watt", "W"},
                                                               {"hertz", "Hz"},
                                                               {"cps", "Hz"},
                                                               {"bar", "0.1 MPa"},
                                                               {"atm", "101325 Pa"},
                                                               {"psi", "lbf/in^2"},
                                                               {"ksi", "1000 lbf/in^2"},
                                                               {"kgf", "9.80665 N"},
                                                               {"kp", "9.80665 N"},
                                                               {"dyn", "1e-5 N"},
                                                               {"mph", "0.44704 m/s"},
                                                               {"kmh", "km/h"},
                                                               {"kph", "km/h"},
                                                               {"l", "1e-3 m^3"},
                                                               {"hp", "745.7 W"},
                                                               {"slug", "14.5939 kg"}};

std::string in_other_words(std::string_view name) {
  std::string word;
  for (const char c : name) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  auto found = other_names.find(word);
  if (found == other_names.end() && word.ends_with('s')) found = other_names.find(word.substr(0, word.size() - 1));
  return found == other_names.end() ? "" : ", did you mean '" + std::string(found->second) + "'?";
}

}  // namespace

std::string unit_hint(std::string_view name) {
  const std::string words = in_other_words(name);
  if (!words.empty()) return words;
  const std::string notation = unit_notation_hint(name);
  if (!notation.empty()) return notation;
  const std::vector<std::string> common = {"mm",  "cm",  "m",   "kg",  "g",   "s",  "ms", "N",  "kN",
                                           "MN",  "Pa",  "kPa", "MPa", "GPa", "J",  "W",  "Hz", "rad",
                                           "deg", "rev", "rpm", "min", "h",   "in", "ft", "lb", "lbf"};
  return did_you_mean(name, common);
}

}  // namespace freeplay
