#pragma once

#include "freeplay/deck/beam_axis.h"
#include "freeplay/deck/spec.h"

namespace freeplay::fuzz {

/// Valid models may be so large that they take their time; a fuzzer has none for these.
inline bool is_large(const ModelSpec& spec) {
  constexpr double most_nodes = 200;
  double n_nodes = static_cast<double>(spec.bodies.size());
  for (const BeamSpec& beam : spec.beams)
    n_nodes += static_cast<double>(beam.elements) * beam.degree * BeamAxis(beam).n_pieces();
  return n_nodes > most_nodes;
}

}  // namespace freeplay::fuzz
