#pragma once

#include "freeplay/base/units.h"

namespace freeplay {

/// `N`, `Pa`, ... where describe() knows such a name, else the base units.
inline std::string unit_symbol(const Dimension& dimension) {
  const std::string text = describe(dimension);
  const std::size_t bracket = text.find('[');
  if (bracket == std::string::npos) return base_unit_text(dimension);
  return text.substr(bracket + 1, text.find(']', bracket) - bracket - 1);
}

}  // namespace freeplay
