#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file_testing.h"

namespace freeplay::test {

/// How a program ended and what it said.
struct ProcessResult {
  int exit_code = -1;      ///< -1 if a signal ended it
  int signal = 0;          ///< the signal that ended it, or 0
  bool timed_out = false;  ///< it had to be killed
  double cpu_seconds = 0.0;
  std::string out;
  std::string err;
};

/// A started program whose streams go to files. The destructor kills what still runs.
class Process {
 public:
  /// `arguments` without the program; `directory` is the current directory of the program.
  Process(const std::string& program, const std::vector<std::string>& arguments,
          const std::filesystem::path& directory);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  bool is_running();
  ProcessResult wait(std::chrono::seconds limit);

 private:
  void reap(bool block);

  pid_t pid_ = -1;
  bool ended_ = false;
  ProcessResult result_;
  TemporaryDirectory streams_;
};

/// A directory whose files are named as text, for command lines.
class ScratchDirectory : public TemporaryDirectory {
 public:
  std::string operator/(const std::string& name) const { return (path() / name).string(); }
};

}  // namespace freeplay::test
