#pragma once

#include <string>

namespace freeplay {

/// What printf would print, of any length; the compiler checks the arguments.
__attribute__((format(printf, 1, 2))) std::string formatted(const char* pattern, ...);

/// A word as a shell takes it: in quotes if it needs them.
std::string shell_word(const std::string& word);

/// `1:05`, `2:00:07`
std::string clock_text(double seconds);

}  // namespace freeplay
