#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/base/names.h"
#include "freeplay/base/units.h"
#include "freeplay/results/report/history_data.h"
#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/verdict.h"
#include "report_parts.h"
#include "shape_file.h"

namespace freeplay {

namespace {

using nlohmann::json;

constexpr double rad_s_per_rpm = 2.0 * std::numbers::pi / 60.0;

std::string rpm_text(double speed) { return rounded_text(std::round(10.0 * speed / rad_s_per_rpm) / 10.0) + " rpm"; }

std::size_t size_of_list(const json& list) { return list.is_array() ? list.size() : 0; }

/// Where all frames stand, and for each point of `shapes_at` its shapes.
json shapes_of(const std::filesystem::path& directory, const json& results, std::size_t n_shapes, json& data) {
  json scene = read_json(directory / "scene.json");
  ShapeFile file(directory / "modes.bin", scene);
  json base = file.base(), points = json::array();
  const json& numbers = member(results, "shapes_at");
  for (std::size_t k = 0; k < size_of_list(numbers); ++k) {
    json list = json::array();
    for (std::size_t m = 0; m < n_shapes; ++m) {
      json real = file.real(), imaginary = file.imaginary();
      list.push_back({{"real", std::move(real)}, {"imaginary", std::move(imaginary)}});
    }
    points.push_back({{"point", numbers[k]}, {"shapes", std::move(list)}});
  }
  if (!base.is_null()) data["scene"] = std::move(scene);
  return {{"base", std::move(base)}, {"points", std::move(points)}};
}

json row_of_speeds(const json& results) {
  const json& speeds = member(results, results.contains("speeds") ? "speeds" : "speed");
  if (size_of_list(speeds) == 0 || !speeds.front().is_number() || !speeds.back().is_number())
    return verdict_row("speeds", "none", "warn");
  const double first = speeds.front(), last = speeds.back();
  return verdict_row("speeds", first == last ? rpm_text(first) : rpm_text(first) + " ... " + rpm_text(last));
}

json verdict_of(const json& results, const char* file, json rows) {
  const bool is_whole = results.is_object();
  std::vector<std::string> notes;
  for (const json& note : member(results, "notes"))
    if (note.is_string()) notes.push_back(note);
  if (!notes.empty()) rows.push_back(verdict_row("left out", joined(notes, "; ")));
  return {{"status", is_whole ? "finished" : "failed"},
          {"message", is_whole ? "" : std::string(file) + " is damaged"},
          {"rows", std::move(rows)},
          {"warnings", json::array()}};
}

json row_of_critical_speeds(const json& results) {
  constexpr std::size_t few = 4;
  std::vector<std::string> speeds;
  const json& list = member(results, "critical_speeds");
  for (const json& critical : list)
    if (speeds.size() < few)
      speeds.push_back(rpm_text(number_or(critical, "speed", 0.0)) + " (" + text_or(critical, "whirl", "") + ")");
  if (list.size() > few) speeds.push_back("...");
  return verdict_row("critical speeds", speeds.empty() ? "none in this range" : joined(speeds));
}

json row_of_stability(const json& results) {
  const json& limit = member(results, "stability_limit");
  if (!limit.is_object()) return verdict_row("stability", "stable at all these speeds");
  const std::string from = member(limit, "below_first_speed") == true ? "unstable already at " : "unstable from ";
  return verdict_row("stability", from + rpm_text(number_or(limit, "speed", 0.0)), "warn");
}

/// Of each place and force: its largest amplitude and where that is.
json peaks_of(const json& results) {
  json peaks = json::array();
  const json& speeds = member(results, "speed");
  const json& frequencies = member(results, "frequency_hz");
  for (const json& quantity : member(results, "quantities")) {
    const json& largest = member(quantity, "largest");
    const std::size_t n = std::min({size_of_list(largest), size_of_list(speeds), size_of_list(frequencies)});
    std::size_t best = n;
    for (std::size_t k = 0; k < n; ++k)
      if (largest[k].is_number() && (best == n || largest[k] > largest[best])) best = k;
    if (best == n) continue;
    peaks.push_back({{"name", text_or(quantity, "name", "")},
                     {"what", text_or(quantity, "what", "")},
                     {"unit", text_or(quantity, "unit", "")},
                     {"largest", largest[best]},
                     {"speed", speeds[best]},
                     {"hz", frequencies[best]},
                     {"point", best}});
  }
  return peaks;
}

}  // namespace

void add_campbell(const std::filesystem::path& directory, json& data) {
  json results = read_json(directory / "campbell.json");
  add_title(results, data);
  data["verdict"] = verdict_of(results, "campbell.json",
                               {row_of_speeds(results), row_of_critical_speeds(results), row_of_stability(results)});
  data["shapes"] = shapes_of(directory, results, size_of_list(member(results, "modes")), data);
  data["campbell"] = std::move(results);
}

void add_response(const std::filesystem::path& directory, json& data) {
  const json results = read_json(directory / "response.json");
  add_title(results, data);
  data["verdict"] =
      verdict_of(results, "response.json",
                 {row_of_speeds(results), verdict_row("response to", text_or(results, "response_to", ""))});
  data["shapes"] = shapes_of(directory, results, 1, data);
  data["response"] = {{"to", text_or(results, "response_to", "")},
                      {"axes", text_or(results, "axes", "")},
                      {"speed", member(results, "speed")},
                      {"frequency_hz", member(results, "frequency_hz")},
                      {"peaks", peaks_of(results)}};
  data["history"] = HistoryData(directory / "response.csv").json();
}

}  // namespace freeplay
