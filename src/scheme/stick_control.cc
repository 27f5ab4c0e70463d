#include "freeplay/scheme/stick_control.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "freeplay/base/diagnostics.h"

namespace freeplay {

namespace {

constexpr double round_off = 1e-14;  ///< of positions, relative, as it shows in velocities and forces

FrictionMode mode_of(const JointFriction& friction, const State& state) { return numbers_of(friction, state).mode(); }

bool by_excess(const StickControl::Event& a, const StickControl::Event& b) { return a.excess < b.excess; }

/// Largest of all multipliers: beside it, small forces are round-off.
double scale_of(const std::vector<double>& multipliers) {
  double largest = 0.0;
  for (const double multiplier : multipliers) largest = std::max(largest, std::abs(multiplier));
  return largest;
}

}  // namespace

StickControl::StickControl(const Model& model, const StictionSpec& options)
    : model_(model), options_(options), rows_(model) {
  multipliers_.resize(model.n_multipliers);
  for (int k = 0; k < rows_.size(); ++k)
    if (rows_.friction(k).coulomb) joints_.push_back(k);
}

std::vector<Vec3> StickControl::slip_velocities(const State& state) {
  set_instant(state, now_);
  rows_.begin(now_);
  std::vector<Vec3> result;
  for (int k = 0; k < rows_.size(); ++k) result.push_back(rows_.slip_displacement(k, now_));
  return result;
}

Vec3 StickControl::force(int k, const State& state) const {
  Vec3 result = Vec3::Zero();
  const JointFriction& friction = rows_.friction(k);
  for (int c = 0; c < friction.n_slips(); ++c) result[c] = state.multiplier[friction.first_multiplier + c];
  return result;
}

void StickControl::start(State& state) {
  std::vector<SlipDirection> all;
  for (const int k : joints_)
    for (int c = 0; c < rows_.friction(k).n_slips(); ++c) all.push_back({k, c});
  may_depend_ = !find_dependent_slips(model_, state, all).empty();
  const std::vector<Vec3> velocities = slip_velocities(state);
  for (const int k : joints_) {
    const auto numbers = numbers_of(rows_.friction(k), state);
    const Vec3& slip = velocities[k];
    const bool slips = !is_slow(slip);
    numbers.set_mode(slips ? FrictionMode::slips : FrictionMode::sticks);
    numbers.direction() = slips ? Vec3(slip.normalized()) : Vec3(Vec3::Zero());
  }
  update(state);
}

/// How far a friction force is beyond its limit, relative to it. Forces that are small beside the others, or of the
/// size of the round-off of a step, are not.
double StickControl::excess_of(int k, const State& state, double dt) const {
  constexpr double small = 1e-4;
  const JointFriction& friction = rows_.friction(k);
  const auto of_joint = std::span<const double>(state.multiplier).subspan(rows_.joint(k).first_equation);
  const double limit = friction.static_coefficient * friction.normal_force(of_joint);
  const double size = force(k, state).norm();
  const double noise = dt > 0.0 ? round_off * model_.length_scale * model_.mass_scale / (dt * dt) : 0.0;
  if (size <= noise) return -1.0;
  return (size - limit - noise) / std::max({size, limit, small * scale_of(state.multiplier)});
}

std::vector<SlipDirection> StickControl::locks(const State& state) const {
  std::vector<SlipDirection> result;
  for (const int k : joints_)
    if (mode_of(rows_.friction(k), state) == FrictionMode::sticks)
      for (int c = 0; c < rows_.friction(k).n_slips(); ++c) result.push_back({k, c});
  return result;
}

StickControl::Event StickControl::worst(const Motion& step, const State& start, const State& end) {
  Event worst;
  worst.excess = -std::numeric_limits<double>::infinity();
  rows_.begin_step(start, step.dt);
  // A joint that is slower than this, beside the fastest, does not slip for sure.
  constexpr double slow = 1e-6;
  double fastest = 0.0;
  for (const int k : joints_) fastest = std::max(fastest, rows_.slip_displacement(k, step).norm() / step.dt);
  const std::vector<Vec3> at_start = slip_velocities(start);
  const std::vector<Vec3> at_end = slip_velocities(end);
  for (const int k : joints_) {
    const JointFriction& friction = rows_.friction(k);
    const auto numbers = numbers_of(friction, start);
    double excess = -1.0;
    if (numbers.mode() == FrictionMode::sticks) {
      excess = excess_of(k, end, step.dt);
    } else if (numbers.mode() == FrictionMode::slips) {
      // Slip that goes against its direction at the end of the step has come to rest within it.
      const Vec3& before = at_start[k];
      const Vec3& after = at_end[k];
      const double size = std::max({before.norm(), after.norm(), slow * fastest});
      const double noise = round_off * model_.length_scale / step.dt;
      excess = size > noise ? (-after.dot(Vec3(numbers.direction())) - noise) / size : -1.0;
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
    return std::min(0.0, excess_of(event.friction, start, 0.0));
  }
  return slip_velocities(start)[event.friction].dot(Vec3(numbers.direction())) > 0.0 ? -1.0 : 0.0;
}

bool StickControl::is_immobile(int k, const State& state, std::vector<SlipDirection> locks) const {
  std::erase_if(locks, [&](const SlipDirection& lock) { return lock.friction == k; });
  const int n_slips = rows_.friction(k).n_slips();
  for (int c = 0; c < n_slips; ++c) locks.push_back({k, c});
  const std::vector<DependentSlip> dependent = find_dependent_slips(model_, state, locks);
  return n_slips == std::count_if(dependent.begin(), dependent.end(),
                                  [&](const DependentSlip& slip) { return slip.direction.friction == k; });
}

void StickControl::release(int k, const Vec3& force, State& state) {
  const auto numbers = numbers_of(rows_.friction(k), state);
  numbers.direction() = force.normalized();
  numbers.set_mode(FrictionMode::slips);
  if (is_held(k, state)) numbers.set_mode(FrictionMode::held);
}

std::vector<StickControl::Event> StickControl::misfits(const State& state, const InstantSystem& instant,
                                                       const std::vector<Vec6>& twist_rate) {
  constexpr double negligible = 1e-9;
  std::vector<Event> result;
  // Beside the largest of them, small accelerations are round-off and have no direction.
  double largest = 0.0;
  for (const int k : joints_) largest = std::max(largest, instant.slip_acceleration(k, state, twist_rate).norm());
  const std::vector<Vec3> velocities = slip_velocities(state);
  for (const int k : joints_) {
    const JointFriction& friction = rows_.friction(k);
    const auto numbers = numbers_of(friction, state);
    const Vec3 f = force(k, state);
    double excess = 0.0;
    if (numbers.mode() == FrictionMode::sticks) {
      excess = excess_of(k, state, 0.0);
    } else if (numbers.mode() == FrictionMode::slips && is_slow(velocities[k])) {
      const Vec3 acceleration = instant.slip_acceleration(k, state, twist_rate);
      if (largest > 0.0) excess = -acceleration.dot(Vec3(numbers.direction())) / largest;
    }
    if (excess > negligible) result.push_back({k, excess, f});
  }
  return result;
}

/// Changes all modes that do not fit at once as long as that makes them fewer, and for a few times more; then only the
/// last one of them, which cannot go round in circles (block principal pivoting, J. Judice and F. Pires 1994).
bool StickControl::settle(State& state, InstantSystem& instant, std::vector<Vec6>& twist_rate) {
  constexpr int more_times = 3;
  const int most = 10 * static_cast<int>(joints_.size()) + 20;
  std::size_t fewest = joints_.size() + 1;
  int left = more_times;
  State trial = state;
  std::vector<Vec6> rates = twist_rate;
  for (int k = 0; k < most; ++k) {
    instant.set_shares(shares_);
    if (!instant.accelerate(trial, rates, multipliers_)) break;
    trial.multiplier = multipliers_;
    const std::vector<Event> events = misfits(trial, instant, rates);
    if (events.empty()) {
      state = std::move(trial);
      twist_rate = std::move(rates);
      return true;
    }
    if (share_anew(trial)) continue;
    if (events.size() < fewest) {
      fewest = events.size();
      left = more_times;
    } else {
      --left;
    }
    // In a stuck loop they give way one after the other: the first may find that the others hold it.
    if (may_depend_)
      change_mode(*std::max_element(events.begin(), events.end(), by_excess), trial);
    else if (left > 0)
      for (const Event& event : events) change_mode(event, trial);
    else
      change_mode(events.back(), trial);
    after_changes(trial);
  }
  update(state);
  return false;
}

void StickControl::change_mode(const Event& event, State& state) {
  const auto numbers = numbers_of(rows_.friction(event.friction), state);
  if (numbers.mode() != FrictionMode::slips) return release(event.friction, event.force, state);
  // In a dead point of the mechanism slip only turns round.
  if (may_depend_ && is_immobile(event.friction, state, {}))
    numbers.direction() = -Vec3(numbers.direction());
  else
    numbers.set_mode(FrictionMode::sticks);
}

void StickControl::after_changes(State& state) {
  // Who was held by a lock that is gone now slips too.
  for (const int k : joints_) {
    const auto other = numbers_of(rows_.friction(k), state);
    if (other.mode() == FrictionMode::held && !is_held(k, state)) other.set_mode(FrictionMode::slips);
  }
  update(state);
}

void StickControl::switch_mode(const Event& event, State& state) {
  change_mode(event, state);
  after_changes(state);
}

void StickControl::turn_round(const Event& event, State& state) {
  const auto numbers = numbers_of(rows_.friction(event.friction), state);
  numbers.set_mode(FrictionMode::slips);
  numbers.direction() = -Vec3(numbers.direction());
  update(state);
}

bool StickControl::release_moving(State& state) {
  bool any = false, none_held = true;
  for (const int k : joints_) none_held = none_held && mode_of(rows_.friction(k), state) != FrictionMode::held;
  if (none_held) return false;
  const std::vector<Vec3> velocities = slip_velocities(state);
  for (const int k : joints_) {
    const auto numbers = numbers_of(rows_.friction(k), state);
    if (numbers.mode() != FrictionMode::held || is_slow(velocities[k])) continue;
    numbers.set_mode(FrictionMode::slips);
    numbers.direction() = velocities[k].normalized();
    any = true;
  }
  if (any) update(state);
  return any;
}

void StickControl::stop_with(const State& before, State& state) {
  bool any = false;
  const std::vector<Vec3> old = slip_velocities(before);
  const std::vector<Vec3> now = slip_velocities(state);
  for (const int k : joints_) {
    const auto numbers = numbers_of(rows_.friction(k), state);
    if (numbers.mode() != FrictionMode::slips) continue;
    if (!is_slow(now[k]) && now[k].norm() > 1e-6 * old[k].norm()) continue;
    numbers.set_mode(FrictionMode::sticks);
    any = true;
  }
  if (any) update(state);
}

}  // namespace freeplay
