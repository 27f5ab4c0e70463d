#pragma once

#include <cstddef>
#include <cstdint>

namespace freeplay {

/// Asks for memory that will be needed soon, so that it is in the cache then. It is only advice, for any address: what
/// does not exist is not read.
inline void prefetch(std::uintptr_t first, std::size_t n_bytes) {
  constexpr std::size_t line = 64;
  for (std::size_t k = 0; k < n_bytes; k += line) __builtin_prefetch(reinterpret_cast<const void*>(first + k));
}

/// The same for memory that will be written.
inline void prefetch_to_write(std::uintptr_t first, std::size_t n_bytes) {
  constexpr std::size_t line = 64;
  for (std::size_t k = 0; k < n_bytes; k += line) __builtin_prefetch(reinterpret_cast<const void*>(first + k), 1);
}

/// `ahead` elements after this one of an array.
template <class T>
void prefetch_to_write(const T& here, std::size_t ahead, std::size_t n = 1) {
  prefetch_to_write(reinterpret_cast<std::uintptr_t>(&here) + ahead * sizeof(T), n * sizeof(T));
}

}  // namespace freeplay
