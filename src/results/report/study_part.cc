#include <algorithm>
#include <cmath>
#include <set>

#include "freeplay/analysis/study/study.h"
#include "freeplay/base/csv_cell.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/results/report/csv_lines.h"
#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/mapped_file.h"
#include "freeplay/results/report/verdict.h"
#include "report_parts.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// `NAME [UNIT]`
json named_unit(const std::string& header) {
  const std::size_t bracket = header.find(" [");
  const bool has_unit = bracket != std::string::npos && header.ends_with(']');
  return {{"name", has_unit ? header.substr(0, bracket) : header},
          {"unit", has_unit ? header.substr(bracket + 2, header.size() - bracket - 3) : ""}};
}

json study_value(const std::string& cell) {
  if (cell.empty()) return nullptr;
  const double number = number_in(cell);
  return std::isnan(number) ? json(cell) : json(number);
}

json link_to(const fs::path& directory, const std::string& name) {
  std::error_code ignored;
  const std::string file = name + "/report.html";
  return fs::is_regular_file(directory / file, ignored) ? json(file) : json(nullptr);
}

/// What the study file says; nothing if it is missing or damaged, for the table tells most of it.
struct StudyPlan {
  std::string title, model;
  std::size_t n_parameters = 0;
  std::vector<StudyCase> cases;

  explicit StudyPlan(const fs::path& file) {
    Diagnostics diagnostics;
    try {
      // Errors were told when the study ran; what is wrong is left out.
      const Study study = read_study(file.string(), diagnostics);
      title = study.title;
      model = study.model;
      n_parameters = varied_columns(study).size();
      cases = study_cases(study);
    } catch (const std::exception&) {
    }
  }
};

/// study.csv: case, parameters, results, exit_code, seconds, message.
class StudyRows {
 public:
  StudyRows(const fs::path& directory, const StudyPlan& plan) : directory_(directory) {
    const MappedFile file(directory / "study.csv");
    Lines lines(file.text());
    const auto header = lines.next();
    if (!header) return;
    header_ = csv_cells(*header);
    if (header_.size() < n_others) return;
    const std::size_t n_values = header_.size() - n_others;
    n_parameters_ = std::min(plan.n_parameters, n_values);
    while (const auto line = lines.next()) add(csv_cells(*line));
    for (const StudyCase& each : plan.cases)
      if (!names_.contains(each.run.name)) add_missing(each, n_values);
  }

  json parameters() const { return headers(1, 1 + n_parameters_); }
  json results() const { return headers(1 + n_parameters_, header_.size() < n_others ? 0 : header_.size() - 3); }
  const json& rows() const { return rows_; }
  std::size_t n_failed() const { return n_failed_; }
  std::size_t n_missing() const { return n_missing_; }

 private:
  static constexpr std::size_t n_others = 4;

  json headers(std::size_t begin, std::size_t end) const {
    json list = json::array();
    for (std::size_t k = begin; k < end; ++k) list.push_back(named_unit(header_[k]));
    return list;
  }

  void add(const std::vector<std::string>& cells) {
    if (cells.size() != header_.size()) return;
    const std::size_t end = cells.size() - 3;
    json values = json::array();
    for (std::size_t k = 1; k < end; ++k) values.push_back(study_value(cells[k]));
    const bool finished = cells[end] == "0";
    n_failed_ += !finished;
    names_.insert(cells[0]);
    rows_.push_back({{"case", cells[0]},
                     {"status", finished ? "finished" : "failed"},
                     {"exit_code", study_value(cells[end])},
                     {"message", cells[end + 2]},
                     {"values", values},
                     {"link", link_to(directory_, cells[0])}});
  }

  void add_missing(const StudyCase& each, std::size_t n_values) {
    json values = json::array();
    for (std::size_t k = 0; k < n_values; ++k)
      values.push_back(k < each.cells.size() ? study_value(each.cells[k]) : json(nullptr));
    ++n_missing_;
    rows_.push_back({{"case", each.run.name},
                     {"status", "missing"},
                     {"exit_code", nullptr},
                     {"message", ""},
                     {"values", values},
                     {"link", nullptr}});
  }

  fs::path directory_;
  std::vector<std::string> header_;
  std::size_t n_parameters_ = 0, n_failed_ = 0, n_missing_ = 0;
  std::set<std::string> names_;
  json rows_ = json::array();
};

}  // namespace

void add_study(const fs::path& directory, bool is_being_written, json& data) {
  const StudyPlan plan(directory / "study.yaml");
  const StudyRows table(directory, plan);
  data["title"] = plan.title;
  data["model_file"] = plan.model;
  const std::string status = is_being_written ? "running" : table.n_missing() > 0 ? "interrupted" : "finished";
  json rows = json::array();
  rows.push_back(verdict_row(
      "cases",
      std::to_string(table.rows().size() - table.n_missing()) + " of " + std::to_string(table.rows().size()) + " done",
      table.n_missing() > 0 ? "warn" : "ok"));
  rows.push_back(verdict_row("failed", std::to_string(table.n_failed()), table.n_failed() > 0 ? "warn" : "ok"));
  const std::string message = status == "interrupted" ? "cases are missing; `freeplay study --continue` does them" : "";
  data["verdict"] = {{"status", status}, {"message", message}, {"rows", rows}, {"warnings", json::array()}};
  data["study"] = {{"parameters", table.parameters()}, {"results", table.results()}, {"rows", table.rows()}};
}

}  // namespace freeplay
