#pragma once

#include <cstring>

namespace freeplay {

/// Four numbers that the processor treats as one (GCC and Clang translate it to whatever the machine has).
using Packet = double __attribute__((vector_size(32)));
constexpr int packet_size = 4;

/// Numbers in memory need not be aligned as a packet is. A reference to a packet that is aligned to 8 would do for GCC;
/// Clang forgets the alignment of what a reference refers to, and the program crashes.
inline Packet packet_at(const double* numbers) {
  Packet packet;
  std::memcpy(&packet, numbers, sizeof packet);
  return packet;
}

/// Four numbers in memory that can be set.
class PacketPlace {
 public:
  explicit PacketPlace(double* numbers) : numbers_(numbers) {}
  operator Packet() const { return packet_at(static_cast<const double*>(numbers_)); }
  void operator=(const Packet& packet) const { std::memcpy(numbers_, &packet, sizeof packet); }
  void operator+=(const Packet& packet) const { *this = Packet(*this) + packet; }
  friend Packet operator*(double factor, const PacketPlace& place) { return factor * Packet(place); }
  friend Packet operator*(const Packet& packet, const PacketPlace& place) { return packet * Packet(place); }

 private:
  double* numbers_;
};

inline PacketPlace packet_at(double* numbers) { return PacketPlace(numbers); }

}  // namespace freeplay
