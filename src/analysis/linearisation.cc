#include "freeplay/analysis/linearisation.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <map>

#include "freeplay/mechanics/weight.h"
#include "freeplay/scheme/block_sink.h"
#include "freeplay/scheme/ownership.h"
#include "freeplay/scheme/pattern.h"
#include "limiting_steps.h"

namespace freeplay {

namespace {

/// From the variations (dx, dphi) in body axes to those in inertial axes.
Mat6 to_inertial(const Mat3& R) {
  Mat6 T = Mat6::Zero();
  T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = R;
  return T;
}

/// ad of a twist: the twist changes by eta' + ad eta when its node is displaced by eta.
Mat6 adjoint(const Vec6& twist) {
  const Mat3 w = skew(twist.tail<3>());
  Mat6 ad = Mat6::Zero();
  ad.topLeftCorner<3, 3>() = ad.bottomRightCorner<3, 3>() = w;
  ad.topRightCorner<3, 3>() = skew(twist.head<3>());
  return ad;
}

}  // namespace

Vec6 SteadyRotation::twist(const Pose& pose) const {
  Vec6 nu;
  nu << pose.R.transpose() * velocity.cross(pose.x - point), pose.R.transpose() * velocity;
  return nu;
}

Linearisation::Linearisation(const Model& model, const SteadyRotation& rotation, Form form, std::vector<char> rotating)
    : model_(model),
      rotation_(rotation),
      rotating_(std::move(rotating)),
      unknowns_(model),
      n_joint_and_node_blocks_(static_cast<int>(unknowns_.block_sizes().size())),
      forces_(model.nodes.size()) {
  for (std::size_t e = 0; e < model.elements.size(); ++e)
    if (form == Form::mixed && model.elements[e]->couples_nodes()) mixed_elements_.push_back(static_cast<int>(e));
  mass = damping = stiffness = make_matrix();
  residual.resize(mass.size());
}

Vec6 Linearisation::twist_of(std::size_t node, const State& state) const {
  const bool rotates = rotating_.empty() || rotating_[node];
  return rotates ? rotation_.twist(state.pose[node]) : Vec6(Vec6::Zero());
}

BlockMatrix Linearisation::make_matrix() const {
  Pattern pattern(model_, unknowns_);
  pattern.add_nodes();
  pattern.add_elements();
  pattern.add_nodes_of_joints();
  pattern.add_multipliers();
  std::vector<int> sizes = unknowns_.block_sizes();
  for (const int e : mixed_elements_) {
    const int block = static_cast<int>(sizes.size());
    for (const int node : model_.elements[e]->nodes())
      if (node != ground) pattern.couple_both(unknowns_.node_block(node), block);
    pattern.couple(block, block);
    sizes.push_back(n_motions(*model_.elements[e]));
  }
  return {sizes, pattern.take()};
}

BlockOwners Linearisation::owners(const Team& team) const {
  return Ownership(model_, team).owners_of(unknowns_, static_cast<int>(mixed_elements_.size()));
}

int Linearisation::n_motions(const ForceElement& element) const {
  std::size_t n = 0;
  for (const int node : element.nodes())
    if (node != ground) n += unknowns_.free(node).size();
  return static_cast<int>(n);
}

void Linearisation::add_block(int node, const Mat6& block, BlockMatrix& matrix) const {
  unknowns_.add(block, unknowns_.node_block(node), node, unknowns_.node_block(node), node, matrix);
}

/// Stiffness, and what dampers add to it in a step of length dt: twice damping/dt.
void Linearisation::add_element_tangents(const State& state, double dt, BlockMatrix& matrix,
                                         const std::function<bool(std::size_t)>& counts) {
  step_.dt = dt;
  RestSink sink(unknowns_, state.pose, matrix);
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    if (!counts || counts(e)) model_.elements[e]->add_tangent(step_, internal_of(model_, state, e), sink);
}

void Linearisation::find_damping(const BlockMatrix& without, BlockMatrix& with) {
  for (std::size_t k = 0; k < with.value().size(); ++k)
    with.value()[k] = 0.5 * short_step * (with.value()[k] - without.value()[k]);
}

BlockMatrix Linearisation::damping_of(const State& state, const std::vector<char>& elements) {
  BlockMatrix without = damping, with = damping;
  for (BlockMatrix* matrix : {&without, &with}) {
    matrix->set_zero();
    add_element_tangents(state, matrix == &without ? endless : short_step, *matrix,
                         [&](std::size_t e) { return elements[e] != 0; });
  }
  find_damping(without, with);
  return with;
}

/// The stiffness of one element over the free motions of its nodes.
class Linearisation::ElementSink : public TangentSink {
 public:
  ElementSink(const Linearisation& equations, const ForceElement& element, std::span<const Pose> axes)
      : unknowns_(equations.unknowns_), axes_(axes) {
    const int n = equations.n_motions(element);
    stiffness.setZero(n, n);
    int first = 0;
    for (const int node : element.nodes()) {
      if (node == ground) continue;
      first_.emplace(node, first);
      first += static_cast<int>(unknowns_.free(node).size());
    }
  }

  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row != Row::balance || column != Column::end) return;
    const auto& rows = unknowns_.free(row_node);
    const auto& columns = unknowns_.free(column_node);
    const Mat6 in_body_axes =
        to_inertial(axes_[row_node].R).transpose() * derivative * to_inertial(axes_[column_node].R);
    // Twice the derivative by the end, see RestSink.
    stiffness.block(first_.at(row_node), first_.at(column_node), rows.size(), columns.size()) +=
        2.0 * in_body_axes(rows, columns);
  }

  /// Calls use(node, number of its first motion) for all nodes that can move.
  template <class Use>
  void for_nodes(const Use& use) const {
    for (const auto& [node, first] : first_) use(node, first);
  }

  Eigen::MatrixXd stiffness;

 private:
  const Unknowns& unknowns_;
  std::span<const Pose> axes_;
  std::map<int, int> first_;
};

