#pragma once

// What the user may write for a number: `0.5 mm`, `${c}/2`, `10 N * sin(3 rad/s * t)`.
//
// Dimensions. As soon as a unit (or a parameter that has one) appears, dimensions are strict: terms that are added or
// compared must agree, the argument of `sin` is a pure number, and `t` carries seconds. Only a literal 0 fits
// everywhere. Without any unit, `t` is the number of seconds and the result is in the SI unit of the key.

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/base/units.h"
#include "freeplay/deck/signal.h"
#include "freeplay/deck/time_function.h"

namespace freeplay {

/// The values of `${name}`.
class Parameters {
 public:
  void add(const std::string& name, const Quantity& value) { values_[name] = {value, false}; }
  /// A parameter whose definition is wrong: its uses are not reported again.
  void add_broken(const std::string& name) { values_[name] = {{}, true}; }

  struct Value {
    Quantity quantity;
    bool broken = false;
  };
  const Value* find(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  std::map<std::string, Value, std::less<>> values_;
};

/// The text is not a valid expression. `offset` counts characters from the beginning of the text. An empty message
/// means that the cause (a broken parameter) has been reported already.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& message, std::size_t offset) : std::runtime_error(message), offset_(offset) {}
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

struct Program;

/// An immutable compiled expression. Evaluation gives exact derivatives with respect to time and does not allocate.
class Expression : public TimeFunction::Implementation {
 public:
  enum class Time { forbidden, allowed, with_state };  ///< with_state: signals of the motion, too

  /// Throws ExpressionError.
  Expression(std::string_view text, const Parameters& parameters, Time time);

  Jet at(double t) const override;

  /// Signals of the motion that it uses, and integrals over time that it has.
  const std::vector<Signal>& signals() const;
  int n_integrals() const;
  static constexpr std::size_t most_signals = 16, most_integrals = 4;

  /// Over a step: values in the middle of it. Rates are derivatives by whatever the caller has in mind.
  struct Step {
    Jet time;
    std::span<const Jet> signals;       ///< in the order of signals()
    std::span<const double> integrals;  ///< at the start of the step
    double dt = 0.0;                    ///< 0: an instant
  };
  Jet over(const Step& step) const;
  /// Adds what the integrals grow by.
  void integrate(const Step& step, std::span<double> integrals) const;

  bool has_units() const { return has_units_; }
  bool depends_on_time() const { return depends_on_time_; }
  bool depends_on_state() const { return depends_on_state_; }

  /// Without units an expression fits every dimension.
  bool fits(const Dimension& dimension) const { return !has_units_ || is_zero_ || dimension == dimension_; }
  const Dimension& dimension() const { return dimension_; }

  /// Times > 0 at which a comparison, `step`, `ramp`, `abs`, `sign`, `min` or `max` switches, as far as the switching
  /// quantity is linear in `t`.
  const std::vector<double>& corners() const { return corners_; }

  /// The text with the values of the parameters put in.
  const std::string& resolved_text() const { return resolved_text_; }

 private:
  std::shared_ptr<const Program> program_;
  bool has_units_ = false;
  bool depends_on_time_ = false;
  bool depends_on_state_ = false;
  bool is_zero_ = false;
  Dimension dimension_;
  std::vector<double> corners_;
  std::string resolved_text_;
};

}  // namespace freeplay
