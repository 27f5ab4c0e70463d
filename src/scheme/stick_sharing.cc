#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <set>

#include "freeplay/base/diagnostics.h"
#include "freeplay/scheme/stick_control.h"

// How stuck joints of a closed loop share their loads where that is not determined.

namespace freeplay {

/// Wojtyra's (2017) first way: the multiplier of an equation of a named joint is zero. Of the joint's equations that
/// one is taken that has most to do with the lock; it is removed from the balances of the other locks.
void StickControl::eliminate_named(std::vector<DependentSlip>& dependent) {
  std::set<int> taken;
  for (DependentSlip& lock : dependent) {
    if (lock.balance.size() < 2) continue;
    int chosen = -1;
    double share = 0.0;
    for (const auto& [multiplier, factor] : lock.balance) {
      if (multiplier >= model_.n_equations || taken.count(multiplier) > 0) continue;
      const std::string& name = model_.joint_of_equation(multiplier).name;
      const bool named =
          std::find(options_.eliminate.begin(), options_.eliminate.end(), name) != options_.eliminate.end();
      if (!named || std::abs(factor) <= std::abs(share) + 1e-9) continue;
      chosen = multiplier;
      share = factor;
    }
    if (chosen < 0)
      throw NumericalFailure(
          "the stuck joints " + undetermined_joints() +
          " share their load in a way that no joint in analysis.dynamic.stiction.eliminate decides; name another joint "
          "of the closed loop there, or use redundancy: minimum-norm");
    taken.insert(chosen);
    for (DependentSlip& other : dependent) {
      if (&other == &lock) continue;
      const auto it =
          std::find_if(other.balance.begin(), other.balance.end(), [&](const auto& e) { return e.first == chosen; });
      if (it == other.balance.end()) continue;
      const double factor = it->second / share;
      for (const auto& [multiplier, f] : lock.balance) {
        const auto same = std::find_if(other.balance.begin(), other.balance.end(),
                                       [&, wanted = multiplier](const auto& e) { return e.first == wanted; });
        if (same == other.balance.end())
          other.balance.emplace_back(multiplier, -factor * f);
        else
          same->second -= factor * f;
      }
    }
    lock.balance = {{chosen, 1.0}};
  }
}

void StickControl::update(const State& state) {
  shares_.clear();
  undetermined_.clear();
  if (!may_depend_) return;
  std::vector<DependentSlip> dependent = find_dependent_slips(model_, state, locks(state));
  // A joint at its limit in a loop that others hold has the force that we gave it: it is one of those that share.
  std::vector<SlipDirection> at_rest = locks(state);
  const std::size_t n_locks = at_rest.size();
  for (const int k : joints_)
    if (numbers_of(rows_.friction(k), state).mode() == FrictionMode::held)
      for (int c = 0; c < rows_.friction(k).n_slips(); ++c) at_rest.push_back({k, c});
  name_undetermined(at_rest.size() == n_locks ? dependent : find_dependent_slips(model_, state, at_rest));
  if (options_.redundancy == StictionSpec::Redundancy::eliminate) eliminate_named(dependent);
  for (const DependentSlip& lock : dependent) shares_.push_back({lock.direction, lock.balance});
}

void StickControl::name_undetermined(const std::vector<DependentSlip>& dependent) {
  for (const DependentSlip& lock : dependent) {
    std::set<int> joints;
    for (const auto& [multiplier, factor] : lock.balance)
      for (const int k : joints_) {
        const int first = rows_.friction(k).first_multiplier;
        const bool is_own = multiplier >= first && multiplier < first + rows_.friction(k).n_slips();
        if (is_own) joints.insert(rows_.friction(k).joint);
      }
    if (joints.size() > 1) undetermined_.insert(joints.begin(), joints.end());
  }
}

std::string StickControl::undetermined_joints() const {
  std::string text;
  for (const int j : undetermined_) text += (text.empty() ? "'" : ", '") + model_.joints[j].name + "'";
  return text;
}

double StickControl::largest_ratio(const State& state, const std::vector<double>& multipliers) const {
  double largest = 0.0;
  for (const int k : joints_) {
    const JointFriction& friction = rows_.friction(k);
    if (numbers_of(friction, state).mode() != FrictionMode::sticks) continue;
    const auto of_joint = std::span<const double>(multipliers).subspan(rows_.joint(k).first_equation);
    const double limit = friction.static_coefficient * friction.normal_force(of_joint);
    double square = 0.0;
    for (int c = 0; c < friction.n_slips(); ++c) square += std::pow(multipliers[friction.first_multiplier + c], 2);
    largest = std::max(largest, limit > 0.0 ? std::sqrt(square) / limit : square > 0.0 ? INFINITY : 0.0);
  }
  return largest;
}

/// Goes along the directions in which forces balance each other, one after the other, to where the largest ratio of
/// friction to its limit is least. Ratios are not convex (normal forces have two signs), so each line is sampled first.
bool StickControl::share_anew(const State& end) {
  if (options_.redundancy != StictionSpec::Redundancy::gauss || shares_.empty()) return false;
  constexpr int sweeps = 3, samples = 400;
  std::vector<double> best = end.multiplier;
  double size = 0.0;
  for (const double multiplier : best) size = std::max(size, std::abs(multiplier));
  double ratio = largest_ratio(end, best);
  const auto moved = [&](const ShareRow& share, double distance) {
    std::vector<double> result = best;
    for (const auto& [multiplier, factor] : share.factors) result[multiplier] += distance * factor;
    return result;
  };
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const ShareRow& share : shares_) {
      double largest_factor = 0.0;
      for (const auto& [multiplier, factor] : share.factors)
        largest_factor = std::max(largest_factor, std::abs(factor));
      const double step = 4.0 * size / largest_factor / samples;
      double at = 0.0;
      for (int k = -samples; k <= samples; ++k) {
        const double here = largest_ratio(end, moved(share, k * step));
        if (here < ratio) ratio = here, at = k * step;
      }
      const auto found = boost::math::tools::brent_find_minima(
          [&](double distance) { return largest_ratio(end, moved(share, distance)); }, at - step, at + step, 30);
      if (found.second < ratio) ratio = found.second, at = found.first;
      best = moved(share, at);
    }
  if (ratio > 1.0) return false;
  for (ShareRow& share : shares_) {
    share.offset = 0.0;
    for (const auto& [multiplier, factor] : share.factors) share.offset += factor * best[multiplier];
  }
  return true;
}

}  // namespace freeplay
