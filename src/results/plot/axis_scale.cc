#include "freeplay/results/plot/axis_scale.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace freeplay {

namespace {

/// A prefix multiplies the first factor of a unit: mm^2 is not a thousandth of m^2, and 1/m has no place for one.
bool takes_prefix(const std::string& unit) {
  const std::size_t end = unit.find_first_of("*/^");
  const std::string first = unit.substr(0, end);
  const bool is_power = end != std::string::npos && unit[end] == '^';
  constexpr std::array known = {"m", "s", "N", "J", "W", "Pa", "Hz", "rad"};
  return !is_power && std::ranges::find(known, first) != known.end();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

void AxisScale::include(std::span<const double> values) {
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least_ = std::min(least_.value_or(value), value);
    largest_ = std::max(largest_.value_or(value), value);
  }
}

AxisScale::Factor AxisScale::factor() const {
  constexpr Factor none{1.0, ""};
  const double size = std::max(std::abs(least_.value_or(0.0)), std::abs(largest_.value_or(0.0)));
  // Numbers from 0.1 to 10000 are read as they are.
  if (!takes_prefix(unit_) || size == 0.0 || (size >= 0.1 && size < 1e4)) return none;
  constexpr std::array factors = {Factor{1e9, "G"},  Factor{1e6, "M"},       Factor{1e3, "k"},  none,
                                  Factor{1e-3, "m"}, Factor{1e-6, "\u00B5"}, Factor{1e-9, "n"}, Factor{1e-12, "p"}};
  for (const Factor& each : factors)
    if (size >= each.value) return unit_ == "s" && each.value > 1.0 ? none : each;
  return none;  // smaller than anything: as powers of ten
}

std::string AxisScale::label(const std::string& quantity) const {
  const std::string unit = unit_.empty() || unit_ == "1" ? "" : "[" + (factor().prefix + printed_unit(unit_)) + "]";
  return quantity + (quantity.empty() || unit.empty() ? "" : " ") + unit;
}

std::pair<double, double> AxisScale::range(bool padded) const {
  constexpr double nothing = 1e-12;  // round-off of a constant
  const double least = least_.value_or(0.0), largest = largest_.value_or(0.0);
  const double size = std::max(std::abs(least), std::abs(largest));
  if (largest - least <= nothing * size) {
    const double room = size == 0.0 ? 1.0 : 0.1 * size;
    return {least - room, largest + room};
  }
  const double room = padded ? 0.04 * (largest - least) : 0.0;
  return {least - room, largest + room};
}

int AxisScale::digits() const {
  constexpr int usual = 6, most = 15;
  const auto [least, largest] = range(false);
  const double size = std::max(std::abs(least), std::abs(largest));
  return std::clamp(static_cast<int>(std::ceil(std::log10(size / (largest - least)))) + 2, usual, most);
}

std::string printed_unit(const std::string& unit) {
  std::string text = unit;
  replace_all(text, "^2", "\u00B2");
  replace_all(text, "^3", "\u00B3");
  replace_all(text, "*", "\u00B7");
  return text;
}

}  // namespace freeplay