/// With unknowns that make all diagonal elements one (lengths and angles, stretching and shear do not compare
/// otherwise), the eigenvalues of an element's stiffness are of size one, or much smaller where it gives way to
/// motions together that it hinders one by one, or round-off where it moves like a rigid body.
void Linearisation::add_mixed_tangents(const State& state) {
  constexpr double stiff = 1e-3, round_off = 100.0 * std::numeric_limits<double>::epsilon();
  stiffness.set_zero();
  add_element_tangents(state, endless, stiffness, [&](std::size_t e) { return !model_.elements[e]->couples_nodes(); });
  for (std::size_t k = 0; k < mixed_elements_.size(); ++k) {
    const std::size_t e = mixed_elements_[k];
    const int block = n_joint_and_node_blocks_ + static_cast<int>(k);
    ElementSink sink(*this, *model_.elements[e], state.pose);
    model_.elements[e]->add_tangent(step_, internal_of(model_, state, e), sink);
    const Eigen::VectorXd scale =
        sink.stiffness.diagonal().unaryExpr([](double s) { return s != 0.0 ? std::sqrt(std::abs(s)) : 1.0; });
    const Eigen::MatrixXd scaled =
        scale.cwiseInverse().asDiagonal() * sink.stiffness * scale.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (scaled + scaled.transpose()));
    const Eigen::VectorXd& values = eigen.eigenvalues();
    const Eigen::MatrixXd directions = scale.asDiagonal() * eigen.eigenvectors();
    const double largest = values.maxCoeff();
    // What has no potential, such as the moment of a section force in body axes, is not a sum over eigenvectors.
    Eigen::MatrixXd soft = 0.5 * (scaled - scaled.transpose());
    if (soft.cwiseAbs().maxCoeff() <= round_off * largest) soft.setZero();
    soft = scale.asDiagonal() * soft * scale.asDiagonal();
    for (Eigen::Index i = 0; i < values.size(); ++i)
      if (values[i] <= stiff * largest && std::abs(values[i]) > round_off * largest)
        soft += values[i] * directions.col(i) * directions.col(i).transpose();
    // Rows so small that 1/s is nothing beside them: a factorisation that divided by it would make the sum again.
    constexpr double small = 1e-9;
    const double size = largest > 0.0 ? small * sink.stiffness.cwiseAbs().maxCoeff() : 1.0;
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(values.size(), values.size());
    Eigen::VectorXd diagonal = Eigen::VectorXd::Constant(values.size(), -size);
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      if (values[i] <= stiff * largest) continue;
      const double factor = size / directions.col(i).cwiseAbs().maxCoeff();
      rows.row(i) = factor * directions.col(i).transpose();
      diagonal[i] = -factor * factor / values[i];
    }
    stiffness.add(block, block, Eigen::MatrixXd(diagonal.asDiagonal()));
    sink.for_nodes([&](int a, int first_a) {
      const auto n_a = static_cast<Eigen::Index>(unknowns_.free(a).size());
      stiffness.add(block, unknowns_.node_block(a), rows.middleCols(first_a, n_a));
      stiffness.add(unknowns_.node_block(a), block, rows.middleCols(first_a, n_a).transpose());
      sink.for_nodes([&](int b, int first_b) {
        const auto n_b = static_cast<Eigen::Index>(unknowns_.free(b).size());
        stiffness.add(unknowns_.node_block(a), unknowns_.node_block(b), soft.block(first_a, first_b, n_a, n_b));
      });
    });
  }
}

void Linearisation::add_forces(const State& state) {
  for (std::size_t n = 0; n < forces_.size(); ++n)
    forces_[n] = resisting_weight(model_.nodes[n], state.pose[n].R, model_.gravity);
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    model_.elements[e]->add_forces(instant_, internal_of(model_, state, e), forces_);
}

