#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/base/output_file.h"

namespace freeplay {

/// Everything needed to go on with a run: named arrays and integers, in one file.
///
/// The file is replaced in one step and synced to the disk, so a kill or a power loss leaves the last complete
/// checkpoint. Its format: `FREEPLAY`, version, length of the content, CRC-32 of the content, content; little-endian.
class Checkpoint {
 public:
  /// `model_id` says for which model the numbers are; a run with another model cannot read them.
  explicit Checkpoint(std::string model_id) : model_id_(std::move(model_id)) {}

  /// Setting a name again replaces its value; an array of the same size uses the same memory.
  void set_array(const std::string& name, std::span<const double> values);
  void set_integer(const std::string& name, std::int64_t value) { integers_[name] = value; }

  /// InputError if the name is missing, or the array has not `size` numbers.
  const std::vector<double>& array(const std::string& name) const;
  const std::vector<double>& array(const std::string& name, std::size_t size) const;
  std::int64_t integer(const std::string& name) const;

  bool has_array(const std::string& name) const { return arrays_.contains(name); }

  /// std::runtime_error if the file cannot be written; then the old file is still there.
  void write(const std::filesystem::path& path, Durability durability = Durability::survives_power_loss) const;

  /// InputError, with the reason, if the file is missing, cut, damaged, not a checkpoint, of another version of the
  /// format, or of another model than `model_id`.
  static Checkpoint read(const std::filesystem::path& path, const std::string& model_id);

 private:
  std::string content() const;
  void read_content(std::string_view content);

  std::string model_id_;
  std::string source_ = "checkpoint";  ///< the file it was read from, for messages
  std::map<std::string, std::vector<double>> arrays_;
  std::map<std::string, std::int64_t> integers_;
};

}  // namespace freeplay
