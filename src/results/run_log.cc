#include "freeplay/results/run_log.h"

#include <cstdio>

namespace freeplay {

RunLog::RunLog(const std::filesystem::path& path, OutputFile::Mode mode) : file_(path, mode) {}

void RunLog::line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  char stamp[32];
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const int stamp_length = std::snprintf(stamp, sizeof stamp, "%10.3f s  ", elapsed.count());

  line_.assign(stamp, static_cast<std::size_t>(stamp_length));
  for (const char c : text) {
    line_ += c;
    if (c == '\n') line_.append(static_cast<std::size_t>(stamp_length), ' ');
  }
  line_ += '\n';
  file_.write(line_);
}

}  // namespace freeplay
