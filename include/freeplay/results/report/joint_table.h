#pragma once

#include <nlohmann/json_fwd.hpp>

#include "freeplay/results/report/run_results.h"

namespace freeplay {

/// The table of joints: an entry per joint of scene.json or, in results that have none, of summary.json.
nlohmann::json joint_table(const RunResults& results);

}  // namespace freeplay
