#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace freeplay {

/// What a directory of results is of.
enum class ResultsKind { run, modes, campbell, response, stiction, study };

/// Looks at the files in a directory. Throws InputError, which says what was looked for, if it has no results.
ResultsKind kind_of_results(const std::filesystem::path& directory);

/// Whoever makes a report.
struct ReportMaker {
  std::string version;           ///< `freeplay 0.1.0`
  bool is_writing_them = false;  ///< this process has the lock of the results
};

/// Everything that the page shows, see doc/report_data.md. What is missing or damaged is left out.
nlohmann::json report_data(const std::filesystem::path& directory, const ReportMaker& maker);

/// The page with the data in it. Throws InputError if the template has no place for them.
std::string report_page(const std::string& page_template, const nlohmann::json& data, const std::string& results_id);

/// Names the results that a report is of, without telling where they are.
std::string results_id(const std::filesystem::path& directory);

/// Writes the report of a directory to `file` (absent: report.html in it) and returns where it is. An older report of
/// the same results is replaced; any other file stays, with InputError. std::runtime_error if it cannot be written.
std::filesystem::path write_report(const std::filesystem::path& directory,
                                   const std::optional<std::filesystem::path>& file,
                                   const std::filesystem::path& page_template, const ReportMaker& maker);

}  // namespace freeplay
