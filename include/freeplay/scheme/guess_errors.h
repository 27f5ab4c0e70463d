#pragma once

#include <array>
#include <span>
#include <vector>

namespace freeplay {

/// What the guesses for the last steps lacked, to do the next one better: in smooth motion an error resembles the one
/// before, and its change the change before. How far the errors are continued is decided by what would have been right
/// for the last step, so that a motion that is not smooth gets the plain guess.
class GuessErrors {
 public:
  static constexpr int n_kept = 3;

  /// `weight`: of each unknown in the size of an error.
  explicit GuessErrors(std::vector<double> weight);

  void forget() { n_known_ = order_ = 0; }
  void learn(double dt, std::span<const double> guess, std::span<const double> solution);
  /// Adds the error that is to be expected of a step of length dt.
  void correct(double dt, std::span<double> guess) const;

  /// All that it knows, for checkpoints.
  std::vector<double> numbers() const;
  void set_numbers(std::span<const double> numbers);

 private:
  const std::vector<double>& error(int k) const { return error_[(newest_ + k) % n_kept]; }

  std::vector<double> weight_;
  /// Divided by the power of dt that they grow with.
  std::array<std::vector<double>, n_kept> error_;
  int newest_ = 0;   ///< then the one before, and so on
  int n_known_ = 0;  ///< of them
  int order_ = 0;    ///< how many of them to use for the next guess
  double dt_ = 0.0;  ///< of the last step
};

}  // namespace freeplay
