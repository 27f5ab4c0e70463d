#include "rotor_symmetry.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "freeplay/base/diagnostics.h"
#include "freeplay/scheme/energy.h"
#include "limiting_steps.h"

namespace freeplay {

namespace {

constexpr double round_off = 1e-11;
constexpr double some_angle = 1.0;  // no symmetry of usual machines

/// Tangents of one element by the positions of its nodes, inertial axes.
class InertialSink : public TangentSink {
 public:
  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row != Row::balance || column != Column::end) return;
    blocks.try_emplace({row_node, column_node}, Mat6::Zero()).first->second += derivative;
  }
  InertialTangents blocks;
};

Mat6 twice(const Mat3& R) {
  Mat6 T = Mat6::Zero();
  T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = R;
  return T;
}

/// Forces and moments, shifts and rotations compared each with their like.
bool are_equal(const Mat6& a, const Mat6& b, const Mat6& size, double tolerance) {
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c)
      if ((a - b).block<3, 3>(3 * r, 3 * c).cwiseAbs().maxCoeff() >
          tolerance * size.block<3, 3>(3 * r, 3 * c).cwiseAbs().maxCoeff())
        return false;
  return true;
}

bool are_equal(const InertialTangents& a, const InertialTangents& b, double tolerance) {
  Mat6 size = Mat6::Zero();
  for (const auto& [nodes, block] : a) size = size.cwiseMax(block.cwiseAbs());
  return std::ranges::all_of(
      a, [&](const auto& entry) { return are_equal(entry.second, b.at(entry.first), size, tolerance); });
}

/// Projector on the motions that a joint hinders, inertial axes.
JointMatrix hindered(const Joint& joint, const State& state) {
  JointGradients rows = gradient_of(joint, state);
  for (int side = 0; side < joint.n_places(); ++side)
    if (joint.node(side) == ground) rows.middleRows<6>(6 * side).setZero();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeThinU);
  JointMatrix projector = JointMatrix::Zero(rows.rows(), rows.rows());
  for (Eigen::Index k = 0; k < svd.singularValues().size(); ++k)
    if (svd.singularValues()[k] > 1e-9 * svd.singularValues()[0])
      projector += svd.matrixU().col(k) * svd.matrixU().col(k).transpose();
  return projector;
}

}  // namespace

InertialTangents inertial_tangents(const Model& model, const State& state, std::size_t element, double dt) {
  Motion motion;
  set_rest(state, motion);
  motion.dt = dt;
  InertialSink sink;
  model.elements[element]->add_tangent(motion, internal_of(model, state, element), sink);
  return sink.blocks;
}

JointGradients gradient_of(const Joint& joint, const State& state) {
  Motion now;
  set_instant(state, now);
  const JointMotion at = motion_of(joint, now);
  JointGradients result(6 * at.n_places, joint.equations.size());
  for (std::size_t k = 0; k < joint.equations.size(); ++k) result.col(k) = joint.equations[k].gradient(at, state.time);
  return result;
}

Sides sides_of(const Rotor& rotor, std::span<const int> nodes) {
  Sides sides;
  for (const int node : nodes) (node != ground && rotor.rotates[node] ? sides.rotor : sides.rest) = true;
  return sides;
}

bool is_on_axis(const Model& model, const State& state, const Rotor& rotor, int node) {
  constexpr double none = 1e-9;
  return rotor.axis().cross(state.pose[node].x - rotor.point).norm() <= none * model.length_scale;
}

Mat3 RotorSymmetry::rotation(double angle) const { return Eigen::AngleAxisd(angle, rotor_.axis()).toRotationMatrix(); }

State RotorSymmetry::with_rotor_rotated(double angle) const {
  State later = state_;
  const Mat3 Q = rotation(angle);
  for (std::size_t n = 0; n < later.pose.size(); ++n)
    if (rotor_.rotates[n]) later.pose[n] = {rotor_.point + Q * (later.pose[n].x - rotor_.point), Q * later.pose[n].R};
  return later;
}

