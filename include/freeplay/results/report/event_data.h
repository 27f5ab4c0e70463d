#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace freeplay {

/// events.csv for the report: all are counted, some are shown.
class EventData {
 public:
  static constexpr std::size_t most_shown = 2000;

  /// A file that is missing, empty or damaged gives what can be read of it.
  explicit EventData(const std::filesystem::path& csv);

  bool is_there() const { return is_there_; }
  /// How many events of a kind (`touch`) there were at a joint, or at one of its contacts (`bearing.1`).
  int count(const std::string& joint, const std::string& kind) const;

  /// The largest impacts first of all, then others spread over the time; in the order of the file. Null: no file.
  nlohmann::json json() const;

 private:
  bool is_there_ = false;
  std::size_t total_ = 0;
  std::map<std::pair<std::string, std::string>, int> counts_;  ///< of joint or contact, and kind
  std::vector<std::string> shown_;                             ///< lines
};

}  // namespace freeplay
