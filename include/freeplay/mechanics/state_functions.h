#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "freeplay/deck/expression.h"
#include "freeplay/deck/signal.h"
#include "freeplay/deck/time_function.h"
#include "freeplay/mechanics/motion.h"
#include "freeplay/mechanics/relative_coordinate.h"

namespace freeplay {

/// Where a signal of the motion comes from.
struct StateInput {
  RelativeCoordinate::Pointer coordinate;
  Frame a, b;
  bool is_rate = false;
};

/// Some functions of time and motion, constant over a step: a function of time alone is its mean, one of the motion has
/// the mean values of positions and angles and the mean rates. Turns and integrals over time are internal numbers.
class StateFunctions {
 public:
  using Find = std::function<StateInput(const Signal&)>;

  /// Functions of time alone.
  StateFunctions(std::array<TimeFunction, 3> functions);  // NOLINT(google-explicit-constructor)
  StateFunctions(std::vector<TimeFunction> functions, const Find& find);

  int size() const { return static_cast<int>(functions_.size()); }
  /// Of the places that signals come from, without ground.
  const std::vector<int>& nodes() const { return nodes_; }
  int n_internal() const { return n_internal_; }
  void initialise(const Motion& motion, std::span<double> internal) const;
  void advance(const Motion& motion, std::span<double> internal) const;

  /// Times the load factor. At most three.
  Vec3 values(const Motion& motion, std::span<const double> internal) const;
  /// Calls `take(k, node, derivative)` for the derivatives of function k by (dx, dphi) of a node at the end of the
  /// step.
  template <class Take>
  void derivatives(const Motion& motion, std::span<const double> internal, const Take& take) const {
    for (int k = 0; k < size(); ++k)
      for (std::size_t s = 0; s < inputs_of_[k].size(); ++s) {
        const StateInput& from = inputs_[inputs_of_[k][s]];
        const Vec12 gradient = derivative(k, static_cast<int>(s), motion, internal);
        if (from.a.node != ground) take(k, from.a.node, Vec6(gradient.head<6>()));
        if (from.b.node != ground) take(k, from.b.node, Vec6(gradient.tail<6>()));
      }
  }

  std::vector<double> corners() const;

 private:
  std::vector<TimeFunction> functions_;
  std::vector<std::vector<int>> inputs_of_;  ///< per function and signal: which of inputs_
  std::vector<int> first_integral_;          ///< per function, among the internal numbers
  std::vector<StateInput> inputs_;
  std::vector<int> count_;  ///< per input: where its angle is among the internal numbers; -1: it has none
  std::vector<int> nodes_;
  int n_internal_ = 0;

  RelativeCoordinate::Change change(std::size_t input, const Motion& motion, std::span<const double> internal) const;
  double signal(std::size_t input, const Motion& motion, std::span<const double> internal) const;
  /// Of function k by its signal s.
  Vec12 derivative(int k, int s, const Motion& motion, std::span<const double> internal) const;
  /// What function k sees of a step; `signals` keeps the values.
  using Signals = std::array<Jet, Expression::most_signals>;
  Expression::Step step(int k, const Motion& motion, std::span<const double> internal, int by_signal,
                        Signals& signals) const;
  /// Function k, and its derivative by one of its signals if that is not negative.
  Jet value(int k, const Motion& motion, std::span<const double> internal, int by_signal = -1) const;
};

}  // namespace freeplay
