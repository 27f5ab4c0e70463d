#include <ctime>
#include <nlohmann/json.hpp>

#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/mapped_file.h"
#include "freeplay/results/report/report.h"
#include "freeplay/results/report/run_results.h"
#include "report_parts.h"
#include "sha256.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

const char* name_of(ResultsKind kind) {
  switch (kind) {
    case ResultsKind::run:
      return "run";
    case ResultsKind::modes:
      return "modes";
    case ResultsKind::campbell:
      return "campbell";
    case ResultsKind::response:
      return "response";
    case ResultsKind::stiction:
      return "stiction";
    case ResultsKind::study:
      break;
  }
  return "study";
}

json texts_in(const fs::path& directory) {
  json texts = json::array();
  const auto add = [&](const char* title, const char* file) {
    std::string text = shown_text(directory / file);
    if (!text.empty()) texts.push_back({{"title", title}, {"file", file}, {"text", std::move(text)}});
  };
  add("Study", "study.yaml");
  add("Model", "model.yaml");
  add("Resolved model", "resolved.yaml");
  add("Log", "run.log");
  return texts;
}

json provenance_of(const fs::path& directory, const json& data) {
  json rows = json::array();
  const auto add = [&](const char* label, const std::string& value) {
    if (!value.empty()) rows.push_back({label, value});
  };
  add("model file", data["model_file"]);
  for (const char* file : {"study.yaml", "model.yaml", "resolved.yaml"}) {
    const MappedFile content(directory / file);
    if (!content.text().empty()) add((std::string(file) + " sha256").c_str(), sha256(content.text()));
  }
  std::error_code ignored;
  add("results", fs::absolute(directory, ignored).lexically_normal().string());
  add("report made by", data["version"]);
  add("report made", data["made"]);
  return rows;
}

}  // namespace

void add_title(const json& results, json& data) {
  data["title"] = text_or(results, "title", "");
  data["model_file"] = text_or(results, "model", "");
}

json report_data(const fs::path& directory, const ReportMaker& maker) {
  const ResultsKind kind = kind_of_results(directory);
  json data{{"format", 1},
            {"kind", name_of(kind)},
            {"title", ""},
            {"model_file", ""},
            {"made", now()},
            {"version", maker.version},
            {"verdict", nullptr},
            {"scene", nullptr},
            {"motion", nullptr},
            {"history", nullptr},
            {"samples", nullptr},
            {"events", nullptr},
            {"joints", json::array()},
            {"energy", nullptr}};
  const bool is_being_written = !maker.is_writing_them && is_locked_by_another(directory);
  switch (kind) {
    case ResultsKind::run:
      add_run(directory, is_being_written, data);
      break;
    case ResultsKind::modes:
      add_modes(directory, data);
      break;
    case ResultsKind::campbell:
      add_campbell(directory, data);
      break;
    case ResultsKind::response:
      add_response(directory, data);
      break;
    case ResultsKind::stiction:
      add_stiction(directory, data);
      break;
    case ResultsKind::study:
      add_study(directory, is_being_written, data);
      break;
  }
  if (data["title"] == "") {
    const fs::path name = directory.has_filename() ? directory.filename() : directory.parent_path().filename();
    data["title"] = name.string();
  }
  data["texts"] = texts_in(directory);
  data["provenance"] = provenance_of(directory, data);
  return data;
}

}  // namespace freeplay
