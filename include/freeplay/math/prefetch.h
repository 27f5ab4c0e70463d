#pragma once

#include <cstddef>
#include <cstdint>

namespace freeplay {

enum class Purpose { read, write };

/// Asks for memory that will be needed soon, so that it is in the cache then. It is only advice, for any address: what
/// does not exist is not read.
template <Purpose purpose>
void prefetch(std::uintptr_t first, std::size_t n_bytes) {
  constexpr std::size_t line = 64;
  for (std::size_t k = 0; k < n_bytes; k += line)
    __builtin_prefetch(reinterpret_cast<const void*>(first + k), purpose == Purpose::write);
}

/// Of an array, n elements from the one on that is `ahead` after this one.
template <Purpose purpose, class T>
void prefetch(const T& here, std::size_t ahead, std::size_t n) {
  prefetch<purpose>(reinterpret_cast<std::uintptr_t>(&here) + ahead * sizeof(T), n * sizeof(T));
}

}  // namespace freeplay
