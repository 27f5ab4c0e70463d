#pragma once

namespace freeplay {

/// The same as in CMakeLists.txt (a test compares them).
inline constexpr const char* version = "0.1.0";

}  // namespace freeplay
