#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/analysis/study/study.h"

namespace freeplay {

/// How a case has ended.
struct CaseOutcome {
  int exit_code = 0;
  double seconds = 0.0;
  std::string message;  ///< what went wrong
};

/// Writes that a case is done, into the directory of its results.
void write_outcome(const std::filesystem::path& directory, const CaseOutcome& outcome);

/// The outcome of a case that is done and need not be run again: it has finished, or it has failed in a way in which it
/// would fail again. Nothing for a case that was interrupted or killed, or has not begun.
std::optional<CaseOutcome> read_outcome(const std::filesystem::path& directory);

/// study.csv: a row for each case that is done.
class StudyTable {
 public:
  StudyTable(const Study& study, const std::vector<StudyCase>& cases, const std::filesystem::path& directory);

  /// Writes the table with all cases that are done, also those that other processes have done. Complete or not at all,
  /// whenever the program is killed.
  void update();

 private:
  struct Row {
    std::vector<std::string> results, units;
    CaseOutcome outcome;
  };
  std::optional<Row> read_row(const StudyCase& study_case) const;
  std::string text() const;

  const Study& study_;
  const std::vector<StudyCase>& cases_;
  std::filesystem::path directory_;
  std::vector<std::optional<Row>> rows_;
};

}  // namespace freeplay
