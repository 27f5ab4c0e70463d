#pragma once

#include <functional>
#include <vector>

#include "freeplay/analysis/stiction/certificate.h"
#include "freeplay/analysis/stiction/friction_search.h"

namespace freeplay {

constexpr double gap_width = 1e-3;  ///< values closer than this, beside loads or load factors of one, have no gap

/// In ascending order, with those that touch made one.
std::vector<Interval> merged(std::vector<Interval> intervals, double touching);
std::vector<Interval> intersection(const std::vector<Interval>& a, const std::vector<Interval>& b);
/// The end of the last interval that begins at or below a load factor; 0 if there is none.
double end_at(const std::vector<Interval>& intervals, double factor);
bool is_narrow(const Interval& interval);

/// Load factors for which rest is possible.
struct RestFactors {
  std::vector<Interval> found, bounds;  ///< for which it certainly is, and outside of which it certainly is not
  bool is_complete = true;              ///< whether there are certainly no others than those found
};

using Ask = std::function<Answer(const Question&, const Branch&)>;
RestFactors factors_at_rest(const FrictionSearch& search, const std::vector<Branch>& branches, const Ask& ask);
std::vector<Branch> branches_at_rest(const FrictionSearch& search, double least_factor, double most_factor);

}  // namespace freeplay
