#pragma once

#include "freeplay/analysis/modes.h"
#include "freeplay/analysis/vibration_shapes.h"
#include "freeplay/results/engine_job.h"

namespace freeplay {

/// scene.json and modes.bin for `freeplay report`: how all moving frames of the scene stand in the reference state, and
/// how they move in each mode. 4-byte numbers, little-endian: 7 per frame (position, quaternion x y z w), then for each
/// mode 6 per frame (displacement, rotation vector, axes of ground) of the real part and 6 of the imaginary part. The
/// largest displacement of a mode is 1 m, or where none is its largest rotation 1 rad.
void write_mode_shapes(const EngineJob& job, const Modes& modes);

/// The same of rotors: modes.bin has the shapes of one point after the other. A shape that is empty is zero.
void write_vibration_shapes(const EngineJob& job, const std::vector<VibrationShapes>& points);

/// scene.json and a motion.bin with one frame: the assembled model.
void write_standing_scene(const EngineJob& job);

}  // namespace freeplay
