#include "freeplay/base/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace freeplay {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void throw_system_error(const fs::path& path, const char* action) {
  const std::string reason = std::generic_category().message(errno);
  throw std::runtime_error("cannot " + std::string(action) + " '" + path.string() + "': " + reason);
}

int open_flags(OutputFile::Mode mode) {
  switch (mode) {
    case OutputFile::Mode::create:
      return O_CREAT | O_TRUNC;
    case OutputFile::Mode::append:
      return O_CREAT | O_APPEND;
    case OutputFile::Mode::modify:
      return 0;
  }
  return 0;
}

// A new name is on the disk only when its directory is.
void sync_directory(const fs::path& file) {
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw_system_error(directory, "open");
  const int result = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  errno = error;
  // Some network file systems cannot sync a directory and say EINVAL: there is nothing more that could be done.
  if (result != 0 && errno != EINVAL) throw_system_error(directory, "sync");
}

}  // namespace

OutputFile::OutputFile(fs::path path, Mode mode) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | open_flags(mode), 0666);
  if (descriptor_ < 0) fail("open");
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(descriptor_, text.data() + done, text.size() - done);
    if (n >= 0) {
      done += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      const int error = errno;
      const off_t end = ::lseek(descriptor_, 0, SEEK_END);
      if (done > 0 && ::ftruncate(descriptor_, end - static_cast<off_t>(done)) == 0) ::lseek(descriptor_, 0, SEEK_END);
      errno = error;
      fail("write");
    }
  }
}

void OutputFile::write_at(std::uint64_t offset, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::pwrite(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(offset + done));
    if (n >= 0)
      done += static_cast<std::size_t>(n);
    else if (errno != EINTR)
      fail("write");
  }
}

void OutputFile::truncate(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail("shorten");
}

void OutputFile::sync() {
  if (::fsync(descriptor_) != 0) fail("sync");
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail("close");
}

void OutputFile::fail(const char* action) const { throw_system_error(path_, action); }

fs::path temporary_name(const fs::path& path) {
  fs::path result = path;
  result += ".tmp";
  return result;
}

void replace_file(const fs::path& path, std::string_view content, Durability durability) {
  const fs::path temporary = temporary_name(path);
  try {
    OutputFile file(temporary, OutputFile::Mode::create);
    file.write(content);
    if (durability == Durability::survives_power_loss) file.sync();
    file.close();
    if (std::rename(temporary.c_str(), path.c_str()) != 0) throw_system_error(path, "replace");
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  if (durability == Durability::survives_power_loss) sync_directory(path);
}

}  // namespace freeplay
