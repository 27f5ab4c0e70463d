#include <algorithm>
#include <filesystem>
#include <vector>

#include "freeplay/app/commands.h"
#include "freeplay/app/streams.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/base/exit_code.h"

namespace freeplay {

namespace {

namespace fs = std::filesystem;

const char* const first_example = "first_model.yaml";

/// In the clone that the program was built in, or installed.
fs::path examples_directory() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& place : {program / "../input", program / "../share/freeplay/examples"})
    if (fs::exists(place / first_example, ignored)) return place.lexically_normal();
  throw InputError("error: the example models are not there: neither " +
                   (program / "../input").lexically_normal().string() + " nor " +
                   (program / "../share/freeplay/examples").lexically_normal().string() + " has " + first_example);
}

/// All models, relative to the directory.
std::vector<fs::path> examples_in(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(directory));
  std::sort(files.begin(), files.end());
  return files;
}

/// Nothing is copied if a single file would be overwritten.
void check_free(const std::vector<fs::path>& files, const fs::path& target) {
  for (const fs::path& file : files)
    if (fs::symlink_status(target / file).type() != fs::file_type::not_found)
      throw InputError("error: " + (target / file).string() +
                       " is already there, and nothing is overwritten: give another directory");
}

int copy_examples(const fs::path& source, const fs::path& target) {
  const std::vector<fs::path> files = examples_in(source);
  try {
    check_free(files, target);
    for (const fs::path& file : files) {
      fs::create_directories((target / file).parent_path());
      fs::copy_file(source / file, target / file);
    }
  } catch (const fs::filesystem_error& error) {
    throw InputError("error: cannot copy the examples to " + target.string() + ": " + error.code().message());
  }
  return write_to_standard_output(std::to_string(files.size()) + " examples are in " + target.string() +
                                  "; a first one:\n  freeplay run " + (target / first_example).string() + "\n");
}

}  // namespace

int examples_command(const ExamplesOptions& options) {
  const fs::path source = examples_directory();
  if (options.where) return write_to_standard_output(source.string() + "\n");
  if (!options.list) return copy_examples(source, options.directory);
  std::string text;
  for (const fs::path& file : examples_in(source)) text += file.string() + "\n";
  return write_to_standard_output(text);
}

}  // namespace freeplay
