#include "freeplay/analysis/whirl_equations.h"

#include <algorithm>
#include <limits>
#include <map>

#include "freeplay/analysis/reference_state.h"
#include "limiting_steps.h"

namespace freeplay {

namespace {

/// Rows of one node in the tangent of an element, inertial axes.
class RowSink : public TangentSink {
 public:
  explicit RowSink(int node) : node_(node) {}
  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row != Row::balance || column != Column::end || row_node != node_) return;
    blocks.try_emplace(column_node, Mat6::Zero()).first->second += derivative;
  }
  std::map<int, Mat6> blocks;

 private:
  int node_;
};

}  // namespace

WhirlEquations::WhirlEquations(const Assembled& assembled, const Rotor& rotor, SolverFactory& solvers,
                               Linearisation::Form form)
    : assembled_(assembled), rotor_(rotor), solvers_(solvers), form_(form) {
  for (const char rotates : rotor.rotates) stands_.push_back(!rotates);
}

void WhirlEquations::assemble(double speed) {
  speed_ = speed;
  const SteadyRotation rotation = rotor_.rotation(speed);
  state_ = rotor_reference(assembled_, rotation, rotor_.rotates, solvers_);
  linearisation_ = std::make_unique<Linearisation>(assembled_.model, rotation, form_, rotor_.rotates);
  linearisation_->assemble(state_);
  mass = linearisation_->mass;
  damping = linearisation_->damping;
  stiffness = linearisation_->stiffness;
  if (speed == 0.0) return;
  add_effect_of_spin_on_dampers();
  const BlockMatrix between = linearisation_->damping_of(state_, rotor_.between);
  rotor_.axes == Rotor::Axes::fixed ? to_fixed_axes(between) : to_rotating_axes(between);
}

/// The rotor's own equations are in axes that turn with it: eta = T(t) x with T' = -T S, hence eta' = T (x' - S x) and
/// eta'' = T (x'' - 2 S x' + S^2 x). What acts between it and the rest sees x' itself.
void WhirlEquations::to_fixed_axes(const BlockMatrix& between) {
  BlockMatrix own = linearisation_->damping;
  for (std::size_t k = 0; k < own.value().size(); ++k) own.value()[k] -= between.value()[k];
  BlockMatrix mass_rotated = mass;
  mass_rotated.set_zero();
  add_rotated(mass, 1.0, rotor_.rotates, mass_rotated);
  add_rotated(own, -1.0, rotor_.rotates, stiffness);
  add_rotated(mass_rotated, 1.0, rotor_.rotates, stiffness);
  add_rotated(mass, -2.0, rotor_.rotates, damping);
}

/// The equations of what stands are in fixed axes: x_fixed = T^T x with x_fixed' = T^T (x' + S x).
void WhirlEquations::to_rotating_axes(const BlockMatrix& between) {
  BlockMatrix mass_rotated = mass;
  mass_rotated.set_zero();
  add_rotated(mass, 1.0, stands_, mass_rotated);
  add_rotated(linearisation_->damping, 1.0, stands_, stiffness);
  add_rotated(between, 1.0, rotor_.rotates, stiffness);
  add_rotated(mass_rotated, 1.0, stands_, stiffness);
  add_rotated(mass, 2.0, stands_, damping);
}

Eigen::MatrixXd WhirlEquations::rotating_of(int node) const {
  const Mat3 w = skew(state_.pose[node].R.transpose() * (speed_ * rotor_.axis()));
  Mat6 S = Mat6::Zero();
  S.topLeftCorner<3, 3>() = S.bottomRightCorner<3, 3>() = w;
  const std::vector<int>& free = unknowns().free(node);
  return S(free, free);
}

void WhirlEquations::add_rotated(const BlockMatrix& matrix, double factor, const std::vector<char>& nodes,
                                 BlockMatrix& target) const {
  using Row = Eigen::Map<const Eigen::RowVectorXd>;
  const int n_nodes = unknowns().n_nodes();
  std::vector<Eigen::MatrixXd> rotating(n_nodes);
  for (int n = 0; n < n_nodes; ++n)
    if (nodes[n]) rotating[n] = rotating_of(n);
  for (int row = 0; row < n_nodes; ++row)
    for (int r = matrix.first(row); r < matrix.first(row + 1); ++r) {
      int k = matrix.row_start()[r];
      for (const int column : matrix.block_columns(row)) {
        const int width = matrix.block_size(column);
        if (column < n_nodes && nodes[column])
          Eigen::Map<Eigen::RowVectorXd>(&target.value()[k], width) +=
              factor * Row(&matrix.value()[k], width) * rotating[column];
        k += width;
      }
    }
}

