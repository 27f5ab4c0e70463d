#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "freeplay/mechanics/force_element.h"
#include "freeplay/mechanics/joint.h"
#include "freeplay/mechanics/joint_friction.h"

namespace freeplay {

/// A frame that carries inertia. A rigid body is one node.
struct Node {
  std::string name;
  Location where;
  /// Body axes, about the node's origin: T = 1/2 nu^T mass nu. That of a rigid body: rigid_mass(), or a sum of such.
  Mat6 mass = Mat6::Zero();
  std::array<bool, 6> fixed{};  ///< degrees of freedom in body axes that never move
  int body = -1;                ///< number of the body that it is a part of; -1: it is a body of its own
  bool is_point = false;        ///< a mass without axes: nobody sees whether it turns
};

/// Body mass matrix of a rigid body whose centre of mass is at `centre` (body axes).
Mat6 rigid_mass(double mass, const Vec3& centre, const Mat3& inertia_about_centre);

/// A named place for the history: `crank`, `crank.tip`.
struct OutputPoint {
  std::string name;
  Frame frame;
  bool has_axes = true;  ///< false: its axes are always those of the body, whose own point shows them
  bool turns = true;     ///< false: a point mass
};

/// The mechanism. Frozen once it is assembled: everything that changes in time is in the State.
class Model {
 public:
  std::vector<Node> nodes;
  std::vector<Joint> joints;
  std::vector<JointFriction> frictions;
  std::vector<std::unique_ptr<ForceElement>> elements;
  std::vector<OutputPoint> points;
  Vec3 gravity = Vec3::Zero();

  std::vector<std::string> bodies;  ///< their names, by the numbers that nodes have

  int n_equations = 0;
  int n_multipliers = 0;            ///< of the equations, and after them the friction forces
  std::vector<int> first_internal;  ///< per element, plus the total of the elements at the end
  int n_internal = 0;               ///< of the elements and, after them, of the friction joints
  std::vector<bool> dropped;        ///< per equation: redundant, not enforced (assembly/redundancy.h)

  /// Numbers bodies, equations and internal variables; call once after all parts are there.
  void finish();

  int n_free_dofs() const;
  bool is_point(int node) const { return node != ground && nodes[node].is_point; }
  const Joint& joint_of_equation(int equation) const;
  std::string equation_name(int equation) const;  ///< "pin: tilt about x"

  /// A length and a mass that are typical of the model, to make residuals of mixed units comparable.
  double length_scale = 1.0;
  double mass_scale = 1.0;
};

/// Everything that changes in time.
struct State {
  double time = 0.0;
  double load_factor = 1.0;  ///< share of loads, gravity and drives that acts: below 1 only on the way of statics
  std::vector<Pose> pose;
  std::vector<Vec6> twist;         ///< (V, w) in body axes
  std::vector<double> multiplier;  ///< per equation [N] or [N m], then the friction forces [N]
  std::vector<double> internal;    ///< of the force elements and the friction joints
};

/// Where a frame is.
inline FramePlace place_of(const Frame& frame, const State& state) {
  return place(frame, frame.node == ground ? Pose{} : state.pose[frame.node]);
}

/// Internal variables of one element.
inline std::span<const double> internal_of(const Model& model, const State& state, std::size_t element) {
  return {state.internal.data() + model.first_internal[element],
          static_cast<std::size_t>(model.elements[element]->n_internal())};
}
inline std::span<double> internal_of(const Model& model, State& state, std::size_t element) {
  return {state.internal.data() + model.first_internal[element],
          static_cast<std::size_t>(model.elements[element]->n_internal())};
}

/// Numbers of one friction joint.
inline FrictionNumbers<const double> numbers_of(const JointFriction& friction, const State& state) {
  return FrictionNumbers<const double>(state.internal.data() + friction.first_internal);
}
inline FrictionNumbers<double> numbers_of(const JointFriction& friction, State& state) {
  return FrictionNumbers<double>(state.internal.data() + friction.first_internal);
}

/// The instant described by a state, for joints and elements.
void set_instant(const State& state, Motion& motion);
/// The positions of a state as those of rest, from which some may be moved.
void set_rest(const State& state, Motion& motion);
/// An instant of some nodes only; the others are what they were.
void set_instant_of(std::span<const int> nodes, const State& state, Motion& motion);

}  // namespace freeplay
