#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "freeplay/math/packet_vector.h"
#include "freeplay/mechanics/model.h"
#include "freeplay/scheme/unknowns.h"

namespace freeplay {

/// The nodes of a model over one step: how the unknowns move them, and their balance of momenta (integrator.md). All in
/// the axes that each node has at the start of the step (hatted quantities there). Four nodes at a time.
class StepNodes {
 public:
  StepNodes(const Model& model, const Unknowns& unknowns, double alpha);

  /// Per node: 1/sqrt(mass), 1/sqrt(inertia), which make square roots of energy of momenta; 0 for what is fixed and has
  /// no equation.
  Vec6 row_scale(int node) const { return group(node).row_scale.at(lane(node)); }

  void begin(const State& start, double dt, Motion& motion);
  /// Momenta that are missing at the start, in the axes that each body has then. After begin().
  void balance_too(const std::vector<Vec6>& momenta);

  /// Nodes are treated in groups.
  static int group_of(int node) { return node / packet_size; }
  static int n_groups(const Model& model) {
    return (static_cast<int>(model.nodes.size()) + packet_size - 1) / packet_size;
  }
  template <class F>
  void for_nodes(std::span<const int> groups, const F& f) const {
    for (const int g : groups)
      for (int k = 0; k < groups_[g].n_nodes; ++k) f(groups_[g].first_node + k);
  }

  /// Where the unknowns move the nodes of some groups.
  void move(std::span<const int> groups, std::span<const double> u, Motion& motion);

  /// On each node, inertial axes but for those of the jump.
  struct Forces {
    std::vector<Vec6> elements, joints, jump;
    explicit Forces(std::size_t n_nodes) {
      for (auto* list : {&elements, &joints, &jump}) list->assign(n_nodes, Vec6::Zero());
    }
  };

  /// Of many nodes; squares but for the last.
  struct Totals {
    double momentum = 0.0, reference = 0.0;  ///< what is unbalanced, and what it is to be compared with
    double jump = 0.0;                       ///< |nu_j - nu_i|^2_M
    double largest_rotation = 0.0;           ///< of any node over the step

    Totals& operator+=(const Totals& other) {
      momentum += other.momentum;
      reference += other.reference;
      jump += other.jump;
      largest_rotation = std::max(largest_rotation, other.largest_rotation);
      return *this;
    }
  };
  /// The rows of the balance over the step and of the jump, of the nodes of some groups. After move().
  Totals balance(std::span<const int> groups, const Forces& forces, std::span<double> r);

  /// The motion over the step against formulas of fourth order (see ErrorEstimate): `errors` are twists of the nodes in
  /// the axes of the start. `before`: acceleration of the centre of mass (inertial, in the axes that the node has at
  /// the start of the step) and rate of change of the angular velocity in body axes, both in the middle of the step
  /// before, which was of length `dt_before`; `now`: those of this step, in the axes of its end.
  void compare(const std::vector<Vec6>& before, double dt_before, std::vector<Vec6>& now,
               std::vector<Vec6>& errors) const;
  /// Adds up |error|^2_M of the nodes of each body.
  void add_squares(const std::vector<Vec6>& errors, std::span<double> of_bodies) const;
  /// Adds up the kinetic energy of each body at the end of the step, before the projection.
  void add_kinetic(std::span<double> of_bodies) const;
  /// A residual of the step to which displacements `errors` belong if nothing but inertia is there.
  void residual_of(const std::vector<Vec6>& errors, std::span<double> r) const;
  /// The displacements xi among unknowns.
  void displacements(std::span<const double> u, std::vector<Vec6>& xi) const;

  // Of one node; after move().
  Vec6 xi(int node) const { return group(node).xi.at(lane(node)); }
  Vec6 xi_h(int node) const { return group(node).xi_h.at(lane(node)); }
  Vec6 end_twist(int node) const;
  Vec3 displacement(int node) const {
    return displacement_of(xi(node).head<3>(), xi(node).tail<3>());
  }  ///< from x_i to x_f
  /// cay(xi_w) - I; cay(xi_w) leads from the axes of the end to those of the start.
  Mat3 rotation_change(int node) const { return cayley_change(xi(node).tail<3>()); }
  Vec6 start_momentum(int node) const { return group(node).momentum_i.at(lane(node)); }
  /// Momenta that the last balance() has left, at the end of the step: about the node and in its axes there.
  Vec6 unbalanced(int node) const;

 private:
  struct PacketTwist {
    PacketVec3 linear, angular;

    Vec6 at(int lane) const {
      return {linear[0][lane], linear[1][lane], linear[2][lane], angular[0][lane], angular[1][lane], angular[2][lane]};
    }
    void set(int lane, const Vec6& twist) {
      linear.set(lane, twist.head<3>());
      angular.set(lane, twist.tail<3>());
    }
  };

  /// Four nodes, one per lane. A lane without a node has no mass and never moves. Every evaluation reads all of this:
  /// what follows from it in a few operations is not kept.
  struct Group {
    int first_node = 0, n_nodes = 0;
    bool is_whole = true;  ///< four nodes that have a jump and no fixed direction
    bool has_joint = false;
    Packet has_jump{};  ///< 1 or 0
    Packet mass{};
    PacketVec3 moment{};   ///< mass times the place of its centre
    PacketMat3 inertia{};  ///< about the node
    PacketTwist row_scale{};

    PacketMat3 R_i{};
    PacketTwist nu_i{};
    PacketTwist momentum_i{};  ///< M nu_i, less what is to be balanced, too

    PacketTwist xi{}, xi_h{};
    PacketTwist left{};  ///< unbalanced over the step

    PacketTwist momentum(const PacketTwist& twist) const;
    Packet square(const PacketTwist& twist) const;  ///< in the metric of the mass
  };

  const Group& group(int node) const { return groups_[group_of(node)]; }
  static int lane(int node) { return node % packet_size; }
  template <class Number, class PointerOf>
  std::array<Number*, packet_size> lanes_of(const Group& group, Number* spare, const PointerOf& pointer_of) const;
  void read_twists(const Group& group, std::span<const double> u, Packet (&twists)[12]) const;
  PacketTwist jump_of(const Group& group) const;
  PacketTwist end_of(const Group& group) const;
  template <class Square>
  void add_of_nodes(const Square& square, std::span<double> of_bodies) const;
  template <class Vector, class HasJump>
  Vector jump_of(const HasJump& has_jump, const Vector& xi, const Vector& xi_h, const Vector& nu_i) const;
  template <class Vector>
  Vector end_of(const Vector& xi, const Vector& nu_i, const Vector& jump) const;

  const Model& model_;
  const Unknowns& unknowns_;
  double alpha_;
  double dt_ = 0.0;
  std::vector<int> first_unknown_;  ///< of each node
  std::vector<Group> groups_;
  Mat34 spare_;  ///< of lanes without a node
};

}  // namespace freeplay
