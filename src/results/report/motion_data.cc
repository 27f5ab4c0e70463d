#include "freeplay/results/report/motion_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "freeplay/results/report/json_access.h"
#include "freeplay/results/report/mapped_file.h"
#include "freeplay/results/report/packed_array.h"

namespace freeplay {

namespace {

constexpr std::size_t numbers_of_pose = 7, numbers_of_force = 3, numbers_of_contact = 11;

/// How many numbers of each sort a record has.
struct RecordShape {
  std::size_t poses = 0, forces = 0, contacts = 0;

  explicit RecordShape(const nlohmann::json& scene) {
    const auto count = [&](const char* key) {
      return static_cast<std::size_t>(std::clamp(number_or(scene, key, 0.0), 0.0, 1e9));
    };
    poses = numbers_of_pose * count("n_frames");
    forces = numbers_of_force * count("n_forces");
    contacts = numbers_of_contact * count("n_contacts");
  }
  std::size_t numbers() const { return poses + forces + contacts; }
  std::size_t bytes() const { return sizeof(double) + sizeof(float) * numbers(); }
};

/// Evenly spread, the first and the last among them.
std::vector<std::size_t> chosen_frames(std::size_t n, std::size_t most) {
  std::vector<std::size_t> frames;
  const std::size_t n_chosen = std::min(n, std::max<std::size_t>(most, 2));
  for (std::size_t k = 0; k < n_chosen; ++k)
    frames.push_back(
        n_chosen == 1 ? 0 : static_cast<std::size_t>(std::llround(double(k) * double(n - 1) / double(n_chosen - 1))));
  return frames;
}

/// Of the two quaternions of a rotation the one nearer to the last frame: smooth numbers are smaller when packed.
void follow_quaternions(std::vector<float>& poses, std::size_t n_frames, std::size_t row_size) {
  for (std::size_t f = 1; f < n_frames; ++f)
    for (std::size_t k = 0; k < row_size; k += numbers_of_pose) {
      const float* before = poses.data() + (f - 1) * row_size + k + 3;
      float* q = poses.data() + f * row_size + k + 3;
      if (std::inner_product(q, q + 4, before, 0.0F) < 0.0F) std::transform(q, q + 4, q, std::negate<float>());
    }
}

}  // namespace

nlohmann::json motion_json(const std::filesystem::path& path, const nlohmann::json& scene, const MotionBudget& budget) {
  const RecordShape shape(scene);
  if (shape.numbers() == 0 || number_or(scene, "record_bytes", 0.0) != static_cast<double>(shape.bytes()))
    return nullptr;
  const MappedFile file(path);
  const std::size_t n = file.text().size() / shape.bytes();
  if (n == 0) return nullptr;
  const std::vector<std::size_t> frames = chosen_frames(n, std::min(budget.frames, budget.numbers / shape.numbers()));
  std::vector<double> times;
  std::vector<int> rows;
  std::vector<float> poses, forces, contacts, numbers(shape.numbers());
  for (const std::size_t frame : frames) {
    const char* record = file.text().data() + frame * shape.bytes();
    std::memcpy(&times.emplace_back(), record, sizeof(double));
    std::memcpy(numbers.data(), record + sizeof(double), numbers.size() * sizeof(float));
    rows.push_back(static_cast<int>(frame));
    auto next = numbers.begin();
    for (auto [part, size] : {std::pair{&poses, shape.poses}, {&forces, shape.forces}, {&contacts, shape.contacts}}) {
      part->insert(part->end(), next, next + static_cast<std::ptrdiff_t>(size));
      next += static_cast<std::ptrdiff_t>(size);
    }
  }
  follow_quaternions(poses, frames.size(), shape.poses);
  nlohmann::json motion{{"time", packed(std::span<const double>(times))},
                        {"poses", packed_table(poses, frames.size(), shape.poses)},
                        {"forces", packed_table(forces, frames.size(), shape.forces)},
                        {"contacts", packed_table(contacts, frames.size(), shape.contacts)}};
  // Statics: a frame per row of the history, and the load factor may fall again.
  if (text_or(member(scene, "time"), "name", "") == "load_factor") motion["row"] = packed(std::span<const int>(rows));
  return motion;
}

}  // namespace freeplay
