#pragma once

#include <string>
#include <string_view>

namespace freeplay {

/// One line of valid UTF-8 without control characters; what is neither becomes a space or a question mark.
std::string plain_text(std::string_view any);

/// Letters as a reader counts them, of valid UTF-8.
std::size_t n_letters(std::string_view text);

}  // namespace freeplay
