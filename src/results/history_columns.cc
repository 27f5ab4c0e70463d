#include "freeplay/results/history_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace freeplay {

HistoryColumns::HistoryColumns(const Assembled& assembled, AnalysisSpec::Kind analysis, const OutputSpec& output)
    : groups_(column_groups(assembled, analysis)), friction_(assembled.model) {
  std::vector<HistoryColumn> all;
  for (const ColumnGroup& group : groups_) {
    first_.push_back(all.size());
    all.insert(all.end(), group.columns.begin(), group.columns.end());
  }
  Diagnostics diagnostics;  // assembly has checked the patterns
  const std::vector<ColumnPattern> everything{{"*", {}}};
  chosen_ = select_columns(all, output.columns.value_or(everything), diagnostics);
  for (const std::size_t k : chosen_) columns_.push_back(all[k]);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto next = std::ranges::lower_bound(chosen_, first_[g]);
    is_wanted_.push_back(next != chosen_.end() && *next < first_[g] + groups_[g].columns.size());
  }
  all_.resize(all.size());
  values_.resize(chosen_.size());
}

std::span<const double> HistoryColumns::values(const Snapshot& snapshot) {
  set_instant(snapshot.state, now_);
  friction_.begin(now_);
  const Instant instant{snapshot, now_, friction_};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (!is_wanted_[g]) continue;
    ColumnValues values(all_.data() + first_[g]);
    groups_[g].evaluate(instant, values);
    if (values.next() != all_.data() + first_[g] + groups_[g].columns.size())
      throw std::logic_error("as many values as names are needed: " + groups_[g].columns.front().name);
  }
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const double value = all_[chosen_[k]];
    // Subnormal numbers are round-off of zero, and many readers refuse them.
    values_[k] = std::abs(value) < std::numeric_limits<double>::min() ? 0.0 : value;
  }
  return values_;
}

}  // namespace freeplay
