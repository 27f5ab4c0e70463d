#pragma once

#include <nlohmann/json_fwd.hpp>

#include "freeplay/results/report/run_results.h"

namespace freeplay {

/// How a run ended, how exact it is and what to be careful about: what the report begins with.
nlohmann::json run_verdict(const RunResults& results);

/// A row of a verdict. `level` is ok, warn or bad.
nlohmann::json verdict_row(const std::string& label, const std::string& value, const std::string& level = "ok");

}  // namespace freeplay
