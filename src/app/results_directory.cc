#include "freeplay/app/results_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "freeplay/base/diagnostics.h"

namespace freeplay {

namespace fs = std::filesystem;

namespace {

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void throw_input_error(const fs::path& path, const std::string& what) {
  throw InputError("error: output directory " + quoted(path) + " " + what);
}

void make_directories(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error))
    throw_input_error(path, "is a file; choose another directory with -o");
  fs::create_directories(path, error);
  if (error) throw_input_error(path, "cannot be created: " + error.message() + "; choose another with -o");
}

// `-o results/` means `-o results`: without the slash the path reads well in messages.
fs::path without_trailing_slash(const fs::path& path) {
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

}  // namespace

ResultsDirectory::ResultsDirectory(fs::path path) : path_(std::move(path)) {}

ResultsDirectory::ResultsDirectory(ResultsDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

ResultsDirectory& ResultsDirectory::operator=(ResultsDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

ResultsDirectory::~ResultsDirectory() {
  if (lock_ >= 0) ::close(lock_);
}

ResultsDirectory ResultsDirectory::create(const fs::path& requested) {
  if (requested.empty()) throw InputError("error: -o needs the name of a directory");
  ResultsDirectory result(without_trailing_slash(requested));
  make_directories(result.path_);
  if (!result.try_lock()) throw_input_error(result.path_, "is in use by another run; choose another with -o");
  if (!result.is_empty())
    throw_input_error(result.path_,
                      "is not empty; choose another with -o, or go on with the run in it with --continue");
  result.check_writable();
  return result;
}

ResultsDirectory ResultsDirectory::create_for(const std::string& name, const fs::path& parent) {
  for (int number = 1;; ++number) {
    ResultsDirectory result(parent / (number == 1 ? name : name + "-" + std::to_string(number)));
    // A file of that name is somebody's work as well: step over it.
    std::error_code ignored;
    if (fs::exists(result.path_, ignored) && !fs::is_directory(result.path_, ignored)) continue;
    make_directories(result.path_);
    if (!result.try_lock() || !result.is_empty()) continue;
    result.check_writable();
    return result;
  }
}

ResultsDirectory ResultsDirectory::reopen(const fs::path& existing) {
  ResultsDirectory result(without_trailing_slash(existing));
  std::error_code error;
  if (!fs::is_directory(result.path_, error))
    throw_input_error(result.path_, "does not exist, so there is no run to continue in it");
  if (!result.try_lock()) throw_input_error(result.path_, "is in use by another run; wait for its end");
  result.check_writable();
  return result;
}

bool ResultsDirectory::try_lock() {
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) throw_input_error(path_, "cannot be opened: " + reason(errno));
  return ::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool ResultsDirectory::is_empty() const {
  std::error_code error;
  const bool empty = fs::is_empty(path_, error);
  if (error) throw_input_error(path_, "cannot be read: " + error.message());
  return empty;
}

void ResultsDirectory::check_writable() const {
  const fs::path probe = path_ / ".freeplay-write-test";
  const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) throw_input_error(path_, "is not writable: " + reason(errno) + "; choose another with -o");
  // A full disk still creates files: only writing shows it.
  const char text[] = "write test\n";
  const bool written = ::write(file, text, sizeof text) == static_cast<ssize_t>(sizeof text);
  const int error = errno;
  ::close(file);
  ::unlink(probe.c_str());
  if (!written) throw_input_error(path_, "is not writable: " + reason(error) + "; choose another with -o");
}

}  // namespace freeplay
