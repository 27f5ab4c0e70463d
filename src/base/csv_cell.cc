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

}  // namespace freeplay
