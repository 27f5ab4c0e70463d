#pragma once

#include <filesystem>
#include <string_view>

namespace freeplay {

/// The content of a file as it is when it is opened, without reading it into memory: histories can be large. A file
/// that is missing or cannot be read is empty.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

}  // namespace freeplay
