#include "freeplay/mechanics/state_functions.h"

#include <algorithm>

namespace freeplay {

StateFunctions::StateFunctions(std::array<TimeFunction, 3> functions)
    : functions_(functions.begin(), functions.end()), inputs_of_(3), first_integral_(3, 0) {}

StateFunctions::StateFunctions(std::vector<TimeFunction> functions, const Find& find)
    : functions_(std::move(functions)) {
  std::vector<Signal> known;
  for (const TimeFunction& function : functions_) {
    inputs_of_.emplace_back();
    if (!function.of_state()) continue;
    for (const Signal& signal : function.of_state()->signals()) {
      const auto found = std::ranges::find(known, signal);
      inputs_of_.back().push_back(static_cast<int>(found - known.begin()));
      if (found != known.end()) continue;
      known.push_back(signal);
      inputs_.push_back(find(signal));
    }
  }
  for (const StateInput& input : inputs_) {
    count_.push_back(input.coordinate->is_angle() ? n_internal_++ : -1);
    for (const int node : {input.a.node, input.b.node})
      if (node != ground && std::ranges::find(nodes_, node) == nodes_.end()) nodes_.push_back(node);
  }
  for (const TimeFunction& function : functions_) {
    first_integral_.push_back(n_internal_);
    if (function.of_state()) n_internal_ += function.of_state()->n_integrals();
  }
}

RelativeCoordinate::Change StateFunctions::change(std::size_t input, const Motion& motion,
                                                  std::span<const double> internal) const {
  const StateInput& from = inputs_[input];
  return from.coordinate->change(motion(from.a), motion(from.b), count_[input] < 0 ? 0.0 : internal[count_[input]]);
}

double StateFunctions::signal(std::size_t input, const Motion& motion, std::span<const double> internal) const {
  const StateInput& from = inputs_[input];
  const RelativeCoordinate::Change c = change(input, motion, internal);
  if (!from.is_rate) return c.start + 0.5 * c.increment;
  if (!motion.is_instant()) return c.increment / motion.dt;
  Vec12 velocity;
  velocity << motion.velocity_of(from.a.node), motion.velocity_of(from.b.node);
  return from.coordinate->force(motion(from.a), motion(from.b), c).dot(velocity);
}

Expression::Step StateFunctions::step(int k, const Motion& motion, std::span<const double> internal, int by_signal,
                                      Signals& signals) const {
  const std::vector<int>& inputs = inputs_of_[k];
  for (std::size_t s = 0; s < inputs.size(); ++s)
    signals[s] = {signal(inputs[s], motion, internal), static_cast<int>(s) == by_signal ? 1.0 : 0.0, 0.0};
  return {{motion.mid_time(), 0.0, 0.0},
          std::span<const Jet>(signals).first(inputs.size()),
          internal.subspan(first_integral_[k], functions_[k].of_state()->n_integrals()),
          motion.passed};
}

Jet StateFunctions::value(int k, const Motion& motion, std::span<const double> internal, int by_signal) const {
  Signals signals;
  return functions_[k].of_state()->over(step(k, motion, internal, by_signal, signals));
}

void StateFunctions::initialise(const Motion& motion, std::span<double> internal) const {
  std::ranges::fill(internal, 0.0);
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (count_[i] >= 0)
      internal[count_[i]] = inputs_[i].coordinate->value(motion(inputs_[i].a).start, motion(inputs_[i].b).start);
}

void StateFunctions::advance(const Motion& motion, std::span<double> internal) const {
  for (int k = 0; k < size(); ++k) {
    const Expression* expression = functions_[k].of_state();
    if (!expression || expression->n_integrals() == 0) continue;
    const std::span<double> integrals = internal.subspan(first_integral_[k], expression->n_integrals());
    Signals signals;
    expression->integrate(step(k, motion, internal, -1, signals), integrals);
  }
  // Last, because signals need the angles at the start of the step.
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (count_[i] >= 0) internal[count_[i]] = change(i, motion, internal).end;
}

Vec3 StateFunctions::values(const Motion& motion, std::span<const double> internal) const {
  Vec3 result = Vec3::Zero();
  for (int k = 0; k < size(); ++k) {
    if (functions_[k].of_state())
      result[k] = value(k, motion, internal).value;
    else
      result[k] =
          motion.passed == 0.0 ? functions_[k](motion.time) : functions_[k].mean(motion.time, motion.end_time());
  }
  return motion.load_factor * result;
}

Vec12 StateFunctions::derivative(int k, int s, const Motion& motion, std::span<const double> internal) const {
  const int i = inputs_of_[k][s];
  const StateInput& from = inputs_[i];
  const double by_signal = motion.load_factor * value(k, motion, internal, s).rate;
  const double by_end = by_signal * (from.is_rate ? (motion.dt > 0.0 ? 1.0 / motion.dt : 0.0) : 0.5);
  return by_end * from.coordinate->end_gradient(motion(from.a), motion(from.b), change(i, motion, internal));
}

std::vector<double> StateFunctions::corners() const {
  std::vector<double> all;
  for (const TimeFunction& f : functions_) all.insert(all.end(), f.corners().begin(), f.corners().end());
  return all;
}

}  // namespace freeplay
