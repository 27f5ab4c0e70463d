#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "freeplay/base/output_file.h"

namespace freeplay {

/// A ParaView collection (.pvd): the list of files of a time series. The file is complete XML at every moment, whenever
/// the run is killed, and a run of many frames costs little more than its new lines:
///  - Mostly the new lines and the closing tags go over the old closing tags in one pwrite(2) that stays within a page
///    of 4096 bytes. The system copies page by page and looks for a kill only between two pages, so this write happens
///    wholly or not at all.
///  - Once per page, when the new text would cross into the next page, the whole list is written to a temporary file
///  and
///    renamed. A frame of two parts takes about 180 bytes, so 10,000 frames cost 450 renames and 0.4 GB instead of
///    10,000 renames and 9 GB.
class PvdSeries {
 public:
  struct Part {
    int number = 0;
    std::string_view name;  ///< shown by ParaView
    std::string_view file;  ///< relative to the directory of the .pvd
  };

  /// Starts a new, empty series.
  explicit PvdSeries(std::filesystem::path path);

  /// Goes on with an existing series after dropping its frames later than `time`. InputError if it cannot be read.
  static PvdSeries resume_at(double time, std::filesystem::path path);

  /// Adds a frame; its files must be complete. std::runtime_error if the list cannot be written.
  void add(double time, std::span<const Part> parts);

  int n_frames() const { return n_frames_; }

 private:
  PvdSeries(std::filesystem::path path, std::string text, int n_frames);
  void write_in_place(std::size_t begin);
  void write_whole();

  std::filesystem::path path_;
  std::string text_;  ///< all of the file but the closing tags
  int n_frames_ = 0;
  OutputFile file_;
};

}  // namespace freeplay
