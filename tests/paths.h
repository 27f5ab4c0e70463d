#pragma once

#include <string>

/// Where things are. Known to one file only, so that clones of the repository share what the compiler cache has.
namespace freeplay::test {

/// The repository.
const std::string& source_directory();

/// The program as the user starts it.
const std::string& freeplay_program();

}  // namespace freeplay::test
