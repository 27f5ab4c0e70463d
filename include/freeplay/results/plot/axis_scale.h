#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

namespace freeplay {

/// Chooses a prefix for the unit of an axis, so that its numbers are easy to read: 0.0002 m is 200 um, 15000 N 15 kN.
class AxisScale {
 public:
  explicit AxisScale(std::string unit) : unit_(std::move(unit)) {}

  /// These numbers, in the unit, are on the axis.
  void include(std::span<const double> values);

  /// In the unit with prefix.
  double operator()(double value) const { return value / factor().value; }
  /// `force [kN]`
  std::string label(const std::string& quantity) const;
  /// In the unit without prefix: from the least to the largest number, with room around them (`padded`) and where there
  /// is but one.
  std::pair<double, double> range(bool padded) const;
  /// How many digits numbers on the axis need to differ.
  int digits() const;

 private:
  struct Factor {
    double value;
    const char* prefix;
  };
  Factor factor() const;

  std::string unit_;
  std::optional<double> least_, largest_;
};

/// `N·m`, `m/s²`: as books print it.
std::string printed_unit(const std::string& unit);

}  // namespace freeplay
