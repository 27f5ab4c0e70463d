#include "freeplay/integrator/step_equations.h"

#include <cmath>
#include <limits>

#include "freeplay/integrator/energy.h"

namespace freeplay {

StepEquations::StepEquations(const Model& model, double alpha, const Team& team)
    : model_(model), team_(team), unknowns_(model, Unknowns::Of::step), friction_(model), alpha_(alpha) {
  first_element_ = model.elements.size() * team.rank() / team.size();
  last_element_ = model.elements.size() * (team.rank() + 1) / team.size();
  const std::vector<int> sizes = unknowns_.block_sizes();
  first_.assign(1, 0);
  for (const int size : sizes) first_.push_back(first_.back() + size);
  size_ = first_.back();
  const std::size_t n = model.nodes.size();
  for (const Node& node : model.nodes) row_scale_.push_back(momentum_scale(node.mass, model.length_scale));
  std::vector<ForceElement::Cancelling> cancelling(n);
  for (const auto& element : model.elements)
    for (const int node : element->nodes()) {
      if (node == ground) continue;
      const ForceElement::Cancelling part = element->cancelling(model.length_scale);
      cancelling[node].force += part.force;
      cancelling[node].moment += part.moment;
    }
  double square = 0.0;
  for (std::size_t k = 0; k < n; ++k)
    square +=
        std::pow(row_scale_[k][0] * cancelling[k].force, 2) + std::pow(row_scale_[k][3] * cancelling[k].moment, 2);
  // What is fixed has no equation.
  for (std::size_t k = 0; k < n; ++k)
    for (int dof = 0; dof < 6; ++dof)
      if (model.nodes[k].fixed[dof]) row_scale_[k][dof] = 0.0;
  double mass = 0.0;
  for (const Node& node : model.nodes) mass += node.mass(0, 0);
  root_mass_ = std::sqrt(mass);
  noise_per_dt_square_ = std::numeric_limits<double>::epsilon() * std::sqrt(square);
  projection_reactions_.assign(model.n_multipliers, 0.0);
  motion_.alpha = alpha;
  motion_.nodes.resize(n);
  nodes_.resize(n);
  end_variation_.resize(n);
  jump_variation_.resize(n);
  for (auto* list : {&forces_, &joint_forces_, &jump_forces_}) list->resize(n);
  has_joint_.assign(n, false);
  for (const Joint& joint : model.joints)
    for (const int node : {joint.a.node, joint.b.node})
      if (node != ground) has_joint_[node] = true;
}

void StepEquations::begin(const State& start, double dt, Clock clock) {
  start_ = &start;
  motion_.time = start.time;
  motion_.dt = dt;
  motion_.passed = clock == Clock::runs ? dt : 0.0;
  position_scale_ = model_.length_scale;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    motion_.nodes[k].start = start.pose[k];
    position_scale_ = std::max(position_scale_, start.pose[k].x.norm());
    nodes_[k].impulse_i = model_.nodes[k].mass * start.twist[k];
  }
  friction_.begin(motion_);
  // Statics have no slip, and what friction then does is not unique: they leave it out.
  friction_acts_ = clock == Clock::runs;
}

void StepEquations::balance_too(const std::vector<Vec6>& momenta) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) nodes_[n].impulse_i -= momenta[n];
}

Vec6 StepEquations::unbalanced(int n) const {
  const NodeStep& node = nodes_[n];
  Vec3 linear = node.linear, angular = node.angular;
  // In fixed directions these are reactions.
  for (int k = 0; k < 3; ++k) {
    if (model_.nodes[n].fixed[k]) linear[k] = 0.0;
    if (model_.nodes[n].fixed[k + 3]) angular[k] = 0.0;
  }
  // The balance is about the middle of the way; the next step begins at its end.
  angular -= 0.5 * node.way.cross(linear);
  const Mat3 to_end = (Mat3::Identity() + node.turn_change).transpose();
  Vec6 momenta;
  momenta << to_end * linear, to_end * angular;
  for (int dof = 0; dof < 6; ++dof)
    if (model_.nodes[n].fixed[dof]) momenta[dof] = 0.0;
  return momenta;
}

