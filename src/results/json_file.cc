#include "freeplay/results/json_file.h"

#include <nlohmann/json.hpp>

#include "freeplay/base/output_file.h"

namespace freeplay {

namespace {

template <class Json>
std::string text_of(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string json_text(const nlohmann::json& value) { return text_of(value); }
std::string json_text(const nlohmann::ordered_json& value) { return text_of(value); }

void write_json_file(const std::filesystem::path& path, const nlohmann::json& value) {
  replace_file(path, json_text(value));
}

}  // namespace freeplay
