#pragma once

// What every force element must do, whatever its law. `internal` are its internal numbers at the start of the step.

#include <gtest/gtest.h>

#include <functional>

#include "freeplay/mechanics/force_element.h"
#include "mechanics/motion_testing.h"

namespace freeplay {

/// Force elements act between both nodes of a step, or between one of them and ground.
inline std::vector<std::pair<int, int>> node_pairs() { return {{0, 1}, {1, 0}, {ground, 0}, {1, ground}}; }

inline std::vector<Vec6> forces_of(const ForceElement& element, const Motion& motion,
                                   std::span<const double> internal = {}) {
  std::vector<Vec6> forces(motion.nodes.size(), Vec6::Zero());
  element.add_forces(motion, internal, forces);
  return forces;
}

inline std::vector<Vec6> jump_forces_of(const ForceElement& element, const Motion& motion) {
  std::vector<Vec6> forces(motion.nodes.size(), Vec6::Zero());
  element.add_jump_forces(motion, forces);
  return forces;
}

/// Work of the resisting forces over the step.
inline double work_of_forces(const ForceElement& element, const Motion& motion, std::span<const double> internal = {}) {
  double work = 0.0;
  const std::vector<Vec6> forces = forces_of(element, motion, internal);
  for (std::size_t n = 0; n < forces.size(); ++n) work += forces[n].dot(displacement(motion.nodes[n]));
  return work;
}

/// The instant at one of the poses of a step (&NodeMotion::start, ...), with the velocities of the step.
template <class Which>
Motion instant_at(const Motion& motion, Which pose) {
  Motion instant = motion;
  instant.kind = Motion::Kind::instant;
  instant.dt = instant.passed = 0.0;
  for (NodeMotion& node : instant.nodes) node = NodeMotion{Pose(std::invoke(pose, node))};
  return instant;
}

/// Change of the stored energy over the step.
inline double stored_energy_change(const ForceElement& element, const Motion& motion,
                                   std::span<const double> internal = {}) {
  std::vector<double> after(internal.begin(), internal.end());
  element.advance(motion, after);
  return element.stored_energy(instant_at(motion, &NodeMotion::end), after) -
         element.stored_energy(instant_at(motion, &NodeMotion::start), internal);
}

inline std::vector<double> evaluated(const ForceElement& element, const Motion& motion,
                                     std::span<const double> internal = {}) {
  std::vector<double> values(element.quantities().size());
  element.evaluate(motion, internal, values);
  return values;
}

inline std::vector<double> initial_internal(const ForceElement& element, const Motion& motion) {
  std::vector<double> internal(element.n_internal());
  element.initialise(instant_at(motion, &NodeMotion::start), internal);
  return internal;
}

/// Derivatives as the element gives them, dense: rows (balance, jump) x nodes x 6, columns (end, jump) x nodes x 6.
class DenseSink : public TangentSink {
 public:
  explicit DenseSink(int n_nodes) : n_nodes_(n_nodes), matrix_(Eigen::MatrixXd::Zero(12 * n_nodes, 12 * n_nodes)) {}
  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    const int r = 6 * row_node + (row == Row::jump ? 6 * n_nodes_ : 0);
    const int c = 6 * column_node + (column == Column::jump ? 6 * n_nodes_ : 0);
    matrix_.block<6, 6>(r, c) += derivative;
  }
  const Eigen::MatrixXd& matrix() const { return matrix_; }

 private:
  int n_nodes_;
  Eigen::MatrixXd matrix_;
};

/// Compares all derivatives that the element gives with finite differences of its forces. `size` is that of the forces,
/// `h_of_differences` the step of the differences.
inline void expect_tangent(const ForceElement& element, const Motion& motion, std::span<const double> internal,
                           double size = 1.0, double h_of_differences = 1e-3) {
  const int n_nodes = static_cast<int>(motion.nodes.size());
  DenseSink sink(n_nodes);
  element.add_tangent(motion, internal, sink);
  for (int column = 0; column < 12 * n_nodes; ++column) {
    const int node = column / 6 % n_nodes;
    const Eigen::VectorXd expected = derivative(
        [&](double h) -> Eigen::VectorXd {
          Motion changed = motion;
          NodeMotion& moved = changed.nodes[node];
          const Vec6 variation = h * Vec6::Unit(column % 6);
          if (column < 6 * n_nodes)
            moved.set_end(varied(moved.end(), variation));
          else
            moved.set_jump(varied(moved.jump(), variation));
          Eigen::VectorXd all(12 * n_nodes);
          const std::vector<Vec6> forces = forces_of(element, changed, internal);
          const std::vector<Vec6> jumps = jump_forces_of(element, changed);
          for (int n = 0; n < n_nodes; ++n)
            all.segment<6>(6 * n) = forces[n], all.segment<6>(6 * (n_nodes + n)) = jumps[n];
          return all;
        },
        0.0, h_of_differences);
    EXPECT_LT((sink.matrix().col(column) - expected).cwiseAbs().maxCoeff(), size * finite_difference_tolerance)
        << "column " << column;
  }
}

/// Forces between two nodes balance; moments act about the mean positions of the nodes.
inline void expect_action_equals_reaction(const ForceElement& element, const Motion& motion,
                                          std::span<const double> internal, double tolerance) {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  const std::vector<Vec6> forces = forces_of(element, motion, internal);
  for (std::size_t n = 0; n < forces.size(); ++n) {
    const Vec3 middle = 0.5 * (motion.nodes[n].start.x + motion.nodes[n].end().x);
    force += forces[n].head<3>();
    moment += middle.cross(forces[n].head<3>()) + forces[n].tail<3>();
  }
  EXPECT_LT(force.norm(), tolerance);
  EXPECT_LT(moment.norm(), tolerance);
}

inline Motion carried(const Pose& world, const Motion& motion) {
  Motion result = motion;
  for (NodeMotion& node : result.nodes) {
    const NodeMotion before = node;
    node = {carried(world, before.start)};
    node.set_jump(carried(world, before.jump()));
    node.set_end(carried(world, before.end()));
  }
  return result;
}

/// A step seen from a world that is turned and shifted (`in_world` is the element with its ground frames carried
/// along) has the same forces in turned axes and the same jump forces in body axes. `tolerance` is relative to forces
/// larger than 1.
inline void expect_objective(const ForceElement& element, const ForceElement& in_world, const Pose& world,
                             const Motion& motion, std::span<const double> internal, double tolerance) {
  const Motion moved_world = carried(world, motion);
  const std::vector<Vec6> here = forces_of(element, motion, internal);
  const std::vector<Vec6> there = forces_of(in_world, moved_world, internal);
  const std::vector<Vec6> jump_here = jump_forces_of(element, motion);
  const std::vector<Vec6> jump_there = jump_forces_of(in_world, moved_world);
  for (std::size_t n = 0; n < here.size(); ++n) {
    const double size = std::max({1.0, here[n].norm(), jump_here[n].norm()});
    EXPECT_LT((world.R * here[n].head<3>() - there[n].head<3>()).norm(), size * tolerance);
    EXPECT_LT((world.R * here[n].tail<3>() - there[n].tail<3>()).norm(), size * tolerance);
    EXPECT_LT((jump_here[n] - jump_there[n]).norm(), size * tolerance);
  }
}

}  // namespace freeplay
