#include "freeplay/integrator/stick_control.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "freeplay/base/diagnostics.h"

namespace freeplay {

namespace {

FrictionMode mode_of(const JointFriction& friction, const State& state) { return numbers_of(friction, state).mode(); }

}  // namespace

StickControl::StickControl(const Model& model, const StictionSpec& options)
    : model_(model), options_(options), rows_(model) {
  for (int k = 0; k < rows_.size(); ++k)
    if (rows_.friction(k).coulomb) joints_.push_back(k);
}

Vec3 StickControl::slip_velocity(int k, const State& state) {
  set_instant(state, now_);
  rows_.begin(now_);
  return rows_.slip_way(k, now_);
}

Vec3 StickControl::force(int k, const State& state) const {
  Vec3 result = Vec3::Zero();
  const JointFriction& friction = rows_.friction(k);
  for (int c = 0; c < friction.n_slips(); ++c) result[c] = state.multiplier[friction.first_multiplier + c];
  return result;
}

void StickControl::start(State& state) {
  // Slower than this is round-off of a mechanism that was assembled at rest.
  const double at_rest = 1e-10 * model_.length_scale;
  for (const int k : joints_) {
    const auto numbers = numbers_of(rows_.friction(k), state);
    const Vec3 slip = slip_velocity(k, state);
    const bool slips = slip.norm() > at_rest;
    numbers.set_mode(slips ? FrictionMode::slips : FrictionMode::sticks);
    numbers.direction() = slips ? Vec3(slip.normalized()) : Vec3(Vec3::Zero());
  }
  update(state);
}

std::vector<SlipDirection> StickControl::locks(const State& state) const {
  std::vector<SlipDirection> result;
  for (const int k : joints_)
    if (mode_of(rows_.friction(k), state) == FrictionMode::sticks)
      for (int c = 0; c < rows_.friction(k).n_slips(); ++c) result.push_back({k, c});
  return result;
}

/// The seed's first way: the multiplier of an equation of a named joint is zero. Of the joint's equations that one is
/// taken that has most to do with the lock; it is removed from the balances of the other locks.
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
                                       [&](const auto& e) { return e.first == multiplier; });
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
  std::vector<DependentSlip> dependent = find_dependent_slips(model_, state, locks(state));
  undetermined_.clear();
  for (const DependentSlip& lock : dependent) {
    std::set<int> joints;
    for (const auto& [multiplier, factor] : lock.balance)
      for (const int k : joints_) {
        const int first = rows_.friction(k).first_multiplier;
        if (multiplier >= first && multiplier < first + rows_.friction(k).n_slips())
          joints.insert(rows_.friction(k).joint);
      }
    if (joints.size() > 1) undetermined_.emplace_back(joints.begin(), joints.end());
  }
  if (options_.redundancy == StictionSpec::Redundancy::eliminate) eliminate_named(dependent);
  shares_.clear();
  for (const DependentSlip& lock : dependent) shares_.push_back({lock.direction, lock.balance});
}

std::string StickControl::undetermined_joints() const {
  std::set<int> joints;
  for (const auto& group : undetermined_) joints.insert(group.begin(), group.end());
  std::string text;
  for (const int j : joints) text += (text.empty() ? "'" : ", '") + model_.joints[j].name + "'";
  return text;
}

StickControl::Event StickControl::worst(const Motion& step, const State& start, const State& end) {
  Event worst;
  worst.excess = -std::numeric_limits<double>::infinity();
  rows_.begin(step);
  std::vector<Vec3> ways;
  for (const int k : joints_) ways.push_back(rows_.slip_way(k, step));
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int k = joints_[i];
    const JointFriction& friction = rows_.friction(k);
    const auto numbers = numbers_of(friction, start);
    double excess = -1.0;
    if (numbers.mode() == FrictionMode::sticks) {
      const double limit = friction.coulomb->static_coefficient * numbers_of(friction, end).normal_force();
      const double size = force(k, end).norm();
      excess = size > 0.0 ? (size - limit) / std::max(size, limit) : -1.0;
    } else if (numbers.mode() == FrictionMode::slips) {
      // Slip that goes against its direction at the end of the step has come to rest within it.
      const Vec3 before = slip_velocity(k, start);
      const Vec3 after = slip_velocity(k, end);
      const double size = std::max({before.norm(), after.norm(), ways[i].norm() / step.dt});
      excess = size > 0.0 ? -after.dot(Vec3(numbers.direction())) / size : -1.0;
    }
    if (excess > worst.excess) worst = {k, excess, force(k, end)};
  }
  return worst;
}

double StickControl::excess_at_start(const Event& event, const State& start) {
  const JointFriction& friction = rows_.friction(event.friction);
  const auto numbers = numbers_of(friction, start);
  if (numbers.mode() == FrictionMode::sticks) {
    // Those of the step before.
    const double limit = friction.coulomb->static_coefficient * numbers.normal_force();
    const double size = force(event.friction, start).norm();
    return size > 0.0 ? std::min(0.0, (size - limit) / std::max(size, limit)) : -1.0;
  }
  return slip_velocity(event.friction, start).dot(Vec3(numbers.direction())) > 0.0 ? -1.0 : 0.0;
}

/// Whether the joints and the locks of the others leave a joint no motion.
bool StickControl::is_held(int k, const State& state) const {
  std::vector<SlipDirection> directions = locks(state);
  std::erase_if(directions, [&](const SlipDirection& lock) { return lock.friction == k; });
  const int n_slips = rows_.friction(k).n_slips();
  for (int c = 0; c < n_slips; ++c) directions.push_back({k, c});
  const std::vector<DependentSlip> dependent = find_dependent_slips(model_, state, directions);
  return n_slips == std::count_if(dependent.begin(), dependent.end(),
                                  [&](const DependentSlip& slip) { return slip.direction.friction == k; });
}

void StickControl::release(int k, const Vec3& force, State& state) {
  const auto numbers = numbers_of(rows_.friction(k), state);
  numbers.direction() = force.normalized();
  numbers.set_mode(FrictionMode::slips);
  if (is_held(k, state)) numbers.set_mode(FrictionMode::held);
}

void StickControl::switch_mode(const Event& event, State& state) {
  const auto numbers = numbers_of(rows_.friction(event.friction), state);
  if (numbers.mode() == FrictionMode::slips) {
    numbers.set_mode(FrictionMode::sticks);
  } else {
    release(event.friction, event.force, state);
  }
  // Who was held by a lock that is gone now slips too.
  for (const int k : joints_) {
    const auto other = numbers_of(rows_.friction(k), state);
    if (other.mode() == FrictionMode::held && !is_held(k, state)) other.set_mode(FrictionMode::slips);
  }
  update(state);
}

void StickControl::turn_round(const Event& event, State& state) {
  const auto numbers = numbers_of(rows_.friction(event.friction), state);
  numbers.set_mode(FrictionMode::slips);
  numbers.direction() = -Vec3(numbers.direction());
  update(state);
}

void StickControl::stop_with(const State& before, State& state) {
  bool any = false;
  for (const int k : joints_) {
    const auto numbers = numbers_of(rows_.friction(k), state);
    if (numbers.mode() != FrictionMode::slips) continue;
    const double speed_before = slip_velocity(k, before).norm();
    if (speed_before == 0.0 || slip_velocity(k, state).norm() > 1e-6 * speed_before) continue;
    numbers.set_mode(FrictionMode::sticks);
    any = true;
  }
  if (any) update(state);
}

}  // namespace freeplay