void StepEquations::guess(const std::vector<Vec6>& mean_twist, std::span<const double> multipliers,
                          std::span<double> u) const {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    unknowns_.scatter(n, motion_.dt * mean_twist[n], &u[first_[unknowns_.node_block(n)]]);
    if (!unknowns_.has_jump(n)) continue;
    // Without a velocity jump, nu_j = nu_i, the relation between nu_j, xi and xi_h below gives this xi_h.
    const Vec6 xi_h = motion_.dt / 3.0 * (start_->twist[n] - mean_twist[n]);
    unknowns_.scatter(n, xi_h, &u[first_[unknowns_.jump_block(n)]]);
  }
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k)
      u[first_[unknowns_.joint_block(j)] + k] =
          motion_.dt * motion_.dt * multipliers[model_.joints[j].first_equation + active[k]];
  }
  for (int k = 0; k < unknowns_.n_frictions(); ++k)
    for (int c = 0; c < friction_.friction(k).n_slips(); ++c)
      u[first_[unknowns_.friction_block(k)] + c] =
          friction_acts_ ? motion_.dt * motion_.dt * multipliers[friction_.friction(k).first_multiplier + c] : 0.0;
}

std::vector<double> StepEquations::weights() const {
  std::vector<double> weights(size_, 0.0);
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Vec6 weight = momentum_scale(model_.nodes[n].mass, model_.length_scale).cwiseAbs2().cwiseInverse();
    unknowns_.scatter(n, weight, &weights[first_[unknowns_.node_block(n)]]);
    if (unknowns_.has_jump(n)) unknowns_.scatter(n, weight, &weights[first_[unknowns_.jump_block(n)]]);
  }
  return weights;
}

void StepEquations::update(std::span<const double> u) {
  const double by_dt = 1.0 / motion_.dt;
  // nu_j = (2 xi - (1 - alpha) dt nu_i + 6 xi_h) / ((1 + alpha) dt)
  const double by_xi_h = 6.0 * by_dt / (1.0 + alpha_), by_nu_g = 2.0 / (1.0 + alpha_),
               by_nu_i = (1.0 - alpha_) / (1.0 + alpha_);
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    NodeStep& node = nodes_[n];
    NodeMotion& motion = motion_.nodes[n];
    const Vec6& nu_i = start_->twist[n];
    const Mat6& mass = model_.nodes[n].mass;
    // Read where the solver has left them: a processor that has just written numbers in pairs waits before it can read
    // them in other pairs.
    const auto twist_at = [&](int block, Vec6& room) {
      const double* values = &u[first_[block]];
      if (unknowns_.free(n).size() == 6) return Eigen::Map<const Vec6>(values);
      room = unknowns_.gather(n, values);
      return Eigen::Map<const Vec6>(room.data());
    };
    const Eigen::Map<const Vec6> xi = twist_at(unknowns_.node_block(n), node.xi);
    const Vec6 nu_g = by_dt * xi;
    node.xi = xi;
    if (unknowns_.has_jump(n)) {
      const Eigen::Map<const Vec6> xi_h = twist_at(unknowns_.jump_block(n), node.xi_h);
      node.xi_h = xi_h;
      node.nu_j = by_nu_g * nu_g - by_nu_i * nu_i + by_xi_h * xi_h;
      // With the mass at hand: it takes as long to read as to multiply.
      node.jump_momentum = mass * (node.nu_j - nu_i);
      move(motion.start, way_of(xi_h.head<3>(), xi_h.tail<3>()), cayley_change(xi_h.tail<3>()), motion.jump,
           motion.to_jump);
    } else {
      // No stress that jumps acts on the node: the jump equation says nu_j = nu_i.
      node.nu_j = nu_i;
      motion.jump = motion.start;
      motion.to_jump.setZero();
    }
    node.nu_f = 2.0 * nu_g - node.nu_j;
    const Mat3 turn_change = cayley_change(xi.tail<3>());
    const Vec3 way = way_of(xi.head<3>(), xi.tail<3>());
    move(motion.start, way, turn_change, motion.end, motion.to_end);
    node.turn_change = turn_change;
    node.way = way;
    node.impulse_f = mass * node.nu_f;
  }
}

void StepEquations::add_gravity() {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const NodeMotion& motion = motion_.nodes[n];
    forces_[n].head<3>() -= model_.nodes[n].mass(0, 0) * model_.gravity;
    const Vec3 moment = first_moment(model_.nodes[n].mass);
    if (moment.isZero(0.0)) continue;
    const Vec3 arm = 0.5 * (motion.start.R + motion.end.R) * moment;
    forces_[n].tail<3>() -= arm.cross(model_.gravity);
  }
}

