#include "freeplay/scheme/step_equations.h"

#include <cmath>
#include <limits>

#include "freeplay/scheme/energy.h"

namespace freeplay {

namespace {

// A beam element of degree 3 and its nodes have 30 kB, most of it of the Jacobian: the cache of a core holds these.
constexpr std::size_t elements_per_portion = 16;

}  // namespace

StepEquations::StepEquations(const Model& model, double alpha, const Team& team)
    : model_(model),
      team_(team),
      ownership_(model, team),
      portions_(step_portions(model, ownership_, elements_per_portion)),
      unknowns_(model, Unknowns::Of::step),
      friction_(model),
      alpha_(alpha),
      nodes_(model, unknowns_, alpha),
      forces_(model.nodes.size()) {
  std::vector<bool> is_moved(StepNodes::n_groups(model), false);
  for (const StepPortion& portion : portions_)
    for (const int group : portion.groups_to_move) is_moved[group] = true;
  for (std::size_t group = 0; group < is_moved.size(); ++group)
    if (!is_moved[group]) groups_elsewhere_.push_back(static_cast<int>(group));
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j)
    if (ownership_.evaluates(j)) joints_.push_back(j);
  const std::vector<int> sizes = unknowns_.block_sizes();
  first_.assign(1, 0);
  for (const int size : sizes) first_.push_back(first_.back() + size);
  size_ = first_.back();
  parts_ = ownership_.owners_of(unknowns_).parts(first_);
  const std::size_t n = model.nodes.size();
  std::vector<ForceElement::Cancelling> cancelling(n);
  for (const auto& element : model.elements)
    for (const int node : element->nodes()) {
      if (node == ground) continue;
      const ForceElement::Cancelling part = element->cancelling(model.length_scale);
      cancelling[node].force += part.force;
      cancelling[node].moment += part.moment;
    }
  double square = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec6 scale = momentum_scale(model.nodes[k].mass, model.length_scale);
    square += std::pow(scale[0] * cancelling[k].force, 2) + std::pow(scale[3] * cancelling[k].moment, 2);
  }
  double mass = 0.0;
  for (const Node& node : model.nodes) mass += node.mass(0, 0);
  root_mass_ = std::sqrt(mass);
  noise_per_dt_square_ = std::numeric_limits<double>::epsilon() * std::sqrt(square);
  projection_reactions_.assign(model.n_multipliers, 0.0);
  friction_losses_.assign(model.frictions.size(), 0.0);
  contact_works_.reserve(model.elements.size());
  motion_.alpha = alpha;
  motion_.nodes.resize(n);
  end_variation_.resize(n);
  jump_variation_.resize(n);
}

void StepEquations::begin(const State& start, double dt, Clock clock) {
  start_ = &start;
  motion_.time = start.time;
  motion_.dt = dt;
  motion_.passed = clock == Clock::runs ? dt : 0.0;
  position_scale_ = model_.length_scale;
  for (const Pose& pose : start.pose) position_scale_ = std::max(position_scale_, pose.x.norm());
  nodes_.begin(start, dt, motion_);
  friction_.begin_step(start, dt);
  // Statics have no slip, and what friction then does is not unique: they leave it out.
  friction_acts_ = clock == Clock::runs;
}

void StepEquations::guess(const std::vector<Vec6>& mean_twist, std::span<const double> multipliers,
                          std::span<double> u) const {
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    unknowns_.scatter(n, motion_.dt * mean_twist[n], &u[first_[unknowns_.node_block(n)]]);
    if (!unknowns_.has_jump(n)) continue;
    // Without a velocity jump, nu_j = nu_i, the relation between nu_j, xi and xi_h (integrator.md) gives this xi_h.
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

void StepEquations::add_joint_forces(std::span<const double> u, std::span<double> r) {
  constraint_max_ = 0.0;
  for (const int j : joints_)
    for (const int node : model_.joints[j].nodes()) forces_.joints[node].setZero();
  for (const int j : joints_) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, motion_);
    const int first = first_[unknowns_.joint_block(j)];
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      const JointVector w = u[first + k] / (motion_.dt * motion_.dt) * equation.force(at, motion_.mid_time());
      for (int side = 0; side < at.n_places; ++side)
        if (joint.node(side) != ground) forces_.joints[joint.node(side)] += w.segment<6>(6 * side);
      const double c = equation.value(at, motion_.end_time(), 1.0, start_->internal);
      const double length = equation.length_unit(model_.length_scale);
      constraint_max_ = std::max(constraint_max_, std::abs(c) * length);
      r[first + k] = std::sqrt(model_.mass_scale) * length * c;
    }
  }
}

