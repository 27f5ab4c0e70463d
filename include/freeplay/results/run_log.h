#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "freeplay/base/output_file.h"

namespace freeplay {

/// run.log: lines that begin with the wall time since the log was opened, in the file as soon as line() returns.
class RunLog {
 public:
  /// create: a new file; append: a run that continues.
  explicit RunLog(const std::filesystem::path& path, OutputFile::Mode mode = OutputFile::Mode::create);

  /// Further lines within `text` are set in under the first. std::runtime_error if the file cannot be written.
  void line(std::string_view text);

 private:
  OutputFile file_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string line_;
};

}  // namespace freeplay
