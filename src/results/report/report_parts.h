#pragma once

// The parts of a report that only one kind of results has.

#include <filesystem>
#include <nlohmann/json.hpp>

namespace freeplay {

/// Scene, motion, history, events, joints and energy of a run.
void add_run(const std::filesystem::path& directory, bool is_being_written, nlohmann::json& data);
void add_modes(const std::filesystem::path& directory, nlohmann::json& data);
void add_campbell(const std::filesystem::path& directory, nlohmann::json& data);
void add_response(const std::filesystem::path& directory, nlohmann::json& data);
void add_stiction(const std::filesystem::path& directory, nlohmann::json& data);
void add_study(const std::filesystem::path& directory, bool is_being_written, nlohmann::json& data);

/// Title and model file, as the JSON file of the results names them.
void add_title(const nlohmann::json& results, nlohmann::json& data);

}  // namespace freeplay
