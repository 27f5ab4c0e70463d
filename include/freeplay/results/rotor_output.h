#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "freeplay/analysis/campbell.h"
#include "freeplay/analysis/rotor_response.h"
#include "freeplay/results/engine_job.h"

namespace freeplay {

/// What `freeplay campbell` prints.
std::string campbell_table(const EngineJob& job, const Campbell& campbell);
nlohmann::ordered_json campbell_json(const EngineJob& job, const Campbell& campbell);
std::string campbell_csv(const Campbell& campbell);

/// What `freeplay response` prints.
std::string response_table(const EngineJob& job, const RotorResponse& response);
nlohmann::ordered_json response_json(const EngineJob& job, const RotorResponse& response);
std::string response_csv(const RotorResponse& response);

}  // namespace freeplay
