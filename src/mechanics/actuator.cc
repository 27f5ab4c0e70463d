#include "freeplay/mechanics/actuator.h"

#include <algorithm>
#include <cmath>

#include "pair_assembly.h"

namespace freeplay {

Actuator::Actuator(std::string name, const Frame& a, const Frame& b, RelativeCoordinate::Pointer coordinate,
                   StateFunctions value, double lag)
    : ForceElement(std::move(name)),
      a_(a),
      b_(b),
      ends_{a.node, b.node},
      nodes_{a.node, b.node},
      coordinate_(std::move(coordinate)),
      value_(std::move(value)),
      lag_(lag) {
  for (const int node : value_.nodes())
    if (std::ranges::find(nodes_, node) == nodes_.end()) nodes_.push_back(node);
}

void Actuator::initialise(const Motion& motion, std::span<double> internal) const {
  value_.initialise(motion, internal.first(value_.n_internal()));
  if (lag_ > 0.0) internal.back() = value_.values(motion, internal)[0];
}

void Actuator::advance(const Motion& motion, std::span<double> internal) const {
  if (lag_ > 0.0) {
    const double wanted = value_.values(motion, internal)[0];
    internal.back() = wanted + (lags(motion) ? (internal.back() - wanted) * std::exp(-motion.passed / lag_) : 0.0);
  }
  value_.advance(motion, internal.first(value_.n_internal()));
}

double Actuator::share_of_value(const Motion& motion) const {
  if (!lags(motion)) return 1.0;
  const double x = motion.passed / lag_;
  return x > 0.0 ? 1.0 + std::expm1(-x) / x : 0.0;
}

double Actuator::force(const Motion& motion, std::span<const double> internal) const {
  const double share = share_of_value(motion);
  const double wanted = share > 0.0 ? value_.values(motion, internal)[0] : 0.0;
  return share < 1.0 ? share * wanted + (1.0 - share) * internal.back() : wanted;
}

void Actuator::add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const {
  add_wrench(ends_, -force(motion, internal) * coordinate_->force(motion(a_), motion(b_), change(motion)), forces);
}

void Actuator::add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const {
  const FrameMotion A = motion(a_), B = motion(b_);
  const RelativeCoordinate::Change c = change(motion);
  add_block(ends_, TangentSink::Row::balance, TangentSink::Column::end,
            -force(motion, internal) * coordinate_->force_tangent(A, B, c), sink);
  const Vec12 along = share_of_value(motion) * coordinate_->force(A, B, c);
  value_.derivatives(motion, internal, [&](int, int node, const Vec6& derivative) {
    for (int side = 0; side < 2; ++side)
      if (ends_[side] != ground)
        sink.add(TangentSink::Row::balance, ends_[side], TangentSink::Column::end, node,
                 -along.segment<6>(6 * side) * derivative.transpose());
  });
}

StepWork Actuator::work(const Motion& motion, std::span<const double> internal) const {
  StepWork work;
  work.load_work = force(motion, internal) * change(motion).increment;
  return work;
}

std::vector<ForceElement::Quantity> Actuator::quantities() const {
  return {coordinate_->is_angle() ? Quantity{"moment", "N*m"} : Quantity{"force", "N"}};
}

void Actuator::evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const {
  values[0] = force(motion, internal);
}

}  // namespace freeplay
