#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "freeplay/beam/line_mesh.h"

namespace freeplay {

LineMesh make_line_mesh(const std::vector<double>& ends, int degree) {
  using Function = void (*)(const std::vector<double>*, int, LineMesh*);
  // Beside this library; never closed, because deal.II and its friends leave exit handlers behind.
  static const Function function = [] {
    void* module = dlopen("libfreeplay_mesh.so", RTLD_LAZY | RTLD_GLOBAL);
    if (!module) throw std::runtime_error(std::string("cannot load the mesh module: ") + dlerror());
    return reinterpret_cast<Function>(dlsym(module, "freeplay_make_line_mesh"));
  }();
  LineMesh mesh;
  function(&ends, degree, &mesh);
  return mesh;
}

}  // namespace freeplay
