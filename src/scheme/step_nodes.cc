#include "freeplay/scheme/step_nodes.h"

#include <algorithm>
#include <cmath>

#include "freeplay/math/prefetch.h"
#include "freeplay/scheme/energy.h"

namespace freeplay {

namespace {

/// cayley_change() of math/rotation.h.
[[gnu::always_inline]] inline PacketMat3 cayley_change(const PacketVec3& a) {
  const Packet s = 1.0 / (1.0 + 0.25 * dot(a, a));
  const PacketVec3 b = s * a, h = 0.5 * b;
  const Packet xy = h[0] * a[1], xz = h[0] * a[2], yz = h[1] * a[2];
  const Packet xx = h[0] * a[0], yy = h[1] * a[1], zz = h[2] * a[2];
  return {{{{-(yy + zz), xy - b[2], xz + b[1]}},
           {{xy + b[2], -(xx + zz), yz - b[0]}},
           {{xz - b[1], yz + b[0], -(xx + yy)}}}};
}

/// displacement_of() of mechanics/frame.h.
PacketVec3 displacement_of(const PacketVec3& xi_V, const PacketMat3& rotation_change) {
  return xi_V + 0.5 * (rotation_change * xi_V);
}

/// change_of() of mechanics/frame.h.
void write_change(const PacketMat3& R_i, const PacketVec3& displacement, const PacketMat3& rotation_change,
                  const std::array<double*, packet_size>& change) {
  const PacketVec3 shift = R_i * displacement;
  const PacketMat3 rotation = R_i * rotation_change;
  Packet by_rows[12];
  for (int i = 0; i < 3; ++i) {
    by_rows[4 * i] = shift[i];
    for (int k = 0; k < 3; ++k) by_rows[4 * i + k + 1] = rotation(i, k);
  }
  write_lanes(by_rows, change);
}

}  // namespace

StepNodes::PacketTwist StepNodes::Group::momentum(const PacketTwist& twist) const {
  return {mass * twist.linear + cross(twist.angular, moment), cross(moment, twist.linear) + inertia * twist.angular};
}

StepNodes::StepNodes(const Model& model, const Unknowns& unknowns, double alpha)
    : model_(model), unknowns_(unknowns), alpha_(alpha) {
  const std::vector<int> sizes = unknowns.block_sizes();
  int block = 0, first = 0;
  for (int n = 0; n < unknowns.n_nodes(); ++n) {
    for (; block < unknowns.node_block(n); ++block) first += sizes[block];
    first_unknown_.push_back(first);
    const Node& node = model.nodes[n];
    Vec6 scale = momentum_scale(node.mass, model.length_scale);
    for (int dof = 0; dof < 6; ++dof)
      if (node.fixed[dof]) scale[dof] = 0.0;

    if (lane(n) == 0) groups_.emplace_back().first_node = n;
    Group& group = groups_.back();
    ++group.n_nodes;
    const bool has_jump = unknowns.has_jump(n);
    group.is_whole = group.is_whole && has_jump && unknowns.free(n).size() == 6;
    group.has_jump[lane(n)] = has_jump ? 1.0 : 0.0;
    group.mass[lane(n)] = node.mass(0, 0);
    group.moment.set(lane(n), first_moment(node.mass));
    group.inertia.set(lane(n), node.mass.bottomRightCorner<3, 3>());
    group.row_scale.set(lane(n), scale);
  }
  for (const Joint& joint : model.joints)
    for (const int node : joint.nodes()) groups_[group_of(node)].has_joint = true;
  for (Group& group : groups_) group.is_whole = group.is_whole && group.n_nodes == packet_size;
}

template <class Number, class PointerOf>
std::array<Number*, packet_size> StepNodes::lanes_of(const Group& group, Number* spare,
                                                     const PointerOf& pointer_of) const {
  std::array<Number*, packet_size> pointers;
  for (int lane = 0; lane < packet_size; ++lane)
    pointers[lane] = lane < group.n_nodes ? pointer_of(group.first_node + lane) : spare;
  return pointers;
}

void StepNodes::begin(const State& start, double dt, Motion& motion) {
  dt_ = dt;
  for (Group& group : groups_) {
    for (int lane = 0; lane < group.n_nodes; ++lane) {
      const int n = group.first_node + lane;
      const Pose& pose = start.pose[n];
      motion.nodes[n].start = pose;
      group.R_i.set(lane, pose.R);
      group.nu_i.set(lane, start.twist[n]);
    }
    group.momentum_i = group.momentum(group.nu_i);
  }
}

void StepNodes::balance_too(const std::vector<Vec6>& momenta) {
  for (Group& group : groups_)
    for (int lane = 0; lane < group.n_nodes; ++lane)
      group.momentum_i.set(lane, group.momentum_i.at(lane) - momenta[group.first_node + lane]);
}

void StepNodes::read_twists(const Group& group, std::span<const double> u, Packet (&twists)[12]) const {
  if (group.is_whole)
    return read_lanes(lanes_of<const double>(group, nullptr, [&](int n) { return &u[first_unknown_[n]]; }), twists);
  double full[packet_size][12] = {};
  for (int lane = 0; lane < group.n_nodes; ++lane) {
    const int n = group.first_node + lane;
    const double* values = u.data() + first_unknown_[n];
    Vec6::Map(full[lane]) = unknowns_.gather(n, values);
    if (unknowns_.has_jump(n)) Vec6::Map(full[lane] + 6) = unknowns_.gather(n, values + unknowns_.free(n).size());
  }
  read_lanes({full[0], full[1], full[2], full[3]}, twists);
}

void StepNodes::move(std::span<const int> groups, std::span<const double> u, Motion& motion) {
  // About those of the next portion: they are on their way while this one is evaluated. Those of small models are in
  // the cache, but would displace others of its first level.
  constexpr int groups_ahead = 14, many_groups = 500;
  const int n_followed = groups_.size() > many_groups ? static_cast<int>(groups_.size()) - groups_ahead : 0;
  for (const int g : groups) {
    Group& group = groups_[g];
    if (g < n_followed) {
      prefetch<Purpose::write>(group, groups_ahead, 1);
      prefetch<Purpose::write>(motion.nodes[group.first_node], packet_size * groups_ahead, packet_size);
    }
    Packet twists[12];
    read_twists(group, u, twists);
    const PacketTwist xi{{{twists[0], twists[1], twists[2]}}, {{twists[3], twists[4], twists[5]}}};
    const PacketTwist xi_h{{{twists[6], twists[7], twists[8]}}, {{twists[9], twists[10], twists[11]}}};
    const PacketMat3 jump_rotation = cayley_change(xi_h.angular), rotation = cayley_change(xi.angular);
    write_change(group.R_i, displacement_of(xi_h.linear, jump_rotation), jump_rotation,
                 lanes_of<double>(group, spare_.data(), [&](int n) { return motion.nodes[n].to_jump.data(); }));
    write_change(group.R_i, displacement_of(xi.linear, rotation), rotation,
                 lanes_of<double>(group, spare_.data(), [&](int n) { return motion.nodes[n].to_end.data(); }));
    group.xi = xi;
    group.xi_h = xi_h;
  }
}

/// nu_j - nu_i = 2 (nu_g - nu_i + 3 xi_h/dt) / (1 + alpha). Where no stress that jumps acts on a node, the jump
/// equation says nu_j = nu_i.
template <class Vector, class HasJump>
Vector StepNodes::jump_of(const HasJump& has_jump, const Vector& xi, const Vector& xi_h, const Vector& nu_i) const {
  const double by_dt = 1.0 / dt_;
  return (2.0 / (1.0 + alpha_) * has_jump) * (by_dt * xi - nu_i + (3.0 * by_dt) * xi_h);
}

StepNodes::PacketTwist StepNodes::jump_of(const Group& group) const {
  return {jump_of(group.has_jump, group.xi.linear, group.xi_h.linear, group.nu_i.linear),
          jump_of(group.has_jump, group.xi.angular, group.xi_h.angular, group.nu_i.angular)};
}

/// nu_f = 2 nu_g - nu_j.
template <class Vector>
Vector StepNodes::end_of(const Vector& xi, const Vector& nu_i, const Vector& jump) const {
  return (2.0 / dt_) * xi - (nu_i + jump);
}

StepNodes::PacketTwist StepNodes::end_of(const Group& group) const {
  const PacketTwist jump = jump_of(group);
  return {end_of(group.xi.linear, group.nu_i.linear, jump.linear),
          end_of(group.xi.angular, group.nu_i.angular, jump.angular)};
}

Vec6 StepNodes::end_twist(int n) const {
  const Vec6 nu_i = group(n).nu_i.at(lane(n));
  return end_of(xi(n), nu_i, jump_of(group(n).has_jump[lane(n)], xi(n), xi_h(n), nu_i));
}

Packet StepNodes::Group::square(const PacketTwist& twist) const {
  const PacketTwist momenta = momentum(twist);
  return dot(twist.linear, momenta.linear) + dot(twist.angular, momenta.angular);
}

void StepNodes::compare(const std::vector<Vec6>& before, double dt_before, std::vector<Vec6>& now,
                        std::vector<Vec6>& errors) const {
  const double by_dt = 1.0 / dt_, half = 0.5 * dt_, twelfth = dt_ * dt_ / 12.0;
  // From the difference of two mean accelerations to that between the ends of this step.
  const double over_step = 2.0 * dt_ / (dt_ + dt_before);
  Vec6 spare = Vec6::Zero();
  for (const Group& group : groups_) {
    Packet old[6];
    read_lanes(lanes_of<const double>(group, spare.data(), [&](int n) { return before[n].data(); }), old);
    // A lane without a node has no mass.
    const Packet has_mass = group.mass > 0.0 ? Packet{1.0, 1.0, 1.0, 1.0} : Packet{};
    const PacketVec3 centre = has_mass / (group.mass + (1.0 - has_mass)) * group.moment;
    const PacketTwist nu_f = end_of(group);
    const PacketVec3 &w_i = group.nu_i.angular, &w_f = nu_f.angular;
    const PacketMat3 rotation_change = cayley_change(group.xi.angular);
    const PacketVec3 v_i = group.nu_i.linear + cross(w_i, centre);
    const PacketVec3 v_end_axes = nu_f.linear + cross(w_f, centre);
    const PacketVec3 v_f = v_end_axes + rotation_change * v_end_axes;
    const PacketVec3 shift = displacement_of(group.xi.linear, rotation_change) + rotation_change * centre;

    const PacketVec3 a = by_dt * (v_f - v_i), w_rate = by_dt * (w_f - w_i);
    const PacketVec3 a_change = over_step * (a - PacketVec3{old[0], old[1], old[2]});
    const PacketVec3 w_rate_change = over_step * (w_rate - PacketVec3{old[3], old[4], old[5]});
    // The vector of the rotation by cay(xi_w): along xi_w, by the angle 2 atan(|xi_w|/2).
    Packet true_angle;
    const Packet rotation_square = 0.25 * dot(group.xi.angular, group.xi.angular);
    for (int lane = 0; lane < packet_size; ++lane) {
      const double tangent = std::sqrt(rotation_square[lane]);
      true_angle[lane] = tangent > 0.0 ? std::atan(tangent) / tangent : 1.0;
    }
    const PacketVec3 e_x = shift - half * (v_i + v_f) + twelfth * a_change;
    const PacketVec3 e_w =
        true_angle * group.xi.angular - half * (w_i + w_f) + twelfth * (w_rate_change - cross(w_i, w_f));
    const PacketVec3 e_node = e_x - cross(e_w, centre);
    const Packet error[6] = {e_node[0], e_node[1], e_node[2], e_w[0], e_w[1], e_w[2]};
    write_lanes(error, lanes_of<double>(group, spare.data(), [&](int n) { return errors[n].data(); }));
    const PacketVec3 a_end_axes = a + transposed_times(rotation_change, a);
    const Packet rates[6] = {a_end_axes[0], a_end_axes[1], a_end_axes[2], w_rate[0], w_rate[1], w_rate[2]};
    write_lanes(rates, lanes_of<double>(group, spare.data(), [&](int n) { return now[n].data(); }));
  }
}

template <class Square>
void StepNodes::add_of_nodes(const Square& square, std::span<double> of_bodies) const {
  for (const Group& group : groups_) {
    const Packet squares = square(group);
    for (int lane = 0; lane < group.n_nodes; ++lane)
      of_bodies[model_.nodes[group.first_node + lane].body] += squares[lane];
  }
}

void StepNodes::add_squares(const std::vector<Vec6>& errors, std::span<double> of_bodies) const {
  const Vec6 none = Vec6::Zero();
  add_of_nodes(
      [&](const Group& group) {
        Packet e[6];
        read_lanes(lanes_of<const double>(group, none.data(), [&](int n) { return errors[n].data(); }), e);
        return group.square({{{e[0], e[1], e[2]}}, {{e[3], e[4], e[5]}}});
      },
      of_bodies);
}

void StepNodes::add_kinetic(std::span<double> of_bodies) const {
  add_of_nodes([&](const Group& group) { return 0.5 * group.square(end_of(group)); }, of_bodies);
}

/// The sum of balance and jump is 2 M xi/dt if there are no forces; of the ways to share 2 M e/dt among them, this one
/// gives xi = 6 (6 + k)/((6 + k)^2 - 8 k) e for alpha = 1 and k = (omega dt)^2: close to (6 M + dt^2 K)^-1 6 M.
void StepNodes::residual_of(const std::vector<Vec6>& errors, std::span<double> r) const {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Vec6 momentum = row_scale(n).cwiseProduct(model_.nodes[n].mass * errors[n]);
    const bool has_jump = unknowns_.has_jump(n);
    double* rows = r.data() + first_unknown_[n];
    unknowns_.scatter(n, (has_jump ? 3.0 : 2.0) * momentum, rows);
    if (has_jump) unknowns_.scatter(n, -momentum, rows + unknowns_.free(n).size());
  }
}

