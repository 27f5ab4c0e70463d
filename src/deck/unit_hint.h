#pragma once

#include <string>
#include <string_view>

namespace freeplay {

/// `, did you mean N*m?` for `Nm`, s^2 for `s2`; empty if the name cannot be read like that.
std::string unit_notation_hint(std::string_view name);

/// The same, or a unit with a similar name.
std::string unit_hint(std::string_view name);

}  // namespace freeplay
