#include "freeplay/deck/signal.h"

#include <array>

namespace freeplay {

namespace {

struct Ending {
  std::string_view text;
  Signal::Kind kind;
  int axis;
  bool is_rate;
};

using Kind = Signal::Kind;
constexpr std::array<Ending, 10> endings = {{{".angle", Kind::angle, 0, false},
                                             {".angle_rate", Kind::angle, 0, true},
                                             {".displacement", Kind::displacement, 0, false},
                                             {".displacement_rate", Kind::displacement, 0, true},
                                             {".position.x", Kind::position, 0, false},
                                             {".position.y", Kind::position, 1, false},
                                             {".position.z", Kind::position, 2, false},
                                             {".velocity.x", Kind::position, 0, true},
                                             {".velocity.y", Kind::position, 1, true},
                                             {".velocity.z", Kind::position, 2, true}}};

}  // namespace

const char* const signal_names =
    "JOINT.angle, JOINT.displacement, JOINT.angle_rate, JOINT.displacement_rate, PLACE.position.x, PLACE.velocity.x";

std::string Signal::text() const {
  for (const Ending& ending : endings)
    if (ending.kind == kind && ending.axis == axis && ending.is_rate == is_rate) return of + std::string(ending.text);
  return of;
}

Dimension Signal::dimension() const { return {kind == Kind::angle ? 0.0 : 1.0, 0.0, is_rate ? -1.0 : 0.0}; }

std::optional<Signal> signal_named(std::string_view name) {
  for (const Ending& ending : endings)
    if (name.size() > ending.text.size() && name.ends_with(ending.text))
      return Signal{std::string(name.substr(0, name.size() - ending.text.size())), ending.kind, ending.axis,
                    ending.is_rate};
  return std::nullopt;
}

}  // namespace freeplay