void StepEquations::add_joint_forces(std::span<const double> u, std::span<double> r) {
  constraint_max_ = 0.0;
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const FrameMotion A = motion_(joint.a);
    const FrameMotion B = motion_(joint.b);
    const int first = first_[unknowns_.joint_block(j)];
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      const Vec12 w = u[first + k] / (motion_.dt * motion_.dt) *
                      equation.form_at(motion_.mid_time()).wrench(A.mid, B.mid, A.start.a);
      if (joint.a.node != ground) joint_forces_[joint.a.node] += w.head<6>();
      if (joint.b.node != ground) joint_forces_[joint.b.node] += w.tail<6>();
      const double c =
          equation.form_at(motion_.end_time()).value(A.end, B.end, A.start.a) - equation.offset(motion_.end_time());
      const double length = equation.is_length() ? 1.0 : model_.length_scale;
      constraint_max_ = std::max(constraint_max_, std::abs(c) * length);
      r[first + k] = std::sqrt(model_.mass_scale) * length * c;
    }
  }
}

void StepEquations::residual(std::span<const double> u, std::span<double> r) {
  update(u);
  for (auto* list : {&forces_, &jump_forces_})
    for (Vec6& f : *list) f.setZero();
  for (const Joint& joint : model_.joints)
    for (const int node : {joint.a.node, joint.b.node})
      if (node != ground) joint_forces_[node].setZero();
  for (std::size_t e = first_element_; e < last_element_; ++e)
    model_.elements[e]->add_step_forces(motion_, internal_of(model_, *start_, e), forces_, jump_forces_);
  for (auto* list : {&forces_, &jump_forces_}) team_.sum({list->data()->data(), 6 * list->size()});
  add_gravity();
  add_joint_forces(u, r);
  momentum_square_ = reference_square_ = 0.0;
  add_friction_forces(u, r);

  const double dt = motion_.dt;
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    NodeStep& node = nodes_[n];
    const Mat3& R_i = motion_.nodes[n].start.R;
    const Vec3 p_i = node.impulse_i.head<3>(), p_f = node.impulse_f.head<3>();
    const Vec3 h_i = node.impulse_i.tail<3>(), h_f = node.impulse_f.tail<3>();
    const Vec3 p_change = p_f - p_i + node.turn_change * p_f;
    const Vec3 h_change = h_f - h_i + node.turn_change * h_f + 0.5 * node.way.cross(p_change + 2.0 * p_i);
    const auto impulse_of = [&](const auto& force) -> Vec3 { return dt * (R_i.transpose() * force); };
    const Vec3 impulse = impulse_of(forces_[n].head<3>()), turning = impulse_of(forces_[n].tail<3>());
    Vec3 linear = p_change + impulse, angular = h_change + turning;
    Vec3 linear_terms = p_i.cwiseAbs2() + p_f.cwiseAbs2() + impulse.cwiseAbs2();
    Vec3 angular_terms = h_i.cwiseAbs2() + h_f.cwiseAbs2() + turning.cwiseAbs2();
    if (has_joint_[n]) {
      const Vec3 joint_impulse = impulse_of(joint_forces_[n].head<3>());
      const Vec3 joint_turning = impulse_of(joint_forces_[n].tail<3>());
      linear += joint_impulse;
      angular += joint_turning;
      linear_terms += joint_impulse.cwiseAbs2();
      angular_terms += joint_turning.cwiseAbs2();
    }
    node.linear = linear;
    node.angular = angular;
    const Vec3 scale = dt * row_scale_[n].head<3>(), angular_scale = dt * row_scale_[n].tail<3>();
    linear = scale.cwiseProduct(linear);
    angular = angular_scale.cwiseProduct(angular);
    unknowns_.scatter(n, linear, angular, &r[first_[unknowns_.node_block(n)]]);
    momentum_square_ += linear.squaredNorm() + angular.squaredNorm();
    reference_square_ += scale.cwiseAbs2().dot(linear_terms) + angular_scale.cwiseAbs2().dot(angular_terms);
    if (!unknowns_.has_jump(n)) continue;
    const Vec6 jump = dt * row_scale_[n].cwiseProduct(node.jump_momentum - dt / 6.0 * jump_forces_[n]);
    unknowns_.scatter(n, jump, &r[first_[unknowns_.jump_block(n)]]);
    momentum_square_ += jump.squaredNorm();
  }
}