/// The force of a damper whose axes turn with the rotor, or that sits beside the axis, changes with the position
/// because of the velocity that is there already. None of usual bearings does. By finite differences of the force, with
/// the rotor turning and standing: small motions that stand still in fixed axes tilt the angular velocity with the
/// body.
Mat6 WhirlEquations::derivative_by_spin(std::size_t element, int row_node, int column_node) const {
  constexpr double step = 1e-6;
  const Model& model = assembled_.model;
  const SteadyRotation rotation = rotor_.rotation(speed_);
  const auto force = [&](const Vec6& shift, bool rotating) -> Vec6 {
    State moved_state = state_;
    moved_state.pose[column_node] = moved(state_.pose[column_node], shift);
    Motion motion;
    set_instant(moved_state, motion);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
      motion.velocity[n].setZero();
      if (!rotating || !rotor_.rotates[n]) continue;
      const Mat3 tilt = moved_state.pose[n].R * state_.pose[n].R.transpose();
      motion.velocity[n] << rotation.velocity.cross(state_.pose[n].x - rotation.point), tilt * rotation.velocity;
    }
    std::vector<Vec6> forces(model.nodes.size(), Vec6::Zero());
    model.elements[element]->add_forces(motion, internal_of(model, state_, element), forces);
    return forces[row_node];
  };
  Mat6 derivative;
  for (int k = 0; k < 6; ++k) {
    const double h = k < 3 ? step * model.length_scale : step;
    const Vec6 shift = h * Vec6::Unit(k);
    derivative.col(k) =
        (force(shift, true) - force(shift, false) - force(-shift, true) + force(-shift, false)) / (2 * h);
  }
  Mat6 in_body_axes;
  const Mat3 R_row = state_.pose[row_node].R.transpose();
  in_body_axes << R_row * derivative.topRows<3>(), R_row * derivative.bottomRows<3>();
  return in_body_axes;
}

void WhirlEquations::add_effect_of_spin_on_dampers() {
  constexpr double noise = 1e-6;
  const Model& model = assembled_.model;
  for (std::size_t e = 0; e < model.elements.size(); ++e) {
    const ForceElement& element = *model.elements[e];
    if (!rotor_.between[e] || element.is_load()) continue;
    std::vector<char> only(model.elements.size(), false);
    only[e] = true;
    const BlockMatrix own = linearisation_->damping_of(state_, only);
    double size = 0.0;
    for (const double value : own.value()) size = std::max(size, std::abs(value));
    if (size == 0.0) continue;
    for (const int row : element.nodes())
      for (const int column : element.nodes()) {
        if (row == ground || column == ground) continue;
        const Mat6 block = derivative_by_spin(e, row, column);
        if (block.cwiseAbs().maxCoeff() <= noise * size * speed_) continue;
        const Eigen::MatrixXd free = block(unknowns().free(row), unknowns().free(column));
        stiffness.add(unknowns().node_block(row), unknowns().node_block(column), free);
      }
  }
}

WhirlEquations::Twist WhirlEquations::own_motion_of(int node, const ComplexVector& x) const {
  Twist own = Twist::Zero();
  const std::vector<int>& free = unknowns().free(node);
  for (std::size_t k = 0; k < free.size(); ++k) own[free[k]] = x[mass.first(node) + static_cast<int>(k)];
  return own;
}

WhirlEquations::Twist WhirlEquations::motion_of(int node, const ComplexVector& x) const {
  const Twist own = own_motion_of(node, x);
  const Mat3& R = state_.pose[node].R;
  Twist result;
  result << R * own.head<3>(), R * own.tail<3>();
  return result;
}

Eigen::Vector3cd WhirlEquations::force_of_element(std::size_t element, const ComplexVector& x, Complex value) const {
  const Model& model = assembled_.model;
  Motion step;
  set_rest(state_, step);
  Eigen::Vector3cd force = Eigen::Vector3cd::Zero();
  for (const int node : model.elements[element]->nodes()) {
    if (node == ground || !rotor_.rotates[node]) continue;
    RowSink slow(node), fast(node);
    step.dt = endless;
    model.elements[element]->add_tangent(step, internal_of(model, state_, element), slow);
    step.dt = short_step;
    model.elements[element]->add_tangent(step, internal_of(model, state_, element), fast);
    for (const auto& [column, block] : slow.blocks) {
      const Mat6 damping_block = short_step * (fast.blocks.at(column) - block);
      const Twist motion = motion_of(column, x);
      Twist rate = value * motion;
      if (rotor_.axes == Rotor::Axes::rotating)
        for (int part = 0; part < 2; ++part)
          rate.segment<3>(3 * part) += skew(speed_ * rotor_.axis()) * motion.segment<3>(3 * part);
      force += (2.0 * block * motion + damping_block * rate).head<3>();
    }
  }
  return force;
}

Eigen::Vector3cd WhirlEquations::force_of_joint(int joint, const ComplexVector& x) const {
  const Joint& j = assembled_.model.joints[joint];
  Motion now;
  set_instant(state_, now);
  const JointMotion at = freeplay::motion_of(j, now);
  const bool rotor_is_a = j.a.node != ground && rotor_.rotates[j.a.node];
  Eigen::Vector3cd force = Eigen::Vector3cd::Zero();
  const std::vector<int>& active = unknowns().active(joint);
  for (std::size_t k = 0; k < active.size(); ++k) {
    const JointVector wrench = j.equations[active[k]].gradient(at, state_.time);
    force += wrench.segment<3>(rotor_is_a ? 0 : 6) * x[mass.first(unknowns().joint_block(joint)) + static_cast<int>(k)];
  }
  return force;
}

}  // namespace freeplay
