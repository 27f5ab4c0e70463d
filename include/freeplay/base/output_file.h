#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace freeplay {

/// A file written through the system calls, so that what a killed run leaves is known: each write is one write(2).
/// Every failure (disk full, directory gone) throws std::runtime_error with the file's name and the system's reason.
class OutputFile {
 public:
  enum class Mode {
    create,  ///< new or emptied
    append,  ///< existing or new, written at its end
    modify,  ///< existing, content kept, for write_at()
  };
  OutputFile(std::filesystem::path path, Mode mode);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  /// Writes at the end. If only a part fits on the disk, the part is taken back before throwing.
  void write(std::string_view text);
  void write_at(std::uint64_t offset, std::string_view text);
  void truncate(std::uint64_t size);
  /// Returns when the content is on the disk (fsync).
  void sync();
  /// Some file systems report a failed write only here. The destructor closes too but has to be silent.
  void close();

  const std::filesystem::path& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* action) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

enum class Durability {
  survives_kill,        ///< complete after the end of this process, however it ends
  survives_power_loss,  ///< also on the disk when the call returns
};

/// Writes `path` such that a reader finds the old content or the new, never a part: temporary file and rename(2).
void replace_file(const std::filesystem::path& path, std::string_view content,
                  Durability durability = Durability::survives_kill);

/// `path` with `.tmp` at its end: where replace_file() writes first.
std::filesystem::path temporary_name(const std::filesystem::path& path);

}  // namespace freeplay
