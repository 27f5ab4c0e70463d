#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/base/output_file.h"

namespace freeplay {

/// motion.bin, the frames of the animation: records of the time (8 bytes) and of 4-byte numbers, little-endian. Records
/// are collected and go to the file in one write(2), when 64 kB are full and at least every 2 s. A kill may cut the
/// last one; readers leave it out. No memory is allocated after construction.
class MotionWriter {
 public:
  /// Starts a new file.
  MotionWriter(const std::filesystem::path& path, std::size_t n_numbers);

  /// Goes on with the file of an earlier run. Records later than `time` are dropped, and those that `keep` does not
  /// want, which is asked with the times of the others in their order. A file that is missing is begun.
  template <class Keep>
  static MotionWriter resume_at(double time, const std::filesystem::path& path, std::size_t n_numbers,
                                const Keep& keep) {
    std::string kept;
    for_each_record(path, n_numbers, [&](double record_time, std::string_view record) {
      if (record_time <= time && keep(record_time)) kept += record;
    });
    replace_file(path, kept);
    return MotionWriter(OutputFile(path, OutputFile::Mode::append), n_numbers);
  }

  /// std::runtime_error if the file cannot be written.
  void write(double time, std::span<const float> numbers);
  void flush_if_due();
  void flush();

 private:
  using Clock = std::chrono::steady_clock;
  MotionWriter(OutputFile file, std::size_t n_numbers);
  static void for_each_record(const std::filesystem::path& path, std::size_t n_numbers,
                              const std::function<void(double, std::string_view)>& use);

  OutputFile file_;
  std::size_t n_numbers_;
  std::vector<char> buffer_;
  Clock::time_point last_flush_ = Clock::now();
};

}  // namespace freeplay
