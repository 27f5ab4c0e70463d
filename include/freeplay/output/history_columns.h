#pragma once

#include <span>
#include <vector>

#include "freeplay/analysis/observer.h"
#include "freeplay/assembly/assembly.h"
#include "freeplay/assembly/reported_joints.h"
#include "freeplay/model/spec.h"
#include "freeplay/output/history_writer.h"

namespace freeplay {

/// Force and moment that the first body of a joint exerts on the second, friction and contacts
/// included, at the place of the second.
struct JointReaction {
  Vec3 position = Vec3::Zero();  ///< inertial [m]
  Vec3 force = Vec3::Zero();     ///< inertial [N]
  Vec3 moment = Vec3::Zero();    ///< inertial [N m]
  Mat3 axes = Mat3::Identity();  ///< the joint's own axes (those of its first frame), inertial
};

/// `now` is the instant of the state.
JointReaction reaction(const Model& model, const ReportedJoint& joint, const State& state, const Motion& now,
                       std::span<const double> multipliers);

/// The chosen columns of the history and their values at an instant.
class HistoryColumns {
 public:
  HistoryColumns(const Assembled& assembled, AnalysisSpec::Kind analysis, const OutputSpec& output);

  /// The time is the first.
  std::span<const HistoryColumn> columns() const { return columns_; }
  /// Values at an instant; valid until the next call.
  std::span<const double> values(const Snapshot& snapshot);

 private:
  void put(double value) { all_[next_++] = value; }
  void put(const Vec3& value);
  void put_point(const OutputPoint& point, const Snapshot& snapshot);
  void put_section(const SectionState& section);
  void put_beam_place(const BeamPlace& place, const State& state);
  void put_joint(const ReportedJoint& joint, const Snapshot& snapshot);
  void put_position(const Joint& joint, const Snapshot& snapshot);
  void put_friction(int k, const Snapshot& snapshot);
  void put_elements(const Snapshot& snapshot);
  void put_energies(const Ledger& ledger);

  const Model& model_;
  const std::vector<Beam>& beams_;
  std::vector<ReportedJoint> joints_;
  bool has_ledger_;
  bool has_load_factor_;             ///< statics: instead of the time
  std::vector<std::size_t> chosen_;  ///< numbers of the columns that are written
  std::vector<HistoryColumn> columns_;
  std::vector<std::size_t> n_quantities_;  ///< of each element
  std::vector<double> all_, values_;       ///< of all columns, of the chosen ones
  std::size_t next_ = 0;
  Motion now_;
  FrictionRows friction_;
};

}  // namespace freeplay
