#pragma once

#include <map>
#include <span>
#include <utility>

#include "freeplay/analysis/rotor.h"

namespace freeplay {

/// Tangents of one element by the positions of its nodes, inertial axes.
using InertialTangents = std::map<std::pair<int, int>, Mat6>;
InertialTangents inertial_tangents(const Model& model, const State& state, std::size_t element, double dt);

/// Columns: what each equation of a joint hinders, as forces on the nodes of both sides in inertial axes.
JointGradients gradient_of(const Joint& joint, const State& state);

/// Where nodes are: on the rotor, or not.
struct Sides {
  bool rotor = false, rest = false;
  bool both() const { return rotor && rest; }
};
Sides sides_of(const Rotor& rotor, std::span<const int> nodes);

bool is_on_axis(const Model& model, const State& state, const Rotor& rotor, int node);

/// Whether the rotor, or what stands still, is the same in all directions across the axis.
class RotorSymmetry {
 public:
  RotorSymmetry(const Model& model, const State& state, const Rotor& rotor)
      : model_(model), state_(state), rotor_(rotor) {}

  /// What lies between the rotor and the rest must not see how far the rotor has turned. InputError.
  void check_connections() const;
  /// The first part of the rotor, or of the rest, that is not the same in all directions; empty: there is none.
  std::string uneven_part(bool of_rotor) const;

 private:
  Mat3 rotation(double angle) const;
  State with_rotor_rotated(double angle) const;
  bool is_even(const InertialTangents& tangents) const;
  bool is_even(const Joint& joint) const;
  bool is_even(int node) const;

  const Model& model_;
  const State& state_;
  const Rotor& rotor_;
};

}  // namespace freeplay
