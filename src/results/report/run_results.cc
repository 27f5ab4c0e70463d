#include "freeplay/results/report/run_results.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>

#include "freeplay/results/report/csv_lines.h"
#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/mapped_file.h"

namespace freeplay {

RunResults::RunResults(const std::filesystem::path& directory)
    : summary(read_json(directory / "summary.json")),
      scene(read_json(directory / "scene.json")),
      history(directory / "history.csv"),
      events(directory / "events.csv"),
      resolved(MappedFile(directory / "resolved.yaml").text()),
      warnings(warnings_in_log(std::string(MappedFile(directory / "run.log").text()))) {}

bool RunResults::summary_is_old() const {
  constexpr double round_off = 1e-9;
  const double reached = number_or(member(summary, "time"), "reached", -1.0);
  return reached >= 0.0 && history.n_rows() > 0 && history.last_time() > reached * (1.0 + round_off);
}

bool is_locked_by_another(const std::filesystem::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

std::vector<std::string> warnings_in_log(const std::string& log) {
  constexpr std::size_t most = 100;
  std::vector<std::string> warnings;
  Lines lines(log);
  while (const auto line = lines.next()) {
    // `     0.003 s  model.yaml:3:4: warning: ...`; where a word of the file comes first, it stays.
    const std::size_t stamp = line->find(" s  ");
    if (line->find("warning:") == std::string_view::npos || stamp == std::string_view::npos) continue;
    std::string text(line->substr(stamp + 4));
    if (text.starts_with("warning: ")) text.erase(0, std::string_view("warning: ").size());
    if (std::ranges::find(warnings, text) == warnings.end() && warnings.size() < most) warnings.push_back(text);
  }
  return warnings;
}

std::string resolved_value(const std::string& resolved, std::initializer_list<const char*> path) {
  try {
    YAML::Node node = YAML::Load(resolved);
    for (const char* key : path) {
      if (!node.IsMap() || !node[key]) return "";
      node.reset(node[key]);
    }
    return node.IsScalar() ? node.Scalar() : "";
  } catch (const YAML::Exception&) {
    return "";
  }
}

std::string shown_text(const std::filesystem::path& path) {
  constexpr std::size_t most = 400000;
  const MappedFile file(path);
  if (file.text().size() <= most) return std::string(file.text());
  const std::size_t left_out = file.text().size() - most;
  return std::string(file.text().substr(0, most / 2)) + "\n[... " + std::to_string(left_out) +
         " bytes are left out here ...]\n" + std::string(file.text().substr(file.text().size() - most / 2));
}

}  // namespace freeplay
