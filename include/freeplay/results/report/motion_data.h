#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace freeplay {

/// How much of an animation goes into a report.
struct MotionBudget {
  std::size_t frames = 600;
  std::size_t numbers = 600000;
};

/// The frames in motion.bin for the page, thinned to the budget, the first and the last among them. Null if there are
/// none, or if they do not fit the scene. A last record that was cut is left out.
nlohmann::json motion_json(const std::filesystem::path& file, const nlohmann::json& scene,
                           const MotionBudget& budget = {});

}  // namespace freeplay