void Linearisation::add_gravity_tangents(const State& state) {
  RestSink sink(unknowns_, state.pose, stiffness);
  sink.set_factor(0.5);  // this is the whole of it
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    sink.add(TangentSink::Row::balance, n, TangentSink::Column::end, n,
             weight_stiffness(model_.nodes[n], state.pose[n].R, model_.gravity));
}

void Linearisation::add_joints(const State& state) {
  RestSink sink(unknowns_, state.pose, stiffness);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, step_);
    const auto& active = unknowns_.active(j);
    const auto n_active = static_cast<Eigen::Index>(active.size());
    const int block = unknowns_.joint_block(j);
    Eigen::VectorXd multipliers(n_active);
    for (Eigen::Index k = 0; k < n_active; ++k) {
      multipliers[k] = state.multiplier[joint.first_equation + active[k]];
      residual[stiffness.first(block) + k] = joint.equations[active[k]].value(at, state.time, 1.0, state.internal);
    }
    const JointGradients gradients =
        columns_of(joint, active, [&](const Equation& each) { return each.gradient(at, state.time); });
    const JointVector reaction = gradients * multipliers;
    for (int side = 0; side < at.n_places; ++side)
      if (joint.node(side) != ground) forces_[joint.node(side)] += reaction.segment<6>(6 * side);
    sink.add_joint(joint, force_tangent(joint, active, multipliers.data(), at, state.time));
    sink.add_multipliers(joint, block, gradients, gradients);
  }
}

void Linearisation::add_inertia(const State& state) {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Mat6& M = model_.nodes[n].mass;
    add_block(n, M, mass);
    // M nu' + (w x p, w x h + V x p) with (p, h) = M nu is the force of inertia; nu changes by eta' + ad eta.
    const Vec6 nu = twist_of(n, state);
    const Mat6 ad = adjoint(nu);
    const Vec6 momentum = M * nu;
    Mat6 by_twist = -ad.transpose() * M;
    by_twist.topRightCorner<3, 3>() -= skew(momentum.head<3>());
    by_twist.bottomLeftCorner<3, 3>() -= skew(momentum.head<3>());
    by_twist.bottomRightCorner<3, 3>() -= skew(momentum.tail<3>());
    add_block(n, M * ad + by_twist, damping);
    add_block(n, by_twist * ad, stiffness);
  }
}

/// The balance in body axes, and what turning those axes does to the forces: d(R^T F) = R^T dF + (R^T F) x eta_w.
void Linearisation::store_residual(const State& state) {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Vec6 force = to_inertial(state.pose[n].R).transpose() * forces_[n];
    Mat6 rotated = Mat6::Zero();
    rotated.topRightCorner<3, 3>() = skew(force.head<3>());
    rotated.bottomRightCorner<3, 3>() = skew(force.tail<3>());
    add_block(n, rotated, stiffness);
    const Vec6 nu = twist_of(n, state);
    const Vec6 inertia = -adjoint(nu).transpose() * model_.nodes[n].mass * nu;
    unknowns_.scatter(n, inertia + force, &residual[stiffness.first(n)]);
  }
}

void Linearisation::assemble(const State& state) {
  State rotating = state;
  for (std::size_t n = 0; n < rotating.pose.size(); ++n) rotating.twist[n] = twist_of(n, state);
  set_instant(rotating, instant_);
  set_rest(rotating, step_);
  for (BlockMatrix* matrix : {&mass, &damping, &stiffness}) matrix->set_zero();

  add_element_tangents(state, endless, stiffness);
  add_element_tangents(state, short_step, damping);
  has_dampers_ = damping.value() != stiffness.value();
  find_damping(stiffness, damping);
  if (!mixed_elements_.empty()) add_mixed_tangents(state);

  add_forces(state);
  add_gravity_tangents(state);
  add_joints(state);
  add_inertia(state);
  store_residual(state);
}

Linearisation::Sparse Linearisation::sparse(BlockMatrix& matrix) {
  const int n = matrix.size();
  return Eigen::Map<Sparse>(n, n, static_cast<Eigen::Index>(matrix.value().size()), matrix.row_start().data(),
                            matrix.column().data(), matrix.value().data());
}

bool Linearisation::is_conservative() {
  constexpr double round_off = 1e-12;
  const Sparse K = sparse(stiffness);
  const Sparse asymmetry = K - Sparse(K.transpose());
  return asymmetry.coeffs().abs().maxCoeff() <= round_off * K.coeffs().abs().maxCoeff();
}

double Linearisation::largest_stiffness_by_mass() {
  const Eigen::VectorXd M = sparse(mass).diagonal(), K = sparse(stiffness).diagonal();
  double largest = 0.0;
  for (int k = 0; k < n_degrees_of_freedom(); ++k)
    if (M[k] > 0.0) largest = std::max(largest, std::abs(K[k]) / M[k]);
  return largest;
}

}  // namespace freeplay
