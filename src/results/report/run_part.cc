#include "freeplay/results/report/joint_table.h"
#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/motion_data.h"
#include "freeplay/results/report/run_results.h"
#include "freeplay/results/report/verdict.h"
#include "report_parts.h"

namespace freeplay {

namespace {

using nlohmann::json;

/// Which columns are parts of the energy ledger. Null: the history has none.
json energy_columns(const HistoryData& history) {
  const auto those_there = [&](std::initializer_list<const char*> names) {
    json there = json::array();
    for (const char* name : names)
      if (history.has(name)) there.push_back(name);
    return there;
  };
  json energy{
      {"stored",
       those_there({"energy.kinetic", "energy.elastic", "energy.gravity", "energy.contact", "energy.friction_state"})},
      {"input", those_there({"work.loads", "work.drives"})},
      {"lost", those_there({"loss.friction", "loss.contact", "loss.damping", "loss.numerical", "loss.projection"})},
      {"residual", nullptr}};
  if (history.has("ledger.residual")) energy["residual"] = "ledger.residual";
  return energy["stored"].empty() ? json(nullptr) : energy;
}

}  // namespace

void add_run(const std::filesystem::path& directory, bool is_being_written, json& data) {
  RunResults results(directory);
  results.is_being_written = is_being_written;
  add_title(results.summary, data);
  // A killed run has no summary.
  if (data["title"] == "") data["title"] = resolved_value(results.resolved, {"title"});
  data["verdict"] = run_verdict(results);
  data["joints"] = joint_table(results);
  data["history"] = results.history.json();
  data["samples"] = results.history.samples_json();
  data["events"] = results.events.json();
  data["energy"] = energy_columns(results.history);
  data["motion"] = motion_json(directory / "motion.bin", results.scene);
  data["scene"] = std::move(results.scene);
}

}  // namespace freeplay
