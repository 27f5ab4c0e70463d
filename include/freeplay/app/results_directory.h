#pragma once

#include <filesystem>
#include <string>

namespace freeplay {

/// The directory that a run writes to, taken for this run alone as long as the object lives: a lock on the directory
/// keeps two runs started at the same moment, or a second `--continue`, from writing into each other's files. (On file
/// systems without locks only the rule "must be empty" protects.)
///
/// Every function leaves the directory existing and proved writable, or throws InputError that names the path and what
/// to do. Nothing is ever overwritten.
class ResultsDirectory {
 public:
  /// `-o DIR`: created with its parents if missing; must be empty if it exists.
  static ResultsDirectory create(const std::filesystem::path& requested);

  /// No `-o`: `results/NAME`, or the first of `results/NAME-2`, `-3`, ... that is missing or empty.
  static ResultsDirectory create_for(const std::string& name, const std::filesystem::path& parent = "results");

  /// `--continue`: the directory of an earlier run, which must exist.
  static ResultsDirectory reopen(const std::filesystem::path& existing);

  ResultsDirectory(ResultsDirectory&& other) noexcept;
  ResultsDirectory& operator=(ResultsDirectory&& other) noexcept;
  ~ResultsDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ResultsDirectory(std::filesystem::path path);
  bool try_lock();
  bool is_empty() const;
  void check_writable() const;

  std::filesystem::path path_;
  int lock_ = -1;  ///< descriptor that holds the lock, -1 if there is none
};

}  // namespace freeplay
