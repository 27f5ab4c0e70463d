#pragma once

#include <functional>

namespace freeplay {

/// Does a command in a process of its own and returns its exit code. The engine, once loaded, cannot start afresh in
/// the same process: MPI starts only once. Ctrl-C is left to the child.
int run_in_child(const std::function<int()>& command);

}  // namespace freeplay
