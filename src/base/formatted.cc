#include "freeplay/base/formatted.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace freeplay {

std::string formatted(const char* pattern, ...) {
  std::va_list values, again;
  va_start(values, pattern);
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, pattern, values);
  std::string text(length > 0 ? length : 0, '\0');
  if (length > 0) std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  va_end(values);
  return text;
}

std::string shell_word(const std::string& word) {
  const char* const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string clock_text(double seconds) {
  const long total = std::lround(seconds);
  if (total < 3600) return formatted("%ld:%02ld", total / 60, total % 60);
  return formatted("%ld:%02ld:%02ld", total / 3600, total / 60 % 60, total % 60);
}

}  // namespace freeplay
