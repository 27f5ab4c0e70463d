#pragma once

// Models built by hand that contain one of everything, in a world that may be turned and shifted.

#include <memory>
#include <vector>

#include "freeplay/assembly/assembly.h"
#include "freeplay/mechanics/actuator.h"
#include "freeplay/mechanics/applied_load.h"
#include "freeplay/mechanics/ideal_joint.h"
#include "freeplay/mechanics/spring.h"
#include "mechanics/joint_freedom_testing.h"
#include "mechanics/motion_testing.h"

namespace freeplay {

/// A time function from any callable t -> Jet.
template <class Function>
TimeFunction time_function_of(Function function) {
  class Implementation : public TimeFunction::Implementation {
   public:
    explicit Implementation(Function f) : f_(std::move(f)) {}
    Jet at(double t) const override { return f_(t); }

   private:
    Function f_;
  };
  return {std::make_shared<Implementation>(std::move(function)), {}, "test"};
}

inline Mat6 random_mass(Random& random) {
  const Mat3 Q = random.rotation();
  const Mat3 inertia = Q * Vec3(random(0.5, 0.7), random(0.5, 0.7), random(0.5, 0.7)).asDiagonal() * Q.transpose();
  return rigid_mass(random(1.0, 3.0), random.vector(0.4), inertia);
}

inline Node random_node(const std::string& name, Random& random) {
  Node node;
  node.name = name;
  node.mass = random_mass(random);
  return node;
}

/// The frame of a node (or of ground) that is at a given place.
inline Frame frame_at(int node, const std::vector<Pose>& poses, const Pose& where) {
  if (node == ground) return {ground, where.x, where.R};
  const Pose& pose = poses[node];
  return {node, pose.R.transpose() * (where.x - pose.x), pose.R.transpose() * where.R};
}

/// Node axes are not far from parallel, and so are these: angles about an axis need that.
inline Frame nearly_parallel_frame(int node, Random& random) {
  return {node, random.vector(), cayley(random.vector(0.3))};
}

inline TimeFunction state_function_of(const std::string& text) {
  const auto expression = std::make_shared<Expression>(text, Parameters(), Expression::Time::with_state);
  TimeFunction function(expression, {}, text);
  function.set_of_state(expression);
  return function;
}

/// Every type of joint with all its drives, every spring and load, between random places that do not fit: good for
/// derivatives, not for motion. Node 2 is plane, node 3 is clamped but for its translations.
inline Model model_of_everything(Random& random) {
  Model model;
  const int n_nodes = 5;
  for (int n = 0; n < n_nodes; ++n) model.nodes.push_back(random_node("body" + std::to_string(n), random));
  model.nodes[2].fixed = {false, false, true, true, true, false};
  model.nodes[3].fixed = {false, false, false, true, true, true};
  model.gravity = random.vector(9.81);
  model.length_scale = 1.3;
  model.mass_scale = 2.2;
  int next = 0;
  const auto other_node = [&](int node) { return (node + 1 + next % (n_nodes - 1)) % n_nodes; };
  for (const IdealJointType& type : ideal_joint_types()) {
    const int node = next++ % n_nodes;
    for (const int partner : {other_node(node), ground}) {
      Frame a = random_frame(partner, random), b = random_frame(node, random);
      if (type.keys.lead) a = nearly_parallel_frame(partner, random), b = nearly_parallel_frame(node, random);
      JointSpec spec = spec_of_type(type.keys.name, next % 2 == 0 ? a : b);
      if (type.keys.drives_angle)
        spec.drive.angle = time_function_of([](double t) { return Jet{0.3 + 2.0 * t, 2.0, 0.0}; });
      if (type.keys.drives_displacement)
        spec.drive.displacement = time_function_of([](double t) { return Jet{1.0 + t * t, 2.0 * t, 2.0}; });
      if (type.keys.curve) spec.curve[1] += 0.7 * (next % 2 == 0 ? a : b).axes.col(1);  // bent
      model.joints.push_back(next % 2 == 0 ? joint_of_spec(spec, a, b) : joint_of_spec(spec, b, a));
    }
  }
  // Couplings of two joints: four places, of which two may be on one node or on ground.
  for (const std::array<int, 4>& nodes :
       {std::array{0, 1, 2, 4}, std::array{ground, 3, ground, 0}, std::array{1, 2, 1, 3}}) {
    Joint coupling{"coupling",
                   "coupler",
                   {},
                   nearly_parallel_frame(nodes[0], random),
                   nearly_parallel_frame(nodes[1], random),
                   {Equation::relation({{0.7, RelativeCoordinate::angle(), 0},
                                        {1.0, RelativeCoordinate::displacement(random.direction()), 0},
                                        {-0.4, RelativeCoordinate::angle(), 1},
                                        {0.3, RelativeCoordinate::displacement(), 1}},
                                       "relation", true, 0.2)}};
    coupling.others = {nearly_parallel_frame(nodes[2], random), nearly_parallel_frame(nodes[3], random)};
    model.joints.push_back(coupling);
  }
  const PiecewiseLinear law(std::vector<std::array<double, 2>>{{-1.0, -7.0}, {0.0, 0.0}, {1.0, 3.0}});
  const Vec6 stiffness = random.twist().cwiseAbs() * 10.0, damping = random.twist().cwiseAbs();
  for (int node = 0; node < n_nodes; ++node)
    for (const int partner : {other_node(node), ground}) {
      const Frame a = random_frame(partner, random), b = random_frame(node, random);
      const Frame axis_a = nearly_parallel_frame(partner, random), axis_b = nearly_parallel_frame(node, random);
      model.elements.push_back(std::make_unique<TranslationalSpring>("s", a, b, law, 0.3, 1.0));
      model.elements.push_back(std::make_unique<TorsionalSpring>("t", axis_a, axis_b, law, 0.3, 0.1));
      // Node 4 has no bushing, so that nodes with and without a jump meet.
      if (node != 4 && partner != 4) model.elements.push_back(std::make_unique<Bushing>("b", a, b, stiffness, damping));
      const std::array<TimeFunction, 3> value{1.0, 2.0, time_function_of([](double t) { return Jet{t, 1.0, 0.0}; })};
      for (const auto kind : {AppliedLoad::Kind::force, AppliedLoad::Kind::torque})
        model.elements.push_back(std::make_unique<AppliedLoad>("F", kind, b, value, partner == ground));
      // Forces that depend on the motion of other nodes.
      const std::vector<TimeFunction> of_state{state_function_of("2*sin(x.position.x) * y.velocity.z + x.angle"), 0.0,
                                               state_function_of("x.angle_rate^2 + 3*integral(t*x.position.x)")};
      const Frame far = random_frame((node + 2) % n_nodes, random);
      const auto find = [&](const Signal& signal) -> StateInput {
        if (signal.kind == Signal::Kind::angle) return {RelativeCoordinate::angle(), axis_a, axis_b, signal.is_rate};
        return {RelativeCoordinate::displacement_in_space(Vec3::Unit(signal.axis)),
                {},
                signal.of == "x" ? b : far,
                signal.is_rate};
      };
      model.elements.push_back(std::make_unique<AppliedLoad>("control", AppliedLoad::Kind::force, b,
                                                             StateFunctions(of_state, find), partner == ground));
      model.elements.push_back(std::make_unique<Actuator>("motor", axis_a, axis_b, RelativeCoordinate::angle(),
                                                          StateFunctions({of_state.front()}, find)));
      model.elements.push_back(std::make_unique<Actuator>("slow motor", axis_a, axis_b, RelativeCoordinate::angle(),
                                                          StateFunctions({of_state.front()}, find), 0.01));
    }
  model.finish();
  return model;
}

/// A state in which all bodies are roughly parallel.
inline State random_state(const Model& model, Random& random) {
  State state;
  state.time = 0.2;
  for (const Node& node : model.nodes) {
    state.pose.push_back({random.vector(2.0), cayley(random.vector(0.3))});
    Vec6 twist = random.twist();
    for (int k = 0; k < 6; ++k)
      if (node.fixed[k]) twist[k] = 0.0;
    state.twist.push_back(twist);
  }
  state.multiplier.assign(model.n_multipliers, 0.0);
  state.internal.assign(model.n_internal, 0.0);
  Motion now;
  set_instant(state, now);
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    model.elements[e]->initialise(now, {state.internal.data() + model.first_internal[e],
                                        static_cast<std::size_t>(model.elements[e]->n_internal())});
  return state;
}

/// A mechanism that fits and moves: three bodies in a chain (hinge, cross, ball), held back by every kind of spring and
/// pushed by every kind of load. The whole world, with gravity and loads, may be turned and shifted.
inline Assembled chain_in_world(const Pose& world) {
  Random random(77);
  Assembled chain;
  Model& model = chain.model;
  std::vector<Pose> poses;  // before the world is moved
  for (int n = 0; n < 3; ++n) {
    model.nodes.push_back(random_node("body" + std::to_string(n), random));
    poses.push_back({Vec3(0.6 + n, 0.1 * n, -0.2 * n) + random.vector(0.1), random.rotation()});
  }
  const auto frame = [&](int node, const Pose& where) { return carried(world, frame_at(node, poses, where)); };
  const auto joint = [&](const std::string& type, int a, int b, const Vec3& x, const Mat3& axes) {
    model.joints.push_back(joint_of_type(type, frame(a, {x, axes}), frame(b, {x, axes})));
  };
  joint("revolute", ground, 0, Vec3(0.0, 0.0, 0.0), random.rotation());
  joint("universal", 0, 1, Vec3(1.1, 0.1, -0.1), random.rotation());
  joint("spherical", 1, 2, Vec3(2.1, 0.2, -0.3), random.rotation());

  const Pose on_ground{Vec3(3.0, 1.0, 1.0), random.rotation()};
  const Mat3 hinge_axes = basis_with_third_axis(random.direction());
  const Vec6 stiffness = (Vec6() << 400.0, 300.0, 500.0, 20.0, 30.0, 40.0).finished();
  model.elements.push_back(std::make_unique<Bushing>("bushing", frame(ground, on_ground),
                                                     frame(2, {poses[2].x, on_ground.R}), stiffness, 0.01 * stiffness));
  model.elements.push_back(std::make_unique<Bushing>("bushing between", frame(0, {poses[1].x, hinge_axes}),
                                                     frame(1, {poses[1].x, hinge_axes}), 0.1 * stiffness,
                                                     Vec6::Zero()));
  model.elements.push_back(
      std::make_unique<TranslationalSpring>("spring", frame(ground, {Vec3(1.0, -2.0, 0.0), Mat3::Identity()}),
                                            frame(1, {poses[1].x, Mat3::Identity()}), PiecewiseLinear(50.0), 2.0, 1.5));
  model.elements.push_back(std::make_unique<TorsionalSpring>("torsion", frame(ground, {Vec3::Zero(), hinge_axes}),
                                                             frame(0, {Vec3::Zero(), hinge_axes}),
                                                             PiecewiseLinear(10.0), 0.2, 0.5));
  const Vec3 force(3.0, -2.0, 5.0);
  const auto component = [&](const Mat3& Q, int k) {
    return time_function_of([value = (Q * force)[k]](double t) {
      return Jet{value * std::sin(9.0 * t), 9.0 * value * std::cos(9.0 * t), -81.0 * value * std::sin(9.0 * t)};
    });
  };
  for (const bool following : {false, true})
    for (const auto kind : {AppliedLoad::Kind::force, AppliedLoad::Kind::torque}) {
      const Mat3 Q = following ? Mat3(Mat3::Identity()) : world.R;
      model.elements.push_back(std::make_unique<AppliedLoad>(
          "load", kind, Frame{2, Vec3(0.1, 0.2, 0.3), Mat3::Identity()},
          std::array<TimeFunction, 3>{component(Q, 0), component(Q, 1), component(Q, 2)}, following));
    }
  model.gravity = world.R * Vec3(0.0, -3.0, -9.0);
  model.length_scale = 3.0;
  model.mass_scale = 3.0;
  model.finish();

  State& state = chain.state;
  for (const Pose& pose : poses) {
    state.pose.push_back(carried(world, pose));
    state.twist.push_back(random.twist());
  }
  state.multiplier.assign(model.n_multipliers, 0.0);
  state.internal.assign(model.n_internal, 0.0);
  if (const auto misfit = follow_constraints(model, state)) throw std::logic_error(misfit->message);
  Motion now;
  set_instant(state, now);
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    model.elements[e]->initialise(now, {state.internal.data() + model.first_internal[e],
                                        static_cast<std::size_t>(model.elements[e]->n_internal())});
  return chain;
}

}  // namespace freeplay
