#pragma once

#include <vector>

#include "freeplay/deck/spec.h"
#include "freeplay/results/beam_surface.h"
#include "freeplay/results/body_surface.h"

namespace freeplay {

/// The rigid bodies of a model as the user sees them.
std::vector<ParaviewBody> drawn_bodies(const ModelSpec& spec);

/// The outlines along a beam.
std::vector<PlacedOutline> drawn_outlines(const ModelSpec& spec, const BeamSpec& beam);

}  // namespace freeplay
