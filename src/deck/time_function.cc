#include "freeplay/deck/time_function.h"

#include <cmath>
#include <utility>

#include "freeplay/base/units.h"

namespace freeplay {

namespace {

class Constant : public TimeFunction::Implementation {
 public:
  explicit Constant(double value) : value_(value) {}
  Jet at(double) const override { return {value_, 0.0, 0.0}; }

 private:
  double value_;
};

}  // namespace

TimeFunction::TimeFunction(double constant)
    : implementation_(std::make_shared<Constant>(constant)), text_(number_text(constant)) {}

TimeFunction::TimeFunction(std::shared_ptr<const Implementation> implementation, std::vector<double> corners,
                           std::string text)
    : implementation_(std::move(implementation)), corners_(std::move(corners)), text_(std::move(text)) {}

double TimeFunction::mean(double t0, double t1) const {
  const double middle = 0.5 * (t0 + t1);
  const double offset = 0.5 * (t1 - t0) * std::sqrt(0.6);
  return (5.0 * (*this)(middle - offset) + 8.0 * (*this)(middle) + 5.0 * (*this)(middle + offset)) / 18.0;
}

}  // namespace freeplay
