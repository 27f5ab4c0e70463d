#include "freeplay/analysis/bench/history.h"

#include <charconv>

namespace freeplay {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::size_t begin = 0;
  for (std::size_t end = line.find(','); end != std::string::npos; begin = end + 1, end = line.find(',', begin))
    cells.push_back(line.substr(begin, end - begin));
  cells.push_back(line.substr(begin));
  return cells;
}

double number_of(const std::string& cell) {
  double value = 0.0;
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (result.ec != std::errc()) throw NoMeasurement("'" + cell + "' in the results is not a number");
  return value;
}

/// Tables over the speed of a rotor are read likewise.
HistoryFile::HistoryFile(const std::filesystem::path& results) {
  for (const char* const name : {"history.csv", "campbell.csv", "response.csv"})
    if (!file_.is_open()) file_.open(results / name);
  if (!file_.is_open()) throw NoMeasurement("there is no history.csv in the results");
  std::string line;
  std::getline(file_, line);
  for (const std::string& header : cells_of(line)) {
    // `NAME [UNIT]`
    const std::size_t bracket = header.find(" [");
    names_.push_back(header.substr(0, bracket));
    units_.push_back(bracket == std::string::npos ? "" : header.substr(bracket + 2, header.size() - bracket - 3));
  }
}

bool HistoryFile::next() {
  std::string line;
  if (!std::getline(file_, line)) return false;
  cells_ = cells_of(line);
  return true;
}

}  // namespace freeplay
