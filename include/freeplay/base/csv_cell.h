#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace freeplay {

/// `text` as one cell: in quotes if it has a comma, a quote or a space at an end. Line breaks become spaces, so that a
/// line of the file is always a row.
std::string csv_cell(std::string_view text);

/// The cells of a row, without the quotes around them.
std::vector<std::string> csv_cells(std::string_view line);

}  // namespace freeplay
