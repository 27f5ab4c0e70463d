#pragma once

#include <filesystem>
#include <string>

#include "freeplay/analysis/observer.h"
#include "freeplay/base/output_file.h"

namespace freeplay {

/// The largest loads of a joint so far, and when they were.
struct JointExtreme {
  double force = 0.0, moment = 0.0;            ///< magnitudes
  double force_time = 0.0, moment_time = 0.0;  ///< [s]; statics: load factors
};

/// How far the files of a run were at some moment, and what its summary tells of the time before.
struct Written {
  std::int64_t history_size = 0, events_size = 0;  ///< of the CSV files [bytes]
  std::int64_t n_rows = 0;                         ///< of the history
  double last_time = 0.0;                          ///< of the last row; statics: its load factor
  std::vector<JointExtreme> extremes;              ///< per reported joint
  std::vector<double> joint_use;                   ///< the sums of JointUse
};

/// A run at a moment from which it can be continued.
struct SavedRun {
  Continuation continuation;
  Written written;
};

/// A checkpoint is a SavedRun in a file. `model_id` ties it to the model.
void write_continuation(const std::filesystem::path& path, const std::string& model_id, const SavedRun& run,
                        Durability durability = Durability::survives_power_loss);
SavedRun read_continuation(const std::filesystem::path& path, const std::string& model_id, const Model& model);

}  // namespace freeplay
