#include "freeplay/scheme/guess_errors.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

namespace {

// Mean twists are continued up to second order and multiplied by dt, multipliers linearly and multiplied by dt^2: both
// lack a term of fourth order.
double growth(double dt) { return std::pow(dt, 4); }

}  // namespace

GuessErrors::GuessErrors(std::vector<double> weight) : weight_(std::move(weight)) {
  for (auto& error : error_) error.resize(weight_.size());
}

void GuessErrors::learn(double dt, std::span<const double> guess, std::span<const double> solution) {
  newest_ = (newest_ + n_kept - 1) % n_kept;
  n_known_ = std::min(n_known_ + 1, n_kept);
  dt_ = dt;
  const double factor = 1.0 / growth(dt);
  const std::vector<double>&now = error(0), &before = error(1), &first = error(2);
  double motion = 0.0;
  double sizes[n_kept] = {};  // of the error, and of what is left of it with one and with two errors before it
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    error_[newest_][k] = factor * (solution[k] - guess[k]);
    const double left[n_kept] = {now[k], now[k] - before[k], now[k] - 2.0 * before[k] + first[k]};
    motion += weight_[k] * std::pow(factor * solution[k], 2);
    for (int order = 0; order < n_kept; ++order) sizes[order] += weight_[k] * left[order] * left[order];
  }
  constexpr double much = 0.25;  // so much smaller must a square be to be better for sure, and not by chance
  // Errors that are hardly more than round-off would be accepted as they are, step by step, and add up.
  constexpr double almost_round_off = 1e-10;
  order_ = 0;
  if (sizes[0] < std::pow(almost_round_off, 2) * motion) return;
  while (order_ + 1 < n_known_ && sizes[order_ + 1] < much * sizes[order_]) ++order_;
}

void GuessErrors::correct(double dt, std::span<double> guess) const {
  // After a step of quite another length they say little.
  if (order_ == 0 || dt > 2.0 * dt_ || dt < 0.5 * dt_) return;
  const double factor = growth(dt);
  const std::vector<double>&now = error(0), &before = error(1);
  for (std::size_t k = 0; k < guess.size(); ++k) guess[k] += factor * (order_ == 1 ? now[k] : 2.0 * now[k] - before[k]);
}

std::vector<double> GuessErrors::numbers() const {
  std::vector<double> numbers{static_cast<double>(n_known_), static_cast<double>(order_), dt_};
  for (int k = 0; k < n_kept; ++k) numbers.insert(numbers.end(), error(k).begin(), error(k).end());
  return numbers;
}

void GuessErrors::set_numbers(std::span<const double> numbers) {
  forget();
  // Those of another set of unknowns are of no use.
  if (numbers.size() != 3 + n_kept * weight_.size()) return;
  n_known_ = std::clamp(static_cast<int>(numbers[0]), 0, n_kept);
  order_ = std::clamp(static_cast<int>(numbers[1]), 0, n_kept - 1);
  dt_ = numbers[2];
  newest_ = 0;
  auto number = numbers.begin() + 3;
  for (auto& error : error_) {
    std::copy_n(number, error.size(), error.begin());
    number += error.size();
  }
}

}  // namespace freeplay