double StepEquations::relative_size() const {
  // Positions carry a round-off of about 1e-16 of their size: a constraint cannot be met more closely.
  constexpr double round_off = 4e-15;
  const double constraint =
      constraint_max_ <= round_off * position_scale_ ? 0.0 : std::sqrt(model_.mass_scale) * constraint_max_;
  const double size = std::hypot(std::sqrt(momentum_square_), constraint);
  if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
  return reference_square_ > 0.0 ? size / std::sqrt(reference_square_) : size;
}

bool StepEquations::at_round_off() const {
  // Two sources: forces that cancel in stiff elements, and momenta dt M nu that jump with the round-off of positions.
  constexpr double round_off = 4e-16;
  const double noise = motion_.dt * motion_.dt * noise_per_dt_square_ + round_off * root_mass_ * position_scale_;
  return constraint_max_ <= 10.0 * round_off * position_scale_ && momentum_square_ <= noise * noise;
}

void StepEquations::finish(std::span<const double> u, State& end) {
  // The motion is that of u already: a solution ends with its residual.
  end.time = motion_.end_time();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    end.pose[n].x = motion_.nodes[n].end.x;
    // What did not turn keeps every bit.
    const bool turned = !nodes_[n].xi.tail<3>().isZero(0.0);
    end.pose[n].R = turned ? nearest_rotation(motion_.nodes[n].end.R) : motion_.nodes[n].start.R;
    end.twist[n] = nodes_[n].nu_f;
  }
  std::fill(end.multiplier.begin(), end.multiplier.end(), 0.0);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k)
      end.multiplier[model_.joints[j].first_equation + active[k]] =
          u[first_[unknowns_.joint_block(j)] + k] / (motion_.dt * motion_.dt);
  }
  end.internal = start_->internal;
  for (int k = 0; k < unknowns_.n_frictions(); ++k) {
    const JointFriction& friction = friction_.friction(k);
    const FrictionDemand demand = friction_demand(k, u);
    for (int c = 0; c < friction.n_slips(); ++c)
      end.multiplier[friction.first_multiplier + c] =
          u[first_[unknowns_.friction_block(k)] + c] / (motion_.dt * motion_.dt);
    const FrictionNumbers<double> numbers = numbers_of(friction, end);
    numbers.bristles() = demand.bristles;
    numbers.normal_force() = demand.normal_force;
  }
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    model_.elements[e]->advance(motion_, internal_of(model_, end, e));
  }
}

double StepEquations::drive_work(const State& end) const {
  double work = 0.0;
  for (const Joint& joint : model_.joints) {
    for (std::size_t k = 0; k < joint.equations.size(); ++k) {
      const Equation& equation = joint.equations[k];
      if (!equation.is_driven()) continue;
      const FrameMotion A = motion_(joint.a);
      const FrameMotion B = motion_(joint.b);
      const QuadraticForm form = equation.form_at(motion_.mid_time());
      const double change = form.value(A.end, B.end, A.start.a) - form.value(A.start, B.start, A.start.a);
      work -= end.multiplier[joint.first_equation + k] * change;
    }
  }
  return work;
}

std::string StepEquations::worst_place(std::span<const double> r) const {
  int worst = 0;
  double largest = -1.0;
  for (int b = 0; b + 1 < static_cast<int>(first_.size()); ++b) {
    double square = 0.0;
    for (int k = first_[b]; k < first_[b + 1]; ++k) square += r[k] * r[k];
    if (std::isnan(square)) square = std::numeric_limits<double>::infinity();
    if (square > largest) {
      largest = square;
      worst = b;
    }
  }
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    if (worst == unknowns_.node_block(n) || (unknowns_.has_jump(n) && worst == unknowns_.jump_block(n)))
      return "body '" + model_.nodes[n].name + "'";
  for (int j = 0; j < unknowns_.n_joints(); ++j)
    if (worst == unknowns_.joint_block(j)) return "joint '" + model_.joints[j].name + "'";
  for (int k = 0; k < unknowns_.n_frictions(); ++k)
    if (worst == unknowns_.friction_block(k)) return "friction of joint '" + friction_.joint(k).name + "'";
  return "the model";
}

}  // namespace freeplay
