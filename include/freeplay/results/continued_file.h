#pragma once

#include <filesystem>
#include <string>

namespace freeplay {

/// Throws the InputError of a run that cannot be continued because of one of its files: "'PATH' WHY".
[[noreturn]] void refuse_to_continue(const std::filesystem::path& path, const std::string& why);

/// The content of a file of the run to continue; InputError with the system's reason if it cannot be read.
std::string read_continued_file(const std::filesystem::path& path);

}  // namespace freeplay
