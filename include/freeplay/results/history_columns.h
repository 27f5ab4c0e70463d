#pragma once

#include <span>
#include <vector>

#include "freeplay/assembly/columns.h"

namespace freeplay {

/// The chosen columns of the history and their values at an instant.
class HistoryColumns {
 public:
  HistoryColumns(const Assembled& assembled, AnalysisSpec::Kind analysis, const OutputSpec& output);

  /// The time is the first.
  std::span<const HistoryColumn> columns() const { return columns_; }
  /// Values at an instant; valid until the next call.
  std::span<const double> values(const Snapshot& snapshot);

 private:
  std::vector<ColumnGroup> groups_;
  std::vector<std::size_t> first_;   ///< number of the first column of each group
  std::vector<bool> is_wanted_;      ///< per group: one of its columns is chosen
  std::vector<std::size_t> chosen_;  ///< numbers of the columns that are written
  std::vector<HistoryColumn> columns_;
  std::vector<double> all_, values_;  ///< of all columns, of the chosen ones
  Motion now_;
  FrictionRows friction_;
};

}  // namespace freeplay
