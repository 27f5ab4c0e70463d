#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/verdict.h"
#include "report_parts.h"
#include "shape_file.h"

namespace freeplay {

namespace {

using nlohmann::json;

std::string note_of(const json& results) {
  const std::string about = text_or(results, "about", "");
  if (about == "assembled") return "about the assembled position, without gravity and loads";
  if (about == "static") return "about the position of rest under gravity and loads";
  if (about == "rotation")
    return "about steady rotation at " + json(number_or(results, "speed", 0.0)).dump() +
           " rad/s, as seen by an observer who turns with it";
  return "";
}

}  // namespace

void add_modes(const std::filesystem::path& directory, json& data) {
  const json results = read_json(directory / "modes.json");
  add_title(results, data);
  json scene = read_json(directory / "scene.json");
  ShapeFile shapes(directory / "modes.bin", scene);
  json base = shapes.base();
  json modes = json::array();
  int n_unstable = 0;
  if (member(results, "modes").is_array())
    for (const json& mode : results["modes"]) {
      json real = shapes.real(), imaginary = shapes.imaginary();
      n_unstable += text_or(mode, "kind", "") == "unstable";
      modes.push_back({{"number", member(mode, "number")},
                       {"hz", member(mode, "frequency_hz")},
                       {"rad_s", member(mode, "angular_frequency")},
                       {"damping_ratio", member(mode, "damping_ratio")},
                       {"decay_rate", member(mode, "decay_rate")},
                       {"kind", text_or(mode, "kind", "")},
                       {"moves_most", text_or(mode, "body", "")},
                       {"share", member(mode, "body_share")},
                       {"real", std::move(real)},
                       {"imaginary", std::move(imaginary)}});
    }
  json rows = json::array();
  rows.push_back(verdict_row("modes", std::to_string(modes.size()) + " found " + note_of(results)));
  if (n_unstable > 0)
    rows.push_back(
        verdict_row("stability", std::to_string(n_unstable) + " of them grow: the state is not stable", "bad"));
  const bool is_whole = !results.is_null();
  data["verdict"] = {{"status", is_whole ? "finished" : "failed"},
                     {"message", is_whole ? "" : "modes.json is damaged"},
                     {"rows", rows},
                     {"warnings", json::array()}};
  data["modes"] = {{"base", std::move(base)}, {"modes", std::move(modes)}, {"note", note_of(results)}};
  if (!data["modes"]["base"].is_null()) data["scene"] = std::move(scene);
}

}  // namespace freeplay
