#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "freeplay/analysis/modes.h"
#include "freeplay/results/engine_job.h"

namespace freeplay {

/// The table of `freeplay modes`.
std::string modes_table(const EngineJob& job, const Modes& modes);

/// The same for programs: `freeplay modes --json` and modes.json.
nlohmann::json modes_json(const EngineJob& job, const Modes& modes);

/// One ParaView series per mode, `mode_01/model.pvd` ...: a period of the vibration, enlarged so that it can be seen.
void write_mode_pictures(const EngineJob& job, const Modes& modes);

}  // namespace freeplay
