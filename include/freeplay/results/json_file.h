#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace freeplay {

/// As text with an end of line. Numbers keep their full precision; numbers that are not finite become null, since JSON
/// has none. Bytes that are not UTF-8, in a name or a title, are marked: they must not cost the user a result.
std::string json_text(const nlohmann::json& value);
std::string json_text(const nlohmann::ordered_json& value);

/// Writes `value` in one step (old file or new, never a part). std::runtime_error if the file cannot be written.
void write_json_file(const std::filesystem::path& path, const nlohmann::json& value);

}  // namespace freeplay
