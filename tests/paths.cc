#include "paths.h"

namespace freeplay::test {

const std::string& source_directory() {
  static const std::string directory = FREEPLAY_SOURCE_DIR;
  return directory;
}

const std::string& freeplay_program() {
  static const std::string program = FREEPLAY_PROGRAM;
  return program;
}

}  // namespace freeplay::test
