#include "freeplay/base/csv_cell.h"

namespace freeplay {

std::string csv_cell(std::string_view text) {
  std::string cell;
  bool needs_quotes = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  for (char c : text) {
    if (c == '\n' || c == '\r') c = ' ';
    if (c == ',' || c == '"') needs_quotes = true;
    if (c == '"') cell += '"';
    cell += c;
  }
  return needs_quotes ? '"' + cell + '"' : cell;
}

std::vector<std::string> csv_cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_doubled = in_quotes && line.substr(i, 2) == "\"\"";
    if (is_doubled) ++i;
    if (line[i] == '"' && !is_doubled)
      in_quotes = !in_quotes;
    else if (line[i] == ',' && !in_quotes)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

}  // namespace freeplay
