#include "freeplay/analysis/linearisation.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <map>

#include "freeplay/scheme/energy.h"
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
  std::vector<std::pair<int, int>> couplings;
  const auto couple = [&](int a, int b) {
    if (a != ground && b != ground) couplings.emplace_back(unknowns_.node_block(a), unknowns_.node_block(b));
  };
  const auto couple_with_forces = [&](int node, int block) {
    if (node == ground) return;
    couplings.emplace_back(unknowns_.node_block(node), block);
    couplings.emplace_back(block, unknowns_.node_block(node));
  };
  for (int n = 0; n < unknowns_.n_nodes(); ++n) couple(n, n);
  for (const auto& element : model_.elements) {
    if (!element->couples_nodes()) continue;
    for (const int a : element->nodes())
      for (const int b : element->nodes()) couple(a, b);
  }
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint::Nodes nodes = model_.joints[j].nodes();
    for (const int a : nodes) {
      for (const int b : nodes) couple(a, b);
      couple_with_forces(a, unknowns_.joint_block(j));
    }
  }
  std::vector<int> sizes = unknowns_.block_sizes();
  for (const int e : mixed_elements_) {
    const int block = static_cast<int>(sizes.size());
    for (const int node : model_.elements[e]->nodes()) couple_with_forces(node, block);
    couplings.emplace_back(block, block);
    sizes.push_back(n_motions(*model_.elements[e]));
  }
  return {sizes, std::move(couplings)};
}

int Linearisation::n_motions(const ForceElement& element) const {
  std::size_t n = 0;
  for (const int node : element.nodes())
    if (node != ground) n += unknowns_.free(node).size();
  return static_cast<int>(n);
}

void Linearisation::add_block(int row_node, int column_node, const Mat6& block, BlockMatrix& matrix) const {
  const auto& rows = unknowns_.free(row_node);
  const auto& columns = unknowns_.free(column_node);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> free = block(rows, columns);
  matrix.add(unknowns_.node_block(row_node), unknowns_.node_block(column_node), free);
}

/// Takes the derivative of the force of a step by the end of the step. For a step that does not move this is half the
/// derivative of the force at an instant (of the mean of start and end), plus damping divided by dt.
class Linearisation::Sink : public TangentSink {
 public:
  Sink(const Linearisation& equations, BlockMatrix& matrix) : equations_(equations), matrix_(matrix) {}

  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row != Row::balance || column != Column::end) return;
    const auto& nodes = equations_.step_.nodes;
    const Mat6 in_body_axes =
        to_inertial(nodes[row_node].start.R).transpose() * derivative * to_inertial(nodes[column_node].start.R);
    equations_.add_block(row_node, column_node, in_body_axes, matrix_);
  }

 private:
  const Linearisation& equations_;
  BlockMatrix& matrix_;
};

void Linearisation::add_element_tangents(const State& state, double dt, BlockMatrix& matrix) {
  step_.dt = dt;
  Sink sink(*this, matrix);
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    model_.elements[e]->add_tangent(step_, internal_of(model_, state, e), sink);
}

BlockMatrix Linearisation::damping_of(const State& state, const std::vector<char>& elements) {
  BlockMatrix slow = damping, fast = damping;
  for (BlockMatrix* matrix : {&slow, &fast}) {
    matrix->set_zero();
    step_.dt = matrix == &slow ? endless : short_step;
    Sink sink(*this, *matrix);
    for (std::size_t e = 0; e < model_.elements.size(); ++e)
      if (elements[e]) model_.elements[e]->add_tangent(step_, internal_of(model_, state, e), sink);
  }
  for (std::size_t k = 0; k < fast.value().size(); ++k)
    fast.value()[k] = short_step * (fast.value()[k] - slow.value()[k]);
  return fast;
}

/// The stiffness of one element over the free motions of its nodes.
class Linearisation::ElementSink : public TangentSink {
 public:
  ElementSink(const Linearisation& equations, const ForceElement& element) : equations_(equations) {
    const int n = equations.n_motions(element);
    stiffness.setZero(n, n);
    int first = 0;
    for (const int node : element.nodes()) {
      if (node == ground) continue;
      first_.emplace(node, first);
      first += static_cast<int>(equations.unknowns_.free(node).size());
    }
  }

