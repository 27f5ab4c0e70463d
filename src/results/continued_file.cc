#include "freeplay/results/continued_file.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "freeplay/base/diagnostics.h"

namespace freeplay {

void refuse_to_continue(const std::filesystem::path& path, const std::string& why) {
  throw InputError("error: cannot continue: '" + path.string() + "' " + why + "\n");
}

std::string read_continued_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse_to_continue(path, "is a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse_to_continue(path, "cannot be read: " + std::generic_category().message(errno));
  std::ostringstream content;
  // Of an empty file nothing is put out, which counts as a failure of the output stream.
  content << in.rdbuf();
  if (in.bad()) refuse_to_continue(path, "cannot be read");
  return std::move(content).str();
}

}  // namespace freeplay
