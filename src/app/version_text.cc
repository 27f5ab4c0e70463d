#include "freeplay/app/version_text.h"

#include "freeplay/app/version.h"
#include "freeplay_commit.h"

namespace freeplay {

std::string version_text() {
  const std::string processor = FREEPLAY_ARCHITECTURE;
  return std::string("freeplay ") + version + "\ncommit       " + FREEPLAY_COMMIT + "\nprocessor    " +
         (processor.empty() ? "any x86-64" : processor) + "\ncompiler     g++ " + __VERSION__ + "\nlibraries    " +
         FREEPLAY_LIBRARIES;
}

}  // namespace freeplay
