#include <cstdio>

#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/motion_data.h"
#include "freeplay/results/report/verdict.h"
#include "report_parts.h"

namespace freeplay {

namespace {

using nlohmann::json;

std::string text_of_factor(const json& factor) {
  if (factor.is_number()) {
    char text[64];
    std::snprintf(text, sizeof text, "at %.4g times the loads", factor.get<double>());
    return text;
  }
  return factor.is_string() ? factor.get<std::string>() : "";
}

json rows_of(const json& certificate) {
  json rows = json::array();
  const auto add_answer = [&](const char* label, const char* key) {
    const std::string answer = text_or(certificate, key, "");
    if (!answer.empty()) rows.push_back(verdict_row(label, answer, answer == "yes" ? "ok" : "warn"));
  };
  add_answer("rest is possible", "rest_is_possible");
  add_answer("rest is guaranteed", "rest_is_guaranteed");
  for (const auto& [label, key] :
       {std::pair{"first possible slip", "first_possible_slip"}, {"certain slip", "certain_slip"}}) {
    const std::string factor = text_of_factor(member(certificate, key));
    if (!factor.empty()) rows.push_back(verdict_row(label, factor));
  }
  const json& open = member(certificate, "not_decided");
  if (open.is_array() && !open.empty())
    rows.push_back(verdict_row("not decided", std::to_string(open.size()) + " questions", "warn"));
  return rows;
}

}  // namespace

void add_stiction(const std::filesystem::path& directory, nlohmann::json& data) {
  nlohmann::json results = read_json(directory / "stiction.json");
  add_title(results, data);
  const bool is_whole = !results.is_null();
  data["verdict"] = {{"status", is_whole ? "finished" : "failed"},
                     {"message", is_whole ? "" : "stiction.json is damaged"},
                     {"rows", rows_of(results)},
                     {"warnings", nlohmann::json::array()}};
  data["stiction"] = std::move(results);
  nlohmann::json scene = read_json(directory / "scene.json");
  data["motion"] = motion_json(directory / "motion.bin", scene);
  data["scene"] = std::move(scene);
}

}  // namespace freeplay
