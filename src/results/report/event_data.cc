#include "freeplay/results/report/event_data.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/base/csv_cell.h"
#include "freeplay/results/report/csv_lines.h"
#include "freeplay/results/report/mapped_file.h"

namespace freeplay {

namespace {

constexpr std::size_t n_cells = 6;  // time, kind, joint, value, unit, detail

/// Where a line is, and how much it counts.
struct EventLine {
  std::string_view text;
  double weight = 0.0;
  bool is_impact = false;
};

/// As many of the impacts as may be shown, then others at equal distances in the file.
std::vector<std::string> chosen(std::vector<EventLine> lines) {
  constexpr std::size_t most = EventData::most_shown;
  if (lines.size() > most) {
    const auto others =
        std::stable_partition(lines.begin(), lines.end(), [](const EventLine& line) { return line.is_impact; });
    const auto n_impacts = static_cast<std::size_t>(others - lines.begin());
    std::stable_sort(lines.begin(), others, [](const EventLine& a, const EventLine& b) { return a.weight > b.weight; });
    std::vector<EventLine> kept(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(std::min(n_impacts, most)));
    const std::size_t n_others = lines.size() - n_impacts, n_free = most - kept.size();
    for (std::size_t k = 0; k < std::min(n_free, n_others); ++k)
      kept.push_back(others[static_cast<std::ptrdiff_t>(k * n_others / std::min(n_free, n_others))]);
    lines = std::move(kept);
    std::ranges::sort(lines, std::ranges::less(), [](const EventLine& line) { return line.text.data(); });
  }
  std::vector<std::string> texts;
  for (const EventLine& line : lines) texts.emplace_back(line.text);
  return texts;
}

/// `bearing` of its contact `bearing.2`.
bool is_contact_of(const std::string& contact, const std::string& joint) {
  return contact.size() > joint.size() + 1 && contact.starts_with(joint) && contact[joint.size()] == '.' &&
         std::all_of(contact.begin() + static_cast<std::ptrdiff_t>(joint.size()) + 1, contact.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

EventData::EventData(const std::filesystem::path& csv) {
  const MappedFile file(csv);
  Lines lines(file.text());
  if (!lines.next()) return;
  is_there_ = true;
  std::vector<EventLine> all;
  while (const auto line = lines.next()) {
    const std::vector<std::string> cells = csv_cells(*line);
    if (cells.size() != n_cells) continue;
    ++counts_[{cells[2], cells[1]}];
    const bool is_impact = cells[1] == "impact";
    const double value = is_impact ? number_in(cells[3]) : 0.0;
    all.push_back({*line, std::isnan(value) ? 0.0 : std::abs(value), is_impact});
  }
  total_ = all.size();
  shown_ = chosen(std::move(all));
}

int EventData::count(const std::string& joint, const std::string& kind) const {
  int n = 0;
  for (const auto& [where_and_kind, count] : counts_)
    if (where_and_kind.second == kind && (where_and_kind.first == joint || is_contact_of(where_and_kind.first, joint)))
      n += count;
  return n;
}

nlohmann::json EventData::json() const {
  if (!is_there_) return nullptr;
  nlohmann::json rows = nlohmann::json::array();
  for (const std::string& line : shown_) {
    const std::vector<std::string> cells = csv_cells(line);
    const double value = number_in(cells[3]);
    nlohmann::json row{number_in(cells[0]), cells[1], cells[2]};
    row.push_back(std::isnan(value) ? nlohmann::json(nullptr) : nlohmann::json(value));
    row.push_back(cells[4]);
    row.push_back(cells[5]);
    rows.push_back(row);
  }
  return {{"total", total_}, {"rows", rows}};
}

}  // namespace freeplay
