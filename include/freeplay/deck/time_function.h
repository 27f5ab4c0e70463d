#pragma once

#include <memory>
#include <string>
#include <vector>

namespace freeplay {

/// A value and its first two time derivatives.
struct Jet {
  double value = 0.0;
  double rate = 0.0;
  double second_rate = 0.0;
};

class Expression;

/// A scalar function of time: a constant, an expression in `t`, or a table (piecewise linear, constant outside).
/// SI units. Immutable and cheap to copy; evaluation does not allocate.
class TimeFunction {
 public:
  class Implementation {
   public:
    virtual ~Implementation() = default;
    virtual Jet at(double t) const = 0;
  };

  TimeFunction() : TimeFunction(0.0) {}
  TimeFunction(double constant);  // NOLINT(google-explicit-constructor): a number is a function of time
  TimeFunction(std::shared_ptr<const Implementation> implementation, std::vector<double> corners, std::string text);

  double operator()(double t) const { return implementation_->at(t).value; }
  Jet jet(double t) const { return implementation_->at(t); }

  /// Mean over [t0, t1] by Gauss quadrature (3 points): exact for polynomials of degree 5.
  double mean(double t0, double t1) const;

  /// Times at which a derivative jumps (the knots of a table). A step should end there.
  const std::vector<double>& corners() const { return corners_; }

  /// The expression of a function that depends on the motion as well (Format state_function); null for all others.
  /// At a time alone, what it takes from the motion counts as 0.
  const Expression* of_state() const { return of_state_.get(); }
  void set_of_state(std::shared_ptr<const Expression> expression) { of_state_ = std::move(expression); }

  /// As the user wrote it, for resolved.yaml.
  const std::string& text() const { return text_; }

 private:
  std::shared_ptr<const Implementation> implementation_;
  std::vector<double> corners_;
  std::string text_;
  std::shared_ptr<const Expression> of_state_;
};

}  // namespace freeplay
