#include <algorithm>
#include <vector>

#include "freeplay/base/diagnostics.h"
#include "freeplay/base/names.h"
#include "freeplay/results/report/report.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

std::optional<ResultsKind> kind_in(const fs::path& directory) {
  std::error_code ignored;
  const auto has = [&](const char* file) { return fs::is_regular_file(directory / file, ignored); };
  if (has("study.yaml") || has("study.csv")) return ResultsKind::study;
  if (has("modes.json")) return ResultsKind::modes;
  if (has("campbell.json")) return ResultsKind::campbell;
  if (has("response.json")) return ResultsKind::response;
  if (has("stiction.json")) return ResultsKind::stiction;
  if (has("history.csv") || has("summary.json") || has("scene.json")) return ResultsKind::run;
  return std::nullopt;
}

/// Results in folders of a directory, for somebody who meant one of them.
std::string hint_of_results_in(const fs::path& directory) {
  constexpr std::size_t few = 5;
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    if (kind_in(entry->path())) found.push_back(entry->path().string());
  std::ranges::sort(found);
  if (found.empty()) return "";
  const bool more = found.size() > few;
  if (more) found.resize(few);
  return "\nThere are results in " + joined(found) + (more ? ", ..." : "");
}

}  // namespace

ResultsKind kind_of_results(const fs::path& directory) {
  std::error_code ignored;
  if (!fs::exists(directory, ignored)) throw InputError("error: there is no directory '" + directory.string() + "'");
  if (!fs::is_directory(directory, ignored))
    throw InputError("error: '" + directory.string() +
                     "' is a file; give the directory of the results, which `freeplay run` names when it ends");
  if (const auto kind = kind_in(directory)) return *kind;
  throw InputError(
      "error: '" + directory.string() +
      "' is not a directory of results: it has neither history.csv nor summary.json (of `freeplay run`), "
      "modes.json (modes), campbell.json (campbell), response.json (response), stiction.json (stiction) or "
      "study.csv (study)" +
      hint_of_results_in(directory));
}

}  // namespace freeplay