void RotorSymmetry::check_connections() const {
  constexpr double same = 1e-8;
  const State later = with_rotor_rotated(some_angle);
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    if (!rotor_.between[e] || model_.elements[e]->is_load()) continue;
    const InertialTangents now = inertial_tangents(model_, state_, e, endless),
                           then = inertial_tangents(model_, later, e, endless);
    const InertialTangents damped = inertial_tangents(model_, state_, e, short_step),
                           damped_then = inertial_tangents(model_, later, e, short_step);
    if (are_equal(now, then, same) && are_equal(damped, damped_then, same)) continue;
    throw InputError("error: '" + model_.elements[e]->name() +
                     "' acts between the rotor and what stands still, and changes as the rotor turns: its force must "
                     "not turn with the rotor (name the bearing first, the journal second, on the axis; no stiffness "
                     "or damping of rotations across the axis)\n");
  }
  for (const int j : rotor_.joints) {
    const Joint& joint = model_.joints[j];
    if ((hindered(joint, state_) - hindered(joint, later)).cwiseAbs().maxCoeff() < same) continue;
    Diagnostics diagnostics;
    diagnostics.error(joint.where, "joints." + joint.name,
                      "does not let the rotor turn about the axis of '" + rotor_.joint + "' by any angle");
    diagnostics.throw_if_errors();
  }
}

bool RotorSymmetry::is_even(const InertialTangents& tangents) const {
  const Mat6 T = twice(rotation(some_angle));
  InertialTangents rotated = tangents;
  for (auto& [nodes, block] : rotated) block = T * block * T.transpose();
  return are_equal(tangents, rotated, round_off);
}

bool RotorSymmetry::is_even(const Joint& joint) const {
  constexpr double same = 1e-8;
  const JointMatrix P = hindered(joint, state_);
  JointMatrix T = JointMatrix::Zero(P.rows(), P.cols());
  for (int side = 0; side < joint.n_places(); ++side) T.block<6, 6>(6 * side, 6 * side) = twice(rotation(some_angle));
  return (P - T * P * T.transpose()).cwiseAbs().maxCoeff() < same;
}

bool RotorSymmetry::is_even(int n) const {
  const Node& node = model_.nodes[n];
  const Mat3& R = state_.pose[n].R;
  Mat6 fixed = Mat6::Zero();
  for (int k = 0; k < 6; ++k) fixed(k, k) = node.fixed[k];
  const Mat6 T = twice(R.transpose() * rotation(some_angle) * R);
  return are_equal(T * node.mass * T.transpose(), node.mass, node.mass, round_off) &&
         are_equal(T * fixed * T.transpose(), fixed, Mat6::Ones(), 1e-9);
}

std::string RotorSymmetry::uneven_part(bool of_rotor) const {
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    const ForceElement& element = *model_.elements[e];
    const bool belongs = of_rotor ? !sides_of(rotor_, element.nodes()).rest
                                  : rotor_.between[e] || !sides_of(rotor_, element.nodes()).rotor;
    if (!belongs || element.is_load()) continue;
    if (!is_even(inertial_tangents(model_, state_, e, endless)) ||
        !is_even(inertial_tangents(model_, state_, e, short_step)))
      return element.name();
  }
  for (std::size_t n = 0; n < model_.nodes.size(); ++n) {
    if (static_cast<bool>(rotor_.rotates[n]) != of_rotor) continue;
    if (of_rotor && !is_on_axis(model_, state_, rotor_, static_cast<int>(n)))
      return model_.bodies[model_.nodes[n].body];
    if (!is_even(static_cast<int>(n))) return model_.bodies[model_.nodes[n].body];
  }
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    const bool belongs = sides_of(rotor_, joint.sides()).rest != of_rotor;
    if (belongs && !is_even(joint)) return joint.name;
  }
  return "";
}

}  // namespace freeplay
