#include "rest_factors.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

std::vector<Interval> merged(std::vector<Interval> intervals, double touching) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.low < b.low; });
  std::vector<Interval> result;
  for (const Interval& each : intervals) {
    if (result.empty() || each.low > result.back().high + touching)
      result.push_back(each);
    else
      result.back().high = std::max(result.back().high, each.high);
  }
  return result;
}

std::vector<Interval> intersection(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  std::vector<Interval> result;
  for (const Interval& x : a)
    for (const Interval& y : b)
      if (std::max(x.low, y.low) <= std::min(x.high, y.high))
        result.push_back({std::max(x.low, y.low), std::min(x.high, y.high)});
  return merged(std::move(result), 0.0);
}

double end_at(const std::vector<Interval>& intervals, double factor) {
  double end = 0.0;
  for (const Interval& each : intervals)
    if (each.low <= factor) end = each.high;
  return end;
}

bool is_narrow(const Interval& interval) {
  return interval.low == interval.high || interval.high - interval.low <= gap_width * std::max(1.0, interval.low);
}

RestFactors factors_at_rest(const FrictionSearch& search, const std::vector<Branch>& branches, const Ask& ask) {
  RestFactors result;
  for (const Branch& branch : branches) {
    Question question;
    question.least_factor = 0.0;
    question.most_factor = INFINITY;
    question.objective = search.columns().unit(search.columns().factor);
    const Answer high = ask(question, branch);
    question.objective = -question.objective;
    const Answer low = ask(question, branch);
    if (!high.bound || !low.bound) continue;
    result.bounds.push_back({-*low.bound, *high.bound});
    if (high.found && low.found)
      result.found.push_back({-*low.found, *high.found});
    else
      result.is_complete = false;
  }
  result.found = merged(std::move(result.found), gap_width);
  result.bounds = merged(std::move(result.bounds), gap_width);
  return result;
}

std::vector<Branch> branches_at_rest(const FrictionSearch& search, double least_factor, double most_factor) {
  return search.orthants_at_rest(least_factor, most_factor).value_or(std::vector<Branch>{search.at_rest()});
}

}  // namespace freeplay
