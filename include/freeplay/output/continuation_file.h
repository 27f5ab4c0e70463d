#pragma once

#include <filesystem>
#include <string>

#include "freeplay/analysis/observer.h"

namespace freeplay {

/// A checkpoint is a Continuation in a file. `model_id` ties it to the model.
void write_continuation(const std::filesystem::path& path, const std::string& model_id,
                        const Continuation& continuation);
Continuation read_continuation(const std::filesystem::path& path, const std::string& model_id, const Model& model);

}  // namespace freeplay
