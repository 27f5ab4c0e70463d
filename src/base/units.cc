#include "freeplay/base/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <system_error>

namespace freeplay {

namespace {

constexpr double exponent_tolerance = 1e-9;  // exponents are small fractions; this is far below 1/100

struct NamedUnit {
  std::string_view name;
  bool takes_prefix;
  Unit unit;
};

struct Prefix {
  std::string_view name;
  double numerator;
  double denominator;
};

constexpr std::array<Prefix, 14> prefixes = {{{"", 1, 1},
                                              {"T", 1e12, 1},
                                              {"G", 1e9, 1},
                                              {"M", 1e6, 1},
                                              {"k", 1e3, 1},
                                              {"h", 1e2, 1},
                                              {"d", 1, 10},
                                              {"c", 1, 100},
                                              {"m", 1, 1e3},
                                              {"u", 1, 1e6},
                                              {"\u00b5", 1, 1e6},  // micro sign
                                              {"\u03bc", 1, 1e6},  // Greek mu, which some keyboards give
                                              {"n", 1, 1e9},
                                              {"p", 1, 1e12}}};

constexpr double pi = std::numbers::pi;

constexpr Dimension none{};
constexpr Dimension length{1, 0, 0};
constexpr Dimension mass{0, 1, 0};
constexpr Dimension time{0, 0, 1};
constexpr Dimension frequency{0, 0, -1};
constexpr Dimension force{1, 1, -2};

constexpr double lb = 0.45359237;             // kg, exact by definition
constexpr double standard_gravity = 9.80665;  // m/s^2, exact by definition

constexpr std::array<NamedUnit, 20> units = {{{"min", false, {60, 1, time}},
                                              {"h", false, {3600, 1, time}},
                                              {"t", false, {1000, 1, mass}},
                                              {"kg", false, {1, 1, mass}},
                                              {"deg", false, {pi, 180, none}},
                                              {"rev", false, {2 * pi, 1, none}},
                                              {"rpm", false, {2 * pi, 60, frequency}},
                                              {"in", false, {0.0254, 1, length}},
                                              {"ft", false, {0.3048, 1, length}},
                                              {"lb", false, {lb, 1, mass}},
                                              {"lbf", false, {lb * standard_gravity, 1, force}},
                                              {"m", true, {1, 1, length}},
                                              {"g", true, {1, 1000, mass}},
                                              {"s", true, {1, 1, time}},
                                              {"rad", true, {1, 1, none}},
                                              {"Hz", true, {1, 1, frequency}},
                                              {"N", true, {1, 1, force}},
                                              {"Pa", true, {1, 1, {-1, 1, -2}}},
                                              {"J", true, {1, 1, {2, 1, -2}}},
                                              {"W", true, {1, 1, {2, 1, -3}}}}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

std::size_t skip_spaces(std::string_view text, std::size_t i) {
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
  return i;
}

Unit multiplied(const Unit& a, const Unit& b) {
  return {a.numerator * b.numerator, a.denominator * b.denominator, a.dimension * b.dimension};
}

Unit raised(const Unit& a, double exponent) {
  const double e = std::abs(exponent);
  Unit result{std::pow(a.numerator, e), std::pow(a.denominator, e), pow(a.dimension, exponent)};
  if (exponent < 0) std::swap(result.numerator, result.denominator);
  return result;
}

/// A recursive-descent matcher that never fails: it takes what is a unit and stops in front of what is not.
class UnitMatcher {
 public:
  UnitMatcher(std::string_view text, bool tonne) : text_(text), tonne_(tonne) {}

  UnitPrefix match() {
    std::size_t i = skip_spaces(text_, 0);
    UnitPrefix result = first_factor(i);
    if (result.length == 0) return {};
    i += result.length;
    while (const auto next = continuation(i)) {
      result.unit = multiplied(result.unit, next->unit);
      i += next->length;
    }
    result.length = i;
    return result;
  }

 private:
  UnitPrefix first_factor(std::size_t i) const {
    if (i < text_.size() && text_[i] == '1' && starts_reciprocal(i)) return {Unit{}, 1};
    return power(i, tonne_);
  }

  /// `1/m`: the 1 belongs to the unit only if a division by a unit follows.
  bool starts_reciprocal(std::size_t i) const {
    const std::size_t slash = skip_spaces(text_, i + 1);
    if (slash >= text_.size() || text_[slash] != '/') return false;
    return factor_or_group(skip_spaces(text_, slash + 1)).length > 0;
  }

  std::optional<UnitPrefix> continuation(std::size_t begin) const {
    const std::size_t sign = skip_spaces(text_, begin);
    if (sign >= text_.size() || (text_[sign] != '*' && text_[sign] != '/')) return std::nullopt;
    const std::size_t i = skip_spaces(text_, sign + 1);
    UnitPrefix next = factor_or_group(i);
    if (next.length == 0) return std::nullopt;
    if (text_[sign] == '/') next.unit = raised(next.unit, -1);
    next.length += i - begin;
    return next;
  }

  /// A unit or `(m/s)`. Groups do not nest: nobody needs it, and it bounds the recursion.
  UnitPrefix factor_or_group(std::size_t i) const {
    if (i >= text_.size() || text_[i] != '(') return power(i, false);
    const std::size_t end = text_.find(')', i);
    if (end == std::string_view::npos) return {};
    const std::string_view inside = text_.substr(i + 1, end - i - 1);
    if (inside.find('(') != std::string_view::npos) return {};
    const UnitPrefix group = UnitMatcher(inside, false).match();
    if (group.length == 0 || skip_spaces(inside, group.length) != inside.size()) return {};
    return {group.unit, end + 1 - i};
  }

  UnitPrefix power(std::size_t begin, bool tonne) const {
    std::size_t end = begin;
    while (end < text_.size() && (is_letter(text_[end]) || (end > begin && is_digit(text_[end])))) ++end;
    const std::string_view name = text_.substr(begin, end - begin);
    if (name == "t" && !tonne) return {};
    const std::size_t next = skip_spaces(text_, end);
    if (next < text_.size() && text_[next] == '(') return {};  // a function such as min(...)
    const bool has_part = end + 1 < text_.size() && text_[end] == '.' && is_letter(text_[end + 1]);
    if (has_part) return {};  // a joint that is called m: m.angle
    const auto unit = find_unit(name);
    if (!unit) return {};
    UnitPrefix result{*unit, end - begin};
    if (next < text_.size() && text_[next] == '^') apply_exponent(begin, next + 1, result);
    return result;
  }

  void apply_exponent(std::size_t begin, std::size_t i, UnitPrefix& unit) const {
    i = skip_spaces(text_, i);
    const bool negative = i < text_.size() && text_[i] == '-';
    if (negative) ++i;
    const std::size_t digits = leading_number(text_.substr(i));
    if (digits == 0) return;
    double exponent = 0.0;
    std::from_chars(text_.data() + i, text_.data() + i + digits, exponent);
    unit.unit = raised(unit.unit, negative ? -exponent : exponent);
    unit.length = i + digits - begin;
  }

  std::string_view text_;
  bool tonne_;
};

struct NamedDimension {
  Dimension dimension;
  std::string_view text;
};

constexpr std::array<NamedDimension, 20> named_dimensions = {{{none, "a pure number"},
                                                              {length, "a length [m]"},
                                                              {mass, "a mass [kg]"},
                                                              {time, "a time [s]"},
                                                              {{2, 0, 0}, "an area [m^2]"},
                                                              {{3, 0, 0}, "a volume [m^3]"},
                                                              {{-1, 0, 0}, "a reciprocal length [1/m]"},
                                                              {frequency, "an angular velocity or frequency [1/s]"},
                                                              {{0, 0, -2}, "an angular acceleration [1/s^2]"},
                                                              {{1, 0, -1}, "a velocity [m/s]"},
                                                              {{1, 0, -2}, "an acceleration [m/s^2]"},
                                                              {force, "a force [N]"},
                                                              {{2, 1, -2}, "a moment or energy [N*m]"},
                                                              {{2, 1, -3}, "a power [W]"},
                                                              {{-1, 1, -2}, "a pressure [Pa]"},
                                                              {{0, 1, -2}, "a stiffness or force per length [N/m]"},
                                                              {{0, 1, -1}, "a damping [N*s/m]"},
                                                              {{2, 1, -1}, "a rotational damping [N*m*s]"},
                                                              {{2, 1, 0}, "a moment of inertia [kg*m^2]"},
                                                              {{-3, 1, 0}, "a density [kg/m^3]"}}};

}  // namespace

bool Dimension::operator==(const Dimension& other) const {
  return std::abs(m - other.m) < exponent_tolerance && std::abs(kg - other.kg) < exponent_tolerance &&
         std::abs(s - other.s) < exponent_tolerance;
}

Dimension operator*(const Dimension& a, const Dimension& b) { return {a.m + b.m, a.kg + b.kg, a.s + b.s}; }
Dimension operator/(const Dimension& a, const Dimension& b) { return {a.m - b.m, a.kg - b.kg, a.s - b.s}; }
Dimension pow(const Dimension& a, double exponent) { return {a.m * exponent, a.kg * exponent, a.s * exponent}; }

std::optional<Unit> find_unit(std::string_view name) {
  for (const NamedUnit& named : units) {
    if (named.name == name) return named.unit;
  }
  for (const NamedUnit& named : units) {
    if (!named.takes_prefix || !name.ends_with(named.name)) continue;
    const std::string_view start = name.substr(0, name.size() - named.name.size());
    for (const Prefix& prefix : prefixes) {
      if (prefix.name == start) return multiplied({prefix.numerator, prefix.denominator, none}, named.unit);
    }
  }
  return std::nullopt;
}

UnitPrefix leading_unit(std::string_view text, bool tonne) { return UnitMatcher(text, tonne).match(); }

Unit parse_unit(std::string_view text) {
  if (skip_spaces(text, 0) == text.size()) return {};
  const UnitPrefix found = leading_unit(text);
  if (found.length == 0 || skip_spaces(text, found.length) != text.size()) {
    throw UnitError("'" + std::string(text) + "' is not a unit");
  }
  return found.unit;
}

Quantity parse_quantity(std::string_view text) {
  std::size_t i = skip_spaces(text, 0);
  const bool negative = i < text.size() && text[i] == '-';
  if (negative || (i < text.size() && text[i] == '+')) ++i;
  const std::size_t digits = leading_number(text.substr(i));
  if (digits == 0) throw UnitError("'" + std::string(text) + "' is not a number");
  double value = 0.0;
  const auto parsed = std::from_chars(text.data() + i, text.data() + i + digits, value);
  if (parsed.ec != std::errc()) throw UnitError("'" + std::string(text) + "' is too large or too small for a number");
  const std::string_view rest = text.substr(i + digits);
  const Unit unit = parse_unit(rest);
  return {unit.to_si(negative ? -value : value), unit.dimension, skip_spaces(rest, 0) != rest.size()};
}

std::string base_unit_text(const Dimension& dimension) {
  std::string above, below;
  const auto add = [&](const char* name, double exponent) {
    if (std::abs(exponent) < exponent_tolerance) return;
    std::string& side = exponent > 0 ? above : below;
    if (exponent < 0) {
      side += "/";
    } else if (!side.empty()) {
      side += "*";
    }
    side += name;
    if (std::abs(std::abs(exponent) - 1.0) > exponent_tolerance) side += "^" + number_text(std::abs(exponent));
  };
  add("kg", dimension.kg);
  add("m", dimension.m);
  add("s", dimension.s);
  if (above.empty() && below.empty()) return "rad";
  return (above.empty() ? "1" : above) + below;
}

std::string describe(const Dimension& dimension) {
  for (const NamedDimension& named : named_dimensions) {
    if (named.dimension == dimension) return std::string(named.text);
  }
  return "a quantity in " + base_unit_text(dimension);
}

std::string number_text(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

std::string rounded_text(double value) {
  std::array<char, 32> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6).ptr;
  return std::string(buffer.data(), end);
}

std::string quantity_text(double value, std::string_view unit) {
  return unit.empty() ? number_text(value) : number_text(value) + " " + std::string(unit);
}

std::size_t leading_number(std::string_view text) {
  const auto digits = [&](std::size_t i) {
    while (i < text.size() && is_digit(text[i])) ++i;
    return i;
  };
  std::size_t end = digits(0);
  std::size_t n_digits = end;
  if (end < text.size() && text[end] == '.') {
    const std::size_t after = digits(end + 1);
    n_digits += after - end - 1;
    end = after;
  }
  if (n_digits == 0) return 0;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (digits(exponent) > exponent) end = digits(exponent);
  }
  return end;
}

}  // namespace freeplay
