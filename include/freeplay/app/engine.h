#pragma once

#include "freeplay/results/engine_job.h"

/// The one symbol the light program looks up in the engine. Never throws; prints its own messages; returns an ExitCode.
extern "C" int freeplay_engine_main(const freeplay::EngineJob* job);
