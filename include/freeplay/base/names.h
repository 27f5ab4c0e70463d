#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace freeplay {

/// [A-Za-z_][A-Za-z0-9_-]*
bool is_name(std::string_view text);

/// Number of insertions, deletions, replacements and swaps of neighbours (each part of the word is edited once).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name that was probably meant, or an empty string if none is near.
std::string closest_name(std::string_view given, const std::vector<std::string>& known);

/// `, did you mean 'x'?` or an empty string.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& known);

/// `a, b, c`
std::string joined(const std::vector<std::string>& names, std::string_view separator = ", ");

}  // namespace freeplay
