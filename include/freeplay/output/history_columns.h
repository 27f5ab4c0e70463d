#pragma once

#include <span>
#include <vector>

#include "freeplay/analysis/observer.h"
#include "freeplay/model/spec.h"
#include "freeplay/output/history_writer.h"

namespace freeplay {

/// Force and moment that the first body of a joint exerts on the second, at the place of the second.
struct JointReaction {
  Vec3 position = Vec3::Zero();  ///< inertial [m]
  Vec3 force = Vec3::Zero();     ///< inertial [N]
  Vec3 moment = Vec3::Zero();    ///< inertial [N m]
  Mat3 axes = Mat3::Identity();  ///< the joint's own axes (those of its first frame), inertial
};

JointReaction reaction(const Joint& joint, const State& state, std::span<const double> multipliers);

/// The columns of history.csv and their values at an instant.
class HistoryColumns {
 public:
  HistoryColumns(const Model& model, AnalysisSpec::Kind analysis);

  std::span<const HistoryColumn> columns() const { return columns_; }
  /// Values at an instant; valid until the next call.
  std::span<const double> values(const Snapshot& snapshot);

 private:
  void add_vector(const std::string& name, const std::string& unit);
  void add_points();
  void add_joints();
  void add_elements();
  void add_energies();

  void put(double value) { values_[next_++] = value; }
  void put(const Vec3& value);
  void put_point(const Frame& frame, const Snapshot& snapshot);
  void put_joint(const Joint& joint, const Snapshot& snapshot);

  const Model& model_;
  bool has_ledger_;
  bool has_load_factor_;  ///< statics: instead of the time
  std::vector<HistoryColumn> columns_;
  std::vector<double> values_;
  std::size_t next_ = 0;
  Motion now_;
};

}  // namespace freeplay
