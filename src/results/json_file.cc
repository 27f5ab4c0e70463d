#include "freeplay/results/json_file.h"

#include <nlohmann/json.hpp>

#include "freeplay/base/output_file.h"

namespace freeplay {

void write_json_file(const std::filesystem::path& path, const nlohmann::json& value) {
  // A name that is not UTF-8 must not cost the user the summary of a long run: `replace` marks the bad bytes.
  replace_file(path, value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace freeplay
