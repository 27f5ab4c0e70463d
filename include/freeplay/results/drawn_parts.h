#pragma once

#include <optional>
#include <vector>

#include "freeplay/deck/spec.h"
#include "freeplay/results/beam_surface.h"
#include "freeplay/results/body_surface.h"

namespace freeplay {

/// The rigid bodies of a model as the user sees them.
std::vector<ParaviewBody> drawn_bodies(const ModelSpec& spec);

/// Radius of what turns in a bearing by coefficients, as it is drawn [m]: the model knows no journal. Nothing where
/// neither a beam nor a cylinder is there.
std::optional<double> drawn_journal_radius(const ModelSpec& spec, const SpringSpec& bearing);

/// The outlines along a beam.
std::vector<PlacedOutline> drawn_outlines(const ModelSpec& spec, const BeamSpec& beam);

}  // namespace freeplay
