#pragma once

// The columns of the history: each thing says side by side what its columns are called and what is in them. The names
// alone are known to `freeplay check`, which tells when the model file asks for columns that there are not.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/base/diagnostics.h"
#include "freeplay/mechanics/friction_rows.h"
#include "freeplay/mechanics/snapshot.h"

namespace freeplay {

/// A column of history.csv and history.nc.
struct HistoryColumn {
  std::string name;  ///< `bob.position.x`
  std::string unit;  ///< `m`; empty or `1` if the quantity has none
};

/// What columns are made of, prepared once for all of them.
struct Instant {
  const Snapshot& snapshot;
  const Motion& now;             ///< the instant of the state
  const FrictionRows& friction;  ///< begun at that instant
};

/// Where the values of a group go, one after the other.
class ColumnValues {
 public:
  explicit ColumnValues(double* first) : next_(first) {}
  void put(double value) { *next_++ = value; }
  void put(const Vec3& value) {
    for (int k = 0; k < 3; ++k) put(value[k]);
  }
  /// Room for as many values.
  std::span<double> take(std::size_t count) {
    next_ += count;
    return {next_ - count, count};
  }
  const double* next() const { return next_; }

 private:
  double* next_;
};

/// Columns that are computed together.
struct ColumnGroup {
  std::vector<HistoryColumn> columns;
  std::function<void(const Instant&, ColumnValues&)> evaluate;
};

/// All columns, the time as the first. They refer to what was assembled, which must live as long.
std::vector<ColumnGroup> column_groups(const Assembled& assembled, AnalysisSpec::Kind analysis);
std::vector<HistoryColumn> history_columns(const Assembled& assembled, AnalysisSpec::Kind analysis);

/// Only dynamic analyses have work and losses.
bool has_ledger(AnalysisSpec::Kind analysis);

/// Numbers of the columns that fit a pattern, ascending, and always the time. A pattern that nothing fits is an error.
std::vector<std::size_t> select_columns(std::span<const HistoryColumn> columns, std::span<const ColumnPattern> patterns,
                                        Diagnostics& diagnostics);

/// `*` stands for any characters, also none.
bool fits(std::string_view name, std::string_view pattern);

}  // namespace freeplay