void StepEquations::residual(std::span<const double> u, std::span<double> r) {
  totals_ = {};
  double of_friction = 0.0;  // all processes have the same
  for (const StepPortion& portion : portions_) {
    nodes_.move(portion.groups_to_move, u, motion_);
    nodes_.for_nodes(portion.groups_to_move, [&](int n) {
      forces_.elements[n].setZero();
      forces_.jump[n].setZero();
    });
    for (const int e : portion.elements)
      model_.elements[e]->add_step_forces(motion_, internal_of(model_, *start_, e), forces_.elements, forces_.jump);
    if (&portion == &portions_.back()) {
      add_joint_forces(u, r);
      of_friction = add_friction_forces(u, r);
    }
    totals_ += nodes_.balance(portion.groups_to_balance, forces_, r);
  }
  add_up_totals();
  totals_.momentum += of_friction;
}

void StepEquations::add_up_totals() {
  std::array<double, 3> sums{totals_.momentum, totals_.reference, totals_.jump};
  std::array<double, 2> maxima{totals_.largest_rotation, constraint_max_};
  team_.sum(sums);
  team_.largest(maxima);
  totals_ = {sums[0], sums[1], sums[2], maxima[0]};
  constraint_max_ = maxima[1];
}

void StepEquations::complete(std::vector<Vec6>& of_nodes) const {
  if (!of_nodes.empty()) team_.complete({of_nodes[0].data(), 6 * of_nodes.size()}, ownership_.node_parts());
}

double StepEquations::relative_size() const {
  // Positions carry a round-off of about 1e-16 of their size: a constraint cannot be met more closely.
  constexpr double round_off = 4e-15;
  const double constraint =
      constraint_max_ <= round_off * position_scale_ ? 0.0 : std::sqrt(model_.mass_scale) * constraint_max_;
  const double size = std::hypot(std::sqrt(totals_.momentum), constraint);
  if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
  return totals_.reference > 0.0 ? size / std::sqrt(totals_.reference) : size;
}

bool StepEquations::at_round_off() const {
  // Two sources: forces that cancel in stiff elements, and momenta dt M nu that jump with the round-off of positions.
  constexpr double round_off = 4e-16;
  const double noise = motion_.dt * motion_.dt * noise_per_dt_square_ + round_off * root_mass_ * position_scale_;
  return constraint_max_ <= 10.0 * round_off * position_scale_ && totals_.momentum <= noise * noise;
}

StepWork StepEquations::finish(std::span<const double> u, State& end) {
  // The motion is that of u already, where this process knows it: a solution ends with its residual.
  nodes_.move(groups_elsewhere_, u, motion_);
  end.time = motion_.end_time();
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    end.pose[n].x = motion_.nodes[n].end().x;
    // What did not turn keeps every bit.
    const bool rotated = !nodes_.xi(n).tail<3>().isZero(0.0);
    end.pose[n].R = rotated ? nearest_rotation(motion_.nodes[n].end().R) : motion_.nodes[n].start.R;
    end.twist[n] = nodes_.end_twist(n);
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
  StepWork work, of_all;
  contact_works_.clear();
  for (std::size_t e = 0; e < model_.elements.size(); ++e) {
    if (!ownership_.books(static_cast<int>(e))) continue;
    const StepWork done =
        model_.elements[e]->conclude(motion_, internal_of(model_, *start_, e), internal_of(model_, end, e));
    (ownership_.is_shared_out(static_cast<int>(e)) ? work : of_all) += done;
    if (model_.elements[e]->is_contact()) contact_works_.push_back(done);
  }
  static_assert(sizeof(StepWork) == 5 * sizeof(double));
  team_.sum({&work.load_work, 5});
  team_.complete(end.internal, ownership_.internal_parts());
  work += of_all;
  for (int k = 0; k < unknowns_.n_frictions(); ++k) {
    friction_losses_[k] = friction_loss(k, end);
    work.friction_loss += friction_losses_[k];
  }
  return work;
}

double StepEquations::drive_work(const State& end) const {
  double work = 0.0;
  for (const Joint& joint : model_.joints) {
    for (std::size_t k = 0; k < joint.equations.size(); ++k) {
      const Equation& equation = joint.equations[k];
      if (!equation.is_driven()) continue;
      work -= end.multiplier[joint.first_equation + k] * equation.change(motion_of(joint, motion_), motion_.mid_time());
    }
  }
  return work;
}

std::string StepEquations::worst_place(std::span<double> r) const {
  team_.complete(r, parts_);
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
