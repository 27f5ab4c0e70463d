#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace freeplay {

// JSON files of runs that were killed, or that somebody has edited: nothing here throws.

/// Null if the file is missing or is no JSON.
nlohmann::json read_json(const std::filesystem::path& file);

/// A member of an object; null if there is no such.
const nlohmann::json& member(const nlohmann::json& object, const std::string& key);

/// A member of an object, or the other one if there is no such number or text.
double number_or(const nlohmann::json& object, const std::string& key, double otherwise);
std::string text_or(const nlohmann::json& object, const std::string& key, const std::string& otherwise);

}  // namespace freeplay
