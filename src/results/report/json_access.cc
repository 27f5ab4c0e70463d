#include "freeplay/results/report/json_access.h"

#include <nlohmann/json.hpp>

#include "freeplay/results/report/mapped_file.h"

namespace freeplay {

nlohmann::json read_json(const std::filesystem::path& path) {
  const MappedFile file(path);
  nlohmann::json value = nlohmann::json::parse(file.text(), nullptr, false);
  return value.is_discarded() ? nlohmann::json(nullptr) : value;
}

const nlohmann::json& member(const nlohmann::json& object, const std::string& key) {
  static const nlohmann::json null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

double number_or(const nlohmann::json& object, const std::string& key, double otherwise) {
  const nlohmann::json& value = member(object, key);
  return value.is_number() ? value.get<double>() : otherwise;
}

std::string text_or(const nlohmann::json& object, const std::string& key, const std::string& otherwise) {
  const nlohmann::json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : otherwise;
}

}  // namespace freeplay
