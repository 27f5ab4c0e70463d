#pragma once

#include "freeplay/app/engine.h"

namespace freeplay {

/// Loads libfreeplay_engine.so (beside the program, or the file named by the environment variable FREEPLAY_ENGINE) and
/// gives it the job. Returns the engine's exit code. Throws std::runtime_error if there is no engine to load.
int run_engine(const EngineJob& job);

}  // namespace freeplay