void StepNodes::displacements(std::span<const double> u, std::vector<Vec6>& xi) const {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) xi[n] = unknowns_.gather(n, u.data() + first_unknown_[n]);
}

StepNodes::Totals StepNodes::balance(std::span<const int> groups, const Forces& forces, std::span<double> r) {
  Packet momentum_square{}, reference_square{}, jump_square{}, rotation_square{};
  const Vec6 no_force = Vec6::Zero();
  PacketVec3 all_gravity;
  for (int lane = 0; lane < packet_size; ++lane) all_gravity.set(lane, model_.gravity);
  for (const int g : groups) {
    Group& group = groups_[g];
    const auto read = [&](const std::vector<Vec6>& list) {
      Packet packets[6];
      read_lanes(lanes_of<const double>(group, no_force.data(), [&](int n) { return list[n].data(); }), packets);
      return PacketTwist{{{packets[0], packets[1], packets[2]}}, {{packets[3], packets[4], packets[5]}}};
    };
    const auto impulse_of = [&](const PacketVec3& force) { return dt_ * transposed_times(group.R_i, force); };
    const PacketTwist jump_twist = jump_of(group);
    const PacketTwist jump_momentum = group.momentum(jump_twist);
    jump_square += dot(jump_twist.linear, jump_momentum.linear) + dot(jump_twist.angular, jump_momentum.angular);
    const Packet rotation = dot(group.xi.angular, group.xi.angular);
    rotation_square = rotation > rotation_square ? rotation : rotation_square;
    const PacketTwist momentum_f = group.momentum({end_of(group.xi.linear, group.nu_i.linear, jump_twist.linear),
                                                   end_of(group.xi.angular, group.nu_i.angular, jump_twist.angular)});
    const PacketVec3 &p_i = group.momentum_i.linear, &p_f = momentum_f.linear;
    const PacketVec3 &h_i = group.momentum_i.angular, &h_f = momentum_f.angular;
    const PacketMat3 rotation_change = cayley_change(group.xi.angular);
    const PacketVec3 displacement = displacement_of(group.xi.linear, rotation_change);
    const PacketVec3 p_change = p_f - p_i + rotation_change * p_f;
    const PacketVec3 h_change = h_f - h_i + rotation_change * h_f + 0.5 * cross(displacement, p_change + 2.0 * p_i);
    const PacketTwist force = read(forces.elements), jump_force = read(forces.jump);
    const PacketTwist joint_force = group.has_joint ? read(forces.joints) : PacketTwist{};
    // Gravity acts half-way.
    const PacketVec3 arm = group.moment + 0.5 * (rotation_change * group.moment);
    const PacketVec3 gravity = transposed_times(group.R_i, all_gravity);
    const PacketVec3 impulse = impulse_of(force.linear) - dt_ * group.mass * gravity;
    const PacketVec3 angular_impulse = impulse_of(force.angular) - dt_ * cross(arm, gravity);
    const PacketVec3 joint_impulse = impulse_of(joint_force.linear),
                     joint_angular_impulse = impulse_of(joint_force.angular);
    group.left = {p_change + impulse + joint_impulse, h_change + angular_impulse + joint_angular_impulse};

    const PacketVec3 scale = dt_ * group.row_scale.linear, angular_scale = dt_ * group.row_scale.angular;
    const PacketVec3 linear = product(scale, group.left.linear), angular = product(angular_scale, group.left.angular);
    const PacketVec3 jump = product(scale, jump_momentum.linear - dt_ / 6.0 * jump_force.linear);
    const PacketVec3 angular_jump = product(angular_scale, jump_momentum.angular - dt_ / 6.0 * jump_force.angular);
    momentum_square += dot(linear, linear) + dot(angular, angular) + dot(jump, jump) + dot(angular_jump, angular_jump);
    const auto squares = [](const PacketVec3& a, const PacketVec3& b, const PacketVec3& c, const PacketVec3& d) {
      return product(a, a) + product(b, b) + (product(c, c) + product(d, d));
    };
    reference_square +=
        dot(product(scale, scale), squares(p_i, p_f, impulse, joint_impulse)) +
        dot(product(angular_scale, angular_scale), squares(h_i, h_f, angular_impulse, joint_angular_impulse));

    const Packet rows[12] = {linear[0], linear[1], linear[2], angular[0],      angular[1],      angular[2],
                             jump[0],   jump[1],   jump[2],   angular_jump[0], angular_jump[1], angular_jump[2]};
    if (group.is_whole) {
      write_lanes(rows, lanes_of<double>(group, nullptr, [&](int n) { return &r[first_unknown_[n]]; }));
      continue;
    }
    double of_others[packet_size][12];
    write_lanes(rows, {of_others[0], of_others[1], of_others[2], of_others[3]});
    for (int lane = 0; lane < group.n_nodes; ++lane) {
      const int n = group.first_node + lane;
      double* values = r.data() + first_unknown_[n];
      unknowns_.scatter(n, Vec6::Map(of_others[lane]), values);
      if (unknowns_.has_jump(n))
        unknowns_.scatter(n, Vec6::Map(of_others[lane] + 6), values + unknowns_.free(n).size());
    }
  }
  const double largest = std::max({rotation_square[0], rotation_square[1], rotation_square[2], rotation_square[3]});
  return {sum_of(momentum_square), sum_of(reference_square), sum_of(jump_square), std::sqrt(largest)};
}

Vec6 StepNodes::unbalanced(int n) const {
  const std::array<bool, 6>& fixed = model_.nodes[n].fixed;
  const Vec6 left = group(n).left.at(lane(n));
  Vec3 linear = left.head<3>(), angular = left.tail<3>();
  // In fixed directions these are reactions.
  for (int k = 0; k < 3; ++k) {
    if (fixed[k]) linear[k] = 0.0;
    if (fixed[k + 3]) angular[k] = 0.0;
  }
  // The balance is about the middle of the way; the next step begins at its end.
  angular -= 0.5 * displacement(n).cross(linear);
  const Mat3 to_end = (Mat3::Identity() + rotation_change(n)).transpose();
  Vec6 momenta;
  momenta << to_end * linear, to_end * angular;
  for (int dof = 0; dof < 6; ++dof)
    if (fixed[dof]) momenta[dof] = 0.0;
  return momenta;
}

}  // namespace freeplay
