#include "freeplay/mechanics/model.h"

#include <algorithm>
#include <limits>

namespace freeplay {

Mat6 rigid_mass(double mass, const Vec3& centre, const Mat3& inertia_about_centre) {
  const Mat3 c = skew(centre);
  Mat6 m;
  m << mass * Mat3::Identity(), -mass * c, mass * c, inertia_about_centre - mass * c * c;
  return m;
}

void Model::finish() {
  for (Node& node : nodes) {
    if (node.body >= 0) continue;
    node.body = static_cast<int>(bodies.size());
    bodies.push_back(node.name);
  }
  n_equations = 0;
  for (Joint& joint : joints) {
    joint.first_equation = n_equations;
    n_equations += static_cast<int>(joint.equations.size());
  }
  dropped.assign(n_equations, false);
  first_internal.assign(1, 0);
  for (const auto& element : elements) first_internal.push_back(first_internal.back() + element->n_internal());
  for (Joint& joint : joints)
    for (Equation& equation : joint.equations)
      for (Equation::Part& part : equation.parts())
        if (part.angle >= 0) part.count = first_internal[part.angle];
  n_multipliers = n_equations;
  n_internal = first_internal.back();
  for (JointFriction& friction : frictions) {
    friction.first_multiplier = n_multipliers;
    friction.first_internal = n_internal;
    n_multipliers += friction.n_slips();
    n_internal += FrictionNumbers<double>::count;
  }
}

int Model::n_free_dofs() const {
  int n = 0;
  for (const Node& node : nodes) n += static_cast<int>(std::count(node.fixed.begin(), node.fixed.end(), false));
  return n;
}

const Joint& Model::joint_of_equation(int equation) const {
  const auto after = std::upper_bound(joints.begin(), joints.end(), equation,
                                      [](int e, const Joint& joint) { return e < joint.first_equation; });
  return *std::prev(after);
}

std::string Model::equation_name(int equation) const {
  const Joint& joint = joint_of_equation(equation);
  return joint.name + ": " + joint.equations[equation - joint.first_equation].label();
}

namespace {

void set_instant(const State& state, std::size_t node, Motion& motion) {
  const Pose& pose = state.pose[node];
  const Vec6& twist = state.twist[node];
  motion.nodes[node] = {pose};
  motion.velocity[node] << pose.R * twist.head<3>(), pose.R * twist.tail<3>();
}

void set_clock(const State& state, Motion& motion, Motion::Kind kind = Motion::Kind::instant) {
  motion.time = state.time;
  motion.load_factor = state.load_factor;
  motion.dt = std::numeric_limits<double>::infinity();
  motion.passed = 0.0;
  motion.kind = kind;
  motion.nodes.resize(state.pose.size());
  motion.velocity.resize(state.pose.size());
}

}  // namespace

void set_instant(const State& state, Motion& motion) {
  set_clock(state, motion);
  for (std::size_t node = 0; node < state.pose.size(); ++node) set_instant(state, node, motion);
}

void set_rest(const State& state, Motion& motion) {
  set_clock(state, motion, Motion::Kind::rest);
  for (std::size_t node = 0; node < state.pose.size(); ++node) {
    motion.nodes[node] = {state.pose[node]};
    motion.velocity[node].setZero();
  }
}

void set_instant_of(std::span<const int> nodes, const State& state, Motion& motion) {
  set_clock(state, motion);
  for (const int node : nodes)
    if (node != ground) set_instant(state, node, motion);
}

}  // namespace freeplay
