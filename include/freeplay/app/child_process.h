#pragma once

#include <sys/types.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace freeplay {

/// Does a command in a process of its own and returns its exit code. The engine, once loaded, cannot start afresh in
/// the same process: MPI starts only once. Ctrl-C is left to the child.
int run_in_child(const std::function<int()>& command);

/// A command in a process of its own, while this one goes on. It does not see Ctrl-C, only interrupt(), and ends with
/// this process. What it prints is kept.
class BackgroundProcess {
 public:
  explicit BackgroundProcess(const std::function<int()>& command);

  /// The exit code, if it has ended.
  std::optional<int> poll();
  /// Asks it to end in good order.
  void interrupt() const;
  /// What it has printed.
  std::string output() const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> output_;  ///< a file without a name
  pid_t pid_ = -1;
};

}  // namespace freeplay
