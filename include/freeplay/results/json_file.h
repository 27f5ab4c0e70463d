#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace freeplay {

/// Writes `value` in one step (old file or new, never a part). Numbers keep their full precision; numbers that are not
/// finite become null, since JSON has none. std::runtime_error if the file cannot be written.
void write_json_file(const std::filesystem::path& path, const nlohmann::json& value);

}  // namespace freeplay
