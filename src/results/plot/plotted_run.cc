#include "freeplay/results/plot/plotted_run.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "freeplay/base/csv_cell.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/units.h"
#include "freeplay/deck/model_file.h"
#include "freeplay/deck/node.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

/// What to do where there is no history.csv.
std::string remedy(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& [file, what] : {std::pair{"modes.json", "it has natural frequencies, which have no history"},
                                   {"stiction.json", "it has a certificate; its picture is stiction.svg"},
                                   {"campbell.csv", "it has a Campbell diagram: add --campbell"}})
    if (fs::exists(directory / file, ignored)) return what;
  for (const fs::directory_entry& each : fs::directory_iterator(directory, ignored))
    if (fs::exists(each.path() / "history.csv", ignored))
      return "give directories of runs in it, such as " + each.path().string();
  return "give the directory of the results of `freeplay run`";
}

/// What cannot be read is taken as not there: a run may have been killed at any moment.
std::optional<ModelSpec> model_of(const fs::path& directory) {
  try {
    const std::string file = (directory / "resolved.yaml").string();
    return read_model_text(read_text_file(file), file, {});
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

nlohmann::json summary_of(const fs::path& directory) {
  std::ifstream stream(directory / "summary.json");
  return nlohmann::json::parse(stream, nullptr, false);
}

}  // namespace

PlottedRun::PlottedRun(const fs::path& directory) : directory_(directory) {
  if (directory_.filename() == "history.csv") directory_ = directory_.parent_path();
  std::error_code ignored;
  if (!fs::exists(directory_ / "history.csv", ignored))
    throw InputError("error: there is no history.csv in '" + directory_.string() + "': " + remedy(directory_));
  history_.emplace(directory_ / "history.csv");
  if (history_->columns().empty())
    throw InputError("error: " + history_->file().string() + " is empty: the run ended before it wrote anything");
}

std::vector<PlottedEvent> PlottedRun::events() const {
  std::ifstream stream(directory_ / "events.csv");
  std::vector<PlottedEvent> events;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line) && !stream.eof()) {
    const std::vector<std::string> cells = csv_cells(line);
    double time = 0.0;
    if (cells.size() < 3 || std::from_chars(cells[0].data(), cells[0].data() + cells[0].size(), time).ec != std::errc())
      continue;
    events.push_back({time, cells[1], cells[2]});
  }
  return events;
}

std::string PlottedRun::title() const {
  const std::optional<ModelSpec> model = model_of(directory_);
  return model ? model->title : "";
}

std::string PlottedRun::trouble() const {
  const nlohmann::json summary = summary_of(directory_);
  if (!summary.is_object()) return "not finished: still running, or killed";
  const std::string status = summary.value("status", "");
  if (status == "finished") return "";
  const nlohmann::json reached = summary.value("time", nlohmann::json::object()).value("reached", nlohmann::json());
  return status + (reached.is_number() ? " at t = " + rounded_text(reached.get<double>()) + " s" : "");
}

std::optional<double> PlottedRun::clearance_of(const std::string& joint) const {
  const std::optional<ModelSpec> model = model_of(directory_);
  if (!model) return std::nullopt;
  const auto found = std::ranges::find(model->clearances, joint, &ClearanceSpec::name);
  if (found == model->clearances.end()) return std::nullopt;
  const double clearance = found->bearing_radius - found->journal_radius;
  return found->journal_radius > 0.0 && clearance > 0.0 ? std::optional(clearance) : std::nullopt;
}

std::vector<std::string> names_of(const std::vector<PlottedRun>& runs) {
  std::vector<fs::path> rest, names(runs.size());
  for (const PlottedRun& run : runs) {
    const fs::path path = fs::absolute(run.directory()).lexically_normal();
    rest.push_back(path.has_filename() ? path : path.parent_path());
  }
  const auto differ = [&] { return std::set(names.begin(), names.end()).size() == names.size(); };
  do {
    for (std::size_t k = 0; k < names.size(); ++k) {
      names[k] = names[k].empty() ? rest[k].filename() : rest[k].filename() / names[k];
      rest[k] = rest[k].parent_path();
    }
  } while (!differ() && std::ranges::any_of(rest, [](const fs::path& path) { return path.has_filename(); }));
  std::vector<std::string> texts;
  for (const fs::path& name : names) texts.push_back(name.string());
  return texts;
}

}  // namespace freeplay
