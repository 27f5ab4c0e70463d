#pragma once

// Units of measurement. Everything inside the program is SI; units exist only in what the user writes and reads.

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace freeplay {

/// Exponents of the base units. An angle is a pure number (rad = 1). Exponents may be fractions: sqrt(1 m).
struct Dimension {
  double m = 0.0;
  double kg = 0.0;
  double s = 0.0;

  bool operator==(const Dimension& other) const;
  bool is_pure_number() const { return *this == Dimension{}; }
};

Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension pow(const Dimension& a, double exponent);

/// A unit of measurement. The factor to SI is kept as a fraction so that `5 mm` is 5/1000, the double nearest to 0.005.
struct Unit {
  double numerator = 1.0;
  double denominator = 1.0;
  Dimension dimension;

  double to_si(double value) const { return value * numerator / denominator; }
};

/// A number in SI units. `has_unit` distinguishes `30 deg` from `0.52`, which have the same dimension.
struct Quantity {
  double value = 0.0;
  Dimension dimension;
  bool has_unit = false;
};

/// What was written is not a unit or a quantity; what() says why.
class UnitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One name with an optional SI prefix: `mm`, `kN`, `rpm`, `lbf`. Empty if there is no such unit.
std::optional<Unit> find_unit(std::string_view name);

/// The unit at the beginning of a text and how many characters it takes (0: none), e.g. 4 of `mm^2 + 1`.
struct UnitPrefix {
  Unit unit;
  std::size_t length = 0;
};

/// Takes `*` and `/` only if another unit follows, so that in `10 N * sin(...)` the unit is `N`. The tonne `t` counts
/// only as the first name, and only if `tonne` is true: elsewhere `t` is the time.
UnitPrefix leading_unit(std::string_view text, bool tonne = true);

/// The whole text is a unit: `kN*m^2`, `m/s^2`, `1/m`, or empty. Throws UnitError.
Unit parse_unit(std::string_view text);

/// A number with an optional unit: `0.5 mm`, `1e5 1/m`, `3`. Throws UnitError.
Quantity parse_quantity(std::string_view text);

/// `kg*m^2/s^2`; `rad` for a pure number.
std::string base_unit_text(const Dimension& dimension);

/// For messages: `a length [m]`, `a force [N]`, `a pure number`.
std::string describe(const Dimension& dimension);

/// The shortest text that reads back as exactly the same number.
std::string number_text(double value);

/// With six digits, for messages.
std::string rounded_text(double value);

/// number_text() followed by a unit, if there is one.
std::string quantity_text(double value, std::string_view unit);

/// How many characters at the beginning of `text` are an unsigned decimal number (0: none). Neither `nan` nor `inf` nor
/// hexadecimal numbers are numbers.
std::size_t leading_number(std::string_view text);

}  // namespace freeplay