  void add(Row row, int row_node, Column column, int column_node, const Mat6& derivative) override {
    if (row != Row::balance || column != Column::end) return;
    const auto& nodes = equations_.step_.nodes;
    const auto& rows = equations_.unknowns_.free(row_node);
    const auto& columns = equations_.unknowns_.free(column_node);
    const Mat6 in_body_axes =
        to_inertial(nodes[row_node].start.R).transpose() * derivative * to_inertial(nodes[column_node].start.R);
    // Half the derivative at an instant, see Sink.
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
  const Linearisation& equations_;
  std::map<int, int> first_;
};

/// With unknowns that make all diagonal elements one (lengths and angles, stretching and shear do not compare
/// otherwise), the eigenvalues of an element's stiffness are of size one, or much smaller where it gives way to
/// motions together that it hinders one by one, or round-off where it moves like a rigid body.
void Linearisation::add_mixed_tangents(const State& state) {
  constexpr double stiff = 1e-3, round_off = 100.0 * std::numeric_limits<double>::epsilon();
  step_.dt = endless;
  stiffness.set_zero();
  Sink plain(*this, stiffness);
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    if (!model_.elements[e]->couples_nodes())
      model_.elements[e]->add_tangent(step_, internal_of(model_, state, e), plain);
  for (double& value : stiffness.value()) value *= 2.0;
  for (std::size_t k = 0; k < mixed_elements_.size(); ++k) {
    const std::size_t e = mixed_elements_[k];
    const int block = n_joint_and_node_blocks_ + static_cast<int>(k);
    ElementSink sink(*this, *model_.elements[e]);
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
  for (std::size_t n = 0; n < forces_.size(); ++n) {
    const Mat6& mass = model_.nodes[n].mass;
    const Vec3 arm = state.pose[n].R * first_moment(mass);
    forces_[n] << -mass(0, 0) * model_.gravity, -arm.cross(model_.gravity);
  }
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    model_.elements[e]->add_forces(instant_, internal_of(model_, state, e), forces_);
}

void Linearisation::add_gravity_tangents(const State& state) {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    // moment -(R s) x g, s being the first moment; R^T d(R s) = eta_w x s
    const Vec3 g = state.pose[n].R.transpose() * model_.gravity;
    Mat6 block = Mat6::Zero();
    block.bottomRightCorner<3, 3>() = -skew(g) * skew(first_moment(model_.nodes[n].mass));
    add_block(n, n, block, stiffness);
  }
}

void Linearisation::add_joints(const State& state) {
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, step_);
    const int n_rows = 6 * at.n_places;
    const auto& active = unknowns_.active(j);
    const int n_active = static_cast<int>(active.size());
    const int first = stiffness.first(unknowns_.joint_block(j));
    JointGradients gradient(n_rows, n_active);
    JointVector reaction = JointVector::Zero(n_rows);
    JointMatrix geometric = JointMatrix::Zero(n_rows, n_rows);
    for (int k = 0; k < n_active; ++k) {
      const Equation& equation = joint.equations[active[k]];
      const double multiplier = state.multiplier[joint.first_equation + active[k]];
      gradient.col(k) = equation.gradient(at, state.time);
      reaction += multiplier * gradient.col(k);
      geometric += 2.0 * multiplier * equation.force_tangent(at, state.time);
      residual[first + k] = equation.value(at, state.time, 1.0, state.internal);
    }
    Sink sink(*this, stiffness);
    for (int side = 0; side < at.n_places; ++side) {
      const int node = joint.node(side);
      if (node == ground) continue;
      forces_[node] += reaction.segment<6>(6 * side);
      for (int other = 0; other < at.n_places; ++other)
        if (joint.node(other) != ground)
          sink.add(TangentSink::Row::balance, node, TangentSink::Column::end, joint.node(other),
                   geometric.block<6, 6>(6 * side, 6 * other));
      const Eigen::Matrix<double, 6, Eigen::Dynamic> all =
          to_inertial(state.pose[node].R).transpose() * gradient.middleRows<6>(6 * side);
      const Eigen::MatrixXd column = all(unknowns_.free(node), Eigen::all);
      if (column.size() == 0) continue;
      stiffness.add(unknowns_.node_block(node), unknowns_.joint_block(j), column);
      stiffness.add(unknowns_.joint_block(j), unknowns_.node_block(node), column.transpose());
    }
  }
}

void Linearisation::add_inertia(const State& state) {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Mat6& M = model_.nodes[n].mass;
    add_block(n, n, M, mass);
    // M nu' + (w x p, w x h + V x p) with (p, h) = M nu is the force of inertia; nu changes by eta' + ad eta.
    const Vec6 nu = twist_of(n, state);
    const Mat6 ad = adjoint(nu);
    const Vec6 momentum = M * nu;
    Mat6 by_twist = -ad.transpose() * M;
    by_twist.topRightCorner<3, 3>() -= skew(momentum.head<3>());
    by_twist.bottomLeftCorner<3, 3>() -= skew(momentum.head<3>());
    by_twist.bottomRightCorner<3, 3>() -= skew(momentum.tail<3>());
    add_block(n, n, M * ad + by_twist, damping);
    add_block(n, n, by_twist * ad, stiffness);
  }
}

/// The balance in body axes, and what turning those axes does to the forces: d(R^T F) = R^T dF + (R^T F) x eta_w.
void Linearisation::store_residual(const State& state) {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Vec6 force = to_inertial(state.pose[n].R).transpose() * forces_[n];
    Mat6 rotated = Mat6::Zero();
    rotated.topRightCorner<3, 3>() = skew(force.head<3>());
    rotated.bottomRightCorner<3, 3>() = skew(force.tail<3>());
    add_block(n, n, rotated, stiffness);
    const Vec6 nu = twist_of(n, state);
    const Vec6 inertia = -adjoint(nu).transpose() * model_.nodes[n].mass * nu;
    unknowns_.scatter(n, inertia + force, &residual[stiffness.first(n)]);
  }
}

void Linearisation::assemble(const State& state) {
  State rotating = state;
  for (std::size_t n = 0; n < rotating.pose.size(); ++n) rotating.twist[n] = twist_of(n, state);
  set_instant(rotating, instant_);
  step_ = instant_;
  step_.instant = false;
  for (BlockMatrix* matrix : {&mass, &damping, &stiffness}) matrix->set_zero();

  add_element_tangents(state, endless, stiffness);
  add_element_tangents(state, short_step, damping);
  has_dampers_ = damping.value() != stiffness.value();
  for (std::size_t k = 0; k < stiffness.value().size(); ++k) {
    damping.value()[k] = short_step * (damping.value()[k] - stiffness.value()[k]);
    stiffness.value()[k] *= 2.0;
  }
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
