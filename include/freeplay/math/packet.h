#pragma once

namespace freeplay {

/// Four numbers that the processor treats as one (GCC and Clang translate it to whatever the machine has).
using Packet = double __attribute__((vector_size(32), aligned(8), may_alias));
constexpr int packet_size = 4;

inline Packet& packet_at(double* numbers) { return *reinterpret_cast<Packet*>(numbers); }
inline const Packet& packet_at(const double* numbers) { return *reinterpret_cast<const Packet*>(numbers); }

}  // namespace freeplay
