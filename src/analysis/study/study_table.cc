#include "freeplay/analysis/study/study_table.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "freeplay/analysis/bench/measurement.h"
#include "freeplay/base/csv_cell.h"
#include "freeplay/base/exit_code.h"
#include "freeplay/base/output_file.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

const char* const outcome_file = "case.json";

/// Keeps the processes of mpirun from writing the table at the same time: the last to write sees what all have done.
class TableLock {
 public:
  explicit TableLock(const fs::path& directory)
      : descriptor_(::open((directory / ".study.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  ~TableLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  TableLock(const TableLock&) = delete;
  TableLock& operator=(const TableLock&) = delete;

 private:
  int descriptor_;
};

/// What a case with this end would do again.
bool is_final(int exit_code) {
  return exit_code == exit_ok || exit_code == exit_numerical_failure || exit_code == exit_input_error;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

/// As many as there are in the files that the number is from.
std::string twelve_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

}  // namespace

void write_outcome(const fs::path& directory, const CaseOutcome& outcome) {
  const nlohmann::ordered_json json{
      {"exit_code", outcome.exit_code}, {"seconds", outcome.seconds}, {"message", outcome.message}};
  fs::create_directories(directory);
  replace_file(directory / outcome_file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::optional<CaseOutcome> read_outcome(const fs::path& directory) {
  std::ifstream file(directory / outcome_file);
  if (!file) return std::nullopt;
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const CaseOutcome outcome{json.value("exit_code", -1), json.value("seconds", 0.0), json.value("message", "")};
  if (!is_final(outcome.exit_code)) return std::nullopt;
  return outcome;
}

StudyTable::StudyTable(const Study& study, const std::vector<StudyCase>& cases, const fs::path& directory)
    : study_(study), cases_(cases), directory_(directory), rows_(cases.size()) {}

void StudyTable::update() {
  const TableLock lock(directory_);
  for (std::size_t i = 0; i < cases_.size(); ++i)
    if (!rows_[i]) rows_[i] = read_row(cases_[i]);
  replace_file(directory_ / "study.csv", text());
}

std::optional<StudyTable::Row> StudyTable::read_row(const StudyCase& study_case) const {
  const fs::path results = directory_ / study_case.run.name;
  const std::optional<CaseOutcome> outcome = read_outcome(results);
  if (!outcome) return std::nullopt;
  Row row;
  row.outcome = *outcome;
  for (const StudyResult& result : study_.results) {
    row.results.emplace_back();
    row.units.emplace_back();
    if (outcome->exit_code != exit_ok) continue;  // a value of half a run would look like one of a whole
    try {
      const Measurement measurement = take(result.measure, results);
      row.results.back() = twelve_digits(measurement.value);
      row.units.back() = measurement.unit;
    } catch (const NoMeasurement& error) {
      row.outcome.message += (row.outcome.message.empty() ? "" : "; ") + result.name + ": " + error.what();
    }
  }
  return row;
}

std::string StudyTable::text() const {
  std::vector<std::string> header{"case"};
  for (const std::string& name : varied_columns(study_)) header.push_back(name);
  for (std::size_t r = 0; r < study_.results.size(); ++r) {
    std::string unit;
    for (const auto& row : rows_)
      if (row && unit.empty()) unit = row->units[r];
    header.push_back(study_.results[r].name + (unit.empty() || unit == "1" ? "" : " [" + unit + "]"));
  }
  for (const char* name : {"exit_code", "seconds", "message"}) header.emplace_back(name);
  std::string text = line_of(header);
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (!rows_[i]) continue;
    std::vector<std::string> cells{cases_[i].run.name};
    cells.insert(cells.end(), cases_[i].cells.begin(), cases_[i].cells.end());
    cells.insert(cells.end(), rows_[i]->results.begin(), rows_[i]->results.end());
    cells.push_back(std::to_string(rows_[i]->outcome.exit_code));
    cells.push_back(rounded_text(rows_[i]->outcome.seconds));
    cells.push_back(rows_[i]->outcome.message);
    text += line_of(cells);
  }
  return text;
}

}  // namespace freeplay
