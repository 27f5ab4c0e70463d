#pragma once

#include <array>

#include "freeplay/mechanics/force_element.h"

namespace freeplay {

/// Counts the angle of b_1 from a_1 about a_3 over many turns, for results. Puts no force on anything.
class JointAngle : public ForceElement {
 public:
  JointAngle(std::string name, const Frame& a, const Frame& b);

  std::span<const int> nodes() const override { return nodes_; }
  bool couples_nodes() const override { return false; }
  /// The angle [rad].
  int n_internal() const override { return 1; }
  void initialise(const Motion& motion, std::span<double> internal) const override;
  void advance(const Motion& motion, std::span<double> internal) const override;

  void add_forces(const Motion&, std::span<const double>, std::vector<Vec6>&) const override {}
  void add_tangent(const Motion&, std::span<const double>, TangentSink&) const override {}
  StepWork work(const Motion&, std::span<const double>) const override { return {}; }

 private:
  Frame a_, b_;
  std::array<int, 2> nodes_;
};

}  // namespace freeplay
