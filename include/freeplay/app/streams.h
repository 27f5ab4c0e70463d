#pragma once

#include <string>

namespace freeplay {

/// Makes the program safe against streams that are closed, before or while it runs.
void secure_standard_streams();

/// Writes all of `text` to standard output. Returns an exit code: a reader that has seen enough (`| head -1`) is not an
/// error, a full disk is.
int write_to_standard_output(const std::string& text);

}  // namespace freeplay
