#include "freeplay/results/report/verdict.h"

#include <cmath>
#include <cstdio>

#include "freeplay/results/report/json_access.h"

namespace freeplay {

namespace {

using nlohmann::json;

template <class... Values>
std::string formatted_text(const char* format, Values... values) {
  char buffer[300];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

struct RunStatus {
  std::string status, message;
};

RunStatus status_of(const RunResults& results) {
  if (results.is_being_written) return {"running", "the run has not ended yet: these are its results so far"};
  const std::string in_summary = text_or(results.summary, "status", "");
  if (in_summary.empty())
    return {"interrupted", "the run was killed, or it still goes on: there is no complete summary.json"};
  if (results.summary_is_old())
    return {"interrupted", formatted_text("the run was continued and then killed: it reached t = %.6g s",
                                          results.history.last_time())};
  if (in_summary != "finished" && in_summary != "failed" && in_summary != "interrupted")
    return {"interrupted", "summary.json has the unknown status '" + in_summary + "'"};
  return {in_summary, text_or(results.summary, "message", "")};
}

void add_reached(const RunResults& results, const RunStatus& status, json& rows) {
  const std::string level = status.status == "finished" ? "ok" : "warn";
  const json& time = member(results.summary, "time");
  const json& load = member(results.summary, "load_factor");
  if (results.summary_is_old() || (time.is_null() && load.is_null())) {
    if (results.history.n_rows() > 0)
      rows.push_back(verdict_row(
          "reached", formatted_text("%s = %.6g", results.history.names()[0].c_str(), results.history.last_time()),
          level));
  } else if (!load.is_null()) {
    rows.push_back(
        verdict_row("reached", formatted_text("load factor %.6g of 1", number_or(load, "reached", 0.0)), level));
  } else {
    rows.push_back(verdict_row(
        "reached", formatted_text("t = %.6g s of %.6g s", number_or(time, "reached", 0.0), number_or(time, "end", 0.0)),
        level));
  }
}

void add_accuracy(const RunResults& results, json& rows) {
  const std::string step = resolved_value(results.resolved, {"analysis", "dynamic", "step"});
  const std::string tolerance = resolved_value(results.resolved, {"analysis", "dynamic", "tolerance"});
  if (!step.empty())
    rows.push_back(verdict_row(
        "accuracy", "fixed steps of " + step + ": the error is not controlled; `freeplay verify` tells it", "warn"));
  else if (!tolerance.empty())
    rows.push_back(verdict_row("accuracy",
                               "tolerance " + tolerance +
                                   ": error of the displacement of each body in a step, relative to that displacement; "
                                   "`freeplay verify` tells what it means for each result"));
}

void add_ledger(const json& summary, json& rows) {
  const json& ledger = member(summary, "ledger");
  if (!member(ledger, "residual").is_number()) return;
  const double relative = number_or(ledger, "relative_residual", 0.0);
  // Round-off grows slowly with the steps; more than this is a mistake of the program or of its use.
  constexpr double round_off = 1e-9, visible = 1e-5;
  rows.push_back(verdict_row("energy balance",
                             formatted_text("open by %.2g J (%.1g of the largest energy)",
                                            std::abs(number_or(ledger, "residual", 0.0)), relative),
                             relative < round_off ? "ok"
                             : relative < visible ? "warn"
                                                  : "bad"));
}

void add_numerical_loss(const json& summary, json& rows) {
  const double largest = number_or(member(summary, "ledger"), "largest_energy", 0.0);
  const json& loss = member(summary, "loss");
  if (!(largest > 0.0) || loss.is_null()) return;
  const double numerical = number_or(loss, "numerical", 0.0), projection = number_or(loss, "projection", 0.0);
  const double part = (std::abs(numerical) + std::abs(projection)) / largest;
  constexpr double noticeable = 0.02;
  rows.push_back(
      verdict_row("numerical loss",
                  formatted_text("%.2g J by numerical damping, %.2g J by corrections of velocities: %.2g %% of the "
                                 "largest energy",
                                 numerical, projection, 100.0 * part),
                  part < noticeable ? "ok" : "warn"));
}

void add_steps(const json& summary, json& rows) {
  const json& steps = member(summary, "steps");
  if (steps.is_null()) return;
  const double accepted = number_or(steps, "accepted", 0.0);
  double rejected = 0.0;
  std::string causes;
  const json& by_cause = member(steps, "rejected");
  if (by_cause.is_object())
    for (const auto& [cause, count] : by_cause.items()) {
      if (!count.is_number() || count.get<double>() == 0.0) continue;
      rejected += count.get<double>();
      std::string words = cause;
      for (char& c : words) c = c == '_' ? ' ' : c;
      causes += (causes.empty() ? " (" : ", ") + formatted_text("%.0f ", count.get<double>()) + words;
    }
  if (!causes.empty()) causes += ")";
  rows.push_back(
      verdict_row("steps",
                  formatted_text("%.0f, dt %.3g ... %.3g s; %.0f rejected", accepted, number_or(steps, "smallest", 0.0),
                                 number_or(steps, "largest", 0.0), rejected) +
                      causes,
                  rejected > accepted ? "warn" : "ok"));
}

void add_redundancy(const json& summary, json& rows) {
  const json& redundant = member(member(summary, "size"), "redundant_equations");
  if (!redundant.is_array()) return;
  if (redundant.empty()) return rows.push_back(verdict_row("redundant equations", "none: all joint forces are unique"));
  constexpr std::size_t few = 6;
  std::string names;
  for (std::size_t k = 0; k < std::min(few, redundant.size()); ++k)
    if (redundant[k].is_string()) names += (names.empty() ? "" : ", ") + redundant[k].get<std::string>();
  if (redundant.size() > few) names += ", ...";
  rows.push_back(verdict_row("redundant equations",
                             std::to_string(redundant.size()) + " dropped (" + names +
                                 "): joint forces that share a load with them are not unique",
                             "warn"));
}

void add_seconds(const json& summary, json& rows) {
  const json& seconds = member(summary, "seconds");
  if (seconds.is_null()) return;
  rows.push_back(verdict_row("wall time", formatted_text("%.3g s", number_or(seconds, "total", 0.0))));
}

}  // namespace

json verdict_row(const std::string& label, const std::string& value, const std::string& level) {
  return {{"label", label}, {"value", value}, {"level", level}};
}

json run_verdict(const RunResults& results) {
  const RunStatus status = status_of(results);
  json rows = json::array();
  add_reached(results, status, rows);
  add_accuracy(results, rows);
  const json& summary = results.summary;
  if (!results.summary_is_old()) {
    add_ledger(summary, rows);
    add_numerical_loss(summary, rows);
    add_steps(summary, rows);
    add_redundancy(summary, rows);
    add_seconds(summary, rows);
  }
  if (results.history.n_rows() == 0) rows.push_back(verdict_row("history", "no row was written", "bad"));
  return {{"status", status.status}, {"message", status.message}, {"rows", rows}, {"warnings", results.warnings}};
}

}  // namespace freeplay
