#include "freeplay/results/plot/plain_text.h"

#include <algorithm>

namespace freeplay {

namespace {

/// Bytes of the sequence of UTF-8 that begins here; 0: it is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t length = byte(0) < 0x80   ? 1
                             : byte(0) < 0xC2 ? 0
                             : byte(0) < 0xE0 ? 2
                             : byte(0) < 0xF0 ? 3
                             : byte(0) < 0xF5 ? 4
                                              : 0;
  if (length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates and numbers above the last letter.
  if (length == 3 && ((byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) >= 0xA0))) return 0;
  if (length == 4 && ((byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) >= 0x90))) return 0;
  return length;
}

}  // namespace

std::string plain_text(std::string_view any) {
  std::string result;
  while (!any.empty()) {
    const std::size_t length = sequence_length(any);
    const auto first = static_cast<unsigned char>(any.front());
    if (length == 0)
      result += '?';
    else if (first < 0x20 || first == 0x7F)
      result += ' ';
    else
      result += any.substr(0, length);
    any.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::size_t n_letters(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace freeplay
