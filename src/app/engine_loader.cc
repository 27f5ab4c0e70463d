#include "freeplay/app/engine_loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace freeplay {

int run_engine(const EngineJob& job) {
  // Where the run path of this program says: beside it, or in lib/freeplay once installed.
  const char* chosen = std::getenv("FREEPLAY_ENGINE");
  const std::string file = chosen != nullptr && *chosen != '\0' ? chosen : "libfreeplay_engine.so";

  // Global, because MPI looks up its own symbols from plugins that it loads later. Never closed: MPI and PETSc leave
  // exit handlers behind.
  void* engine = dlopen(file.c_str(), RTLD_LAZY | RTLD_GLOBAL);
  if (engine == nullptr) throw std::runtime_error(std::string("cannot load the engine: ") + dlerror());
  const auto engine_main = reinterpret_cast<decltype(&freeplay_engine_main)>(dlsym(engine, "freeplay_engine_main"));
  if (engine_main == nullptr) throw std::runtime_error(std::string("cannot use the engine: ") + dlerror());
  return engine_main(&job);
}

}  // namespace freeplay
