#pragma once

#include <array>

#include "freeplay/deck/time_function.h"
#include "freeplay/mechanics/force_element.h"

namespace freeplay {

/// A force and a moment per length along a beam, lumped at its nodes like its inertia: the Gauss-Lobatto weight of a
/// node is the integral of its shape function, so that for constant loads this is the consistent load, and a force of
/// mass times g per length is the weight. Components are in inertial axes or in those of the section ("following").
class LineLoad : public ForceElement {
 public:
  using Components = std::array<TimeFunction, 3>;
  /// The part of the beam that a node stands for, in one element.
  struct Share {
    int node = 0;
    double length = 0.0;                   ///< [m]
    Mat3 section_axes = Mat3::Identity();  ///< in the axes of the node; they differ after a corner
  };

  LineLoad(std::string name, std::vector<Share> shares, Components force, Components moment, bool following);

  std::span<const int> nodes() const override { return nodes_; }
  bool couples_nodes() const override { return false; }
  bool is_load() const override { return true; }
  void add_forces(const Motion& motion, std::span<const double> internal, std::vector<Vec6>& forces) const override;
  void add_tangent(const Motion& motion, std::span<const double> internal, TangentSink& sink) const override;
  StepWork work(const Motion& motion, std::span<const double> internal) const override;
  std::vector<double> corners() const override;
  /// The sums of the forces and of the moments on all nodes.
  std::vector<Quantity> quantities() const override;
  void evaluate(const Motion& motion, std::span<const double> internal, std::span<double> values) const override;

 private:
  /// Force and moment per length, as the user gave them.
  struct Intensity {
    Vec3 force, moment;
  };
  Intensity intensity(const Motion& motion) const;
  /// Force and moment on the node of a share, inertial axes.
  Vec6 load(const Motion& motion, const Share& share, const Intensity& intensity) const;

  std::vector<Share> shares_;
  std::vector<int> nodes_;  ///< of the shares
  Components force_, moment_;
  bool following_;
};

}  // namespace freeplay
