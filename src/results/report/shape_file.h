#pragma once

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/mapped_file.h"
#include "freeplay/results/report/packed_array.h"

namespace freeplay {

/// Takes base and shapes off a modes.bin, one after the other. Where it ends too early, they are null.
class ShapeFile {
 public:
  ShapeFile(const std::filesystem::path& path, const nlohmann::json& scene)
      : file_(path),
        rest_(file_.text()),
        n_frames_(static_cast<std::size_t>(std::max(0.0, number_or(scene, "n_frames", 0.0)))) {}

  nlohmann::json base() { return next(7 * n_frames_, false); }
  nlohmann::json real() { return next(6 * n_frames_, false); }
  /// Null also where it is zero.
  nlohmann::json imaginary() { return next(6 * n_frames_, true); }

 private:
  nlohmann::json next(std::size_t n, bool may_be_null) {
    if (rest_.size() < n * sizeof(float)) {
      rest_ = {};
      return nullptr;
    }
    std::vector<float> values(n);
    std::memcpy(values.data(), rest_.data(), n * sizeof(float));
    rest_.remove_prefix(n * sizeof(float));
    if (may_be_null && std::ranges::all_of(values, [](float value) { return value == 0.0F; })) return nullptr;
    return packed(std::span<const float>(values));
  }

  MappedFile file_;
  std::string_view rest_;
  std::size_t n_frames_;
};

}  // namespace freeplay
