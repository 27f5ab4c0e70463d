#pragma once

#include <string>
#include <string_view>

namespace freeplay {

/// In hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace freeplay
