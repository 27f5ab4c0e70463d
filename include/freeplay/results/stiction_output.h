#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "freeplay/results/engine_job.h"

namespace freeplay {

/// The table of `freeplay stiction`.
std::string stiction_table(const EngineJob& job, const StictionReport& report);

/// The same for programs: `freeplay stiction --json` and stiction.json. Values without limit are null.
nlohmann::ordered_json stiction_json(const EngineJob& job, const StictionReport& report);

/// A bar for each force, from its lowest to its highest value, as SVG; unique ones are dots.
std::string stiction_picture(const EngineJob& job, const StictionReport& report);

}  // namespace freeplay
