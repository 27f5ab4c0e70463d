#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "freeplay/base/units.h"

namespace freeplay {

/// A quantity of the motion that an expression may use: `hinge.angle`, `rail.displacement_rate`, `arm.tip.velocity.x`.
struct Signal {
  enum class Kind { angle, displacement, position };
  std::string of;  ///< a joint, or for positions a place
  Kind kind = Kind::angle;
  int axis = 0;          ///< of a position, in the axes of ground
  bool is_rate = false;  ///< its time derivative

  bool operator==(const Signal&) const = default;
  std::string text() const;
  Dimension dimension() const;
};

/// Empty if the name does not end as that of a signal does.
std::optional<Signal> signal_named(std::string_view name);
/// For messages: which ends there are.
extern const char* const signal_names;

}  // namespace freeplay
