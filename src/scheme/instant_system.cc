#include "freeplay/scheme/instant_system.h"

#include <Eigen/LU>
#include <cmath>

#include "freeplay/scheme/block_sink.h"
#include "freeplay/scheme/energy.h"
#include "freeplay/scheme/ownership.h"
#include "freeplay/scheme/pattern.h"

namespace freeplay {

namespace {

std::vector<char> nodes_with_joints(const Model& model) {
  std::vector<char> has_joint(model.nodes.size(), false);
  for (const Joint& joint : model.joints)
    for (const int node : joint.nodes()) has_joint[node] = true;
  return has_joint;
}

BlockMatrix make_matrix(const Model& model, const Unknowns& unknowns, const std::vector<char>& has_joint,
                        const Team& team) {
  Pattern pattern(model, unknowns);
  std::vector<int> sizes = unknowns.block_sizes();
  for (int n = 0; n < unknowns.n_nodes(); ++n) {
    if (has_joint[n])
      pattern.add_node(n);
    else
      sizes[n] = 0;
  }
  pattern.add_multipliers();
  pattern.add_frictions();
  return {std::move(sizes), pattern.take(), Ownership(model, team).owners_of(unknowns)};
}

/// Of the free degrees of freedom; zero for the others.
Mat6 inverse_mass(const Mat6& mass, const std::vector<int>& free) {
  const Eigen::MatrixXd inverse = mass(free, free).inverse();
  Mat6 result = Mat6::Zero();
  result(free, free) = inverse;
  return result;
}

}  // namespace

InstantSystem::InstantSystem(const Model& model, SolverFactory& solvers)
    : model_(model),
      unknowns_(model, Unknowns::Of::instant),
      friction_(model),
      has_joint_(nodes_with_joints(model)),
      matrix_(make_matrix(model, unknowns_, has_joint_, solvers.team())),
      solver_(solvers.linear(matrix_)) {
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    if (has_joint_[n]) joint_nodes_.push_back(n);
  for (int n = 0; n < unknowns_.n_nodes(); ++n)
    inverse_mass_.push_back(has_joint_[n] ? Mat6(Mat6::Zero()) : inverse_mass(model.nodes[n].mass, unknowns_.free(n)));
  for (const Node& node : model.nodes) row_scale_.push_back(momentum_scale(node.mass, model.length_scale));
  forces_.resize(model.nodes.size());
  impulses_.assign(model.n_multipliers, 0.0);
  right_side_.resize(matrix_.size());
  solution_.resize(matrix_.size());
}

void InstantSystem::assemble(const State& state) {
  matrix_.set_zero();
  for (const int n : joint_nodes_)
    unknowns_.add(Mat6(row_scale_[n].asDiagonal() * model_.nodes[n].mass), n, n, n, n, matrix_);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, motion_);
    const JointGradients gradients = columns_of(joint, unknowns_.active(j), [&](const Equation& each) {
      return each.gradient(at, state.time, state.load_factor);
    });
    add_multipliers(state, joint, unknowns_.joint_block(j), gradients, gradients);
  }
}

/// Rows of nodes are in their own axes and scaled; twists are in their own axes.
class InstantSystem::Sink : public BlockSink {
 public:
  Sink(InstantSystem& system, const State& state)
      : BlockSink(system.unknowns_, system.matrix_), row_scale_(system.row_scale_), state_(state) {}
  Mat6 row_motions(Row, int node) const override {
    return column_motions(Column::end, node) * row_scale_[node].asDiagonal();
  }
  Mat6 column_motions(Column, int node) const override {
    Mat6 axes = Mat6::Zero();
    axes.topLeftCorner<3, 3>() = axes.bottomRightCorner<3, 3>() = state_.pose[node].R;
    return axes;
  }

 private:
  const std::vector<Vec6>& row_scale_;
  const State& state_;
};

void InstantSystem::add_multipliers(const State& state, const Joint& joint, int block, const JointGradients& forces,
                                    const JointGradients& rows) {
  Sink(*this, state).add_multipliers(joint, block, forces, std::sqrt(model_.mass_scale) * rows);
}

InstantSystem::FrameRates InstantSystem::rates(const State& state, const Frame& frame) const {
  FrameRates result;
  if (frame.node == ground) {
    result.rate = result.second = {Vec3::Zero(), Vec3::Zero(), Mat3::Zero()};
    return result;
  }
  const Mat3& R = state.pose[frame.node].R;
  const Vec3 V = state.twist[frame.node].head<3>();
  const Vec3 w = state.twist[frame.node].tail<3>();
  const Mat3 w_skew = skew(w);
  result.rate = {R * (V + w.cross(frame.offset)), Vec3::Zero(), R * w_skew * frame.axes};
  result.second = {R * w.cross(V + w.cross(frame.offset)), Vec3::Zero(), R * w_skew * w_skew * frame.axes};
  return result;
}

/// The right side of a projection: how fast the constraints open.
double InstantSystem::right_side_of_defects(const State& state, int& worst_joint) {
  std::fill(right_side_.begin(), right_side_.end(), 0.0);
  double largest = 0.0;
  const auto look_at = [&](double defect, int joint) {
    if (std::abs(defect) <= largest) return;
    largest = std::abs(defect);
    worst_joint = joint;
  };
  const double root_mass = std::sqrt(model_.mass_scale);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, motion_);
    const JointVector velocity = velocity_of(joint, motion_);
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      const double rate = equation.gradient(at, state.time, state.load_factor).dot(velocity);
      const double defect = rate + equation.explicit_rate(at, state.time);
      right_side_[matrix_.first(unknowns_.joint_block(j)) + k] = -root_mass * defect;
      look_at(defect, j);
    }
  }
  add_friction(state, state.multiplier, Friction::of_impulse);
  for (int k = 0; k < unknowns_.n_frictions(); ++k)
    for (int c = 0; c < friction_.friction(k).n_slips(); ++c)
      look_at(right_side_[matrix_.first(unknowns_.friction_block(k)) + c] / root_mass, friction_.friction(k).joint);
  return largest;
}

/// A drive moves as prescribed at all times, so its impulse -mu does the work -mu times the prescribed rate; what a
/// projection loses is then 1/2 |change|^2_M, which is never negative.
double InstantSystem::drive_work_of_impulses(const State& state) const {
  double work = 0.0;
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Equation& equation = joint.equations[active[k]];
      if (!equation.is_driven()) continue;
      const double rate = -equation.explicit_rate(motion_of(joint, motion_), state.time);
      work -= solution_[matrix_.first(unknowns_.joint_block(j)) + static_cast<int>(k)] * rate;
    }
  }
  return work;
}

/// Solved for the correction of the twists: [M G^T; G 0] (d nu, mu) = (0, -(G nu + C_t)). It is small, so that a modest
/// relative accuracy of it is round-off of the velocities.
InstantSystem::Projection InstantSystem::project(State& state) {
  constexpr double tolerance = 1e-9;
  Projection result;
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  if (matrix_.size() == 0) return result;  // no constraint
  set_instant_of(joint_nodes_, state, motion_);
  friction_.begin(motion_);
  assemble(state);
  if (right_side_of_defects(state, result.worst_joint) == 0.0) return result;
  result.ok = solver_->solve(matrix_, right_side_, tolerance, solution_);
  if (!result.ok) return result;
  read_multipliers(impulses_);
  double given = 0.0;  // kinetic energy
  for (const int n : joint_nodes_) {
    const Vec6 change = unknowns_.gather(n, &solution_[matrix_.first(n)]);
    const Mat6& mass = model_.nodes[n].mass;
    result.correction += 0.5 * change.dot(mass * change);
    given -= 0.5 * state.twist[n].dot(mass * state.twist[n]);
    state.twist[n] += change;
    given += 0.5 * state.twist[n].dot(mass * state.twist[n]);
  }
  result.drive_work = drive_work_of_impulses(state);
  result.loss = result.drive_work - given;
  return result;
}

void InstantSystem::right_side_of_forces(const State& state) {
  for (std::size_t n = 0; n < forces_.size(); ++n)
    forces_[n] = state.load_factor * resisting_weight(model_.nodes[n], state.pose[n].R, model_.gravity);
  for (std::size_t e = 0; e < model_.elements.size(); ++e)
    model_.elements[e]->add_forces(motion_, internal_of(model_, state, e), forces_);
  for (int n = 0; n < unknowns_.n_nodes(); ++n) {
    const Vec6 momentum = model_.nodes[n].mass * state.twist[n];
    const Vec3 V = state.twist[n].head<3>();
    const Vec3 w = state.twist[n].tail<3>();
    const Mat3 R_t = state.pose[n].R.transpose();
    Vec6 right;
    right.head<3>() = -w.cross(momentum.head<3>()) - R_t * forces_[n].head<3>();
    right.tail<3>() = -w.cross(momentum.tail<3>()) - V.cross(momentum.head<3>()) - R_t * forces_[n].tail<3>();
    if (has_joint_[n])
      unknowns_.scatter(n, row_scale_[n].cwiseProduct(right), &right_side_[matrix_.first(n)]);
    else
      forces_[n] = right;
  }
}

void InstantSystem::right_side_of_joints(const State& state, Drives drives) {
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const Joint& joint = model_.joints[j];
    const JointMotion at = motion_of(joint, motion_);
    JointRates joint_rates;
    for (int side = 0; side < at.n_places; ++side) {
      const FrameRates here = rates(state, joint.place(side));
      joint_rates.rate[side] = here.rate;
      joint_rates.second[side] = here.second;
    }
    const auto& active = unknowns_.active(j);
    double* block = right_side_.data() + matrix_.first(unknowns_.joint_block(j));
    for (std::size_t k = 0; k < active.size(); ++k)
      block[k] =
          -std::sqrt(model_.mass_scale) * joint.equations[active[k]].second_rate(
                                              at, joint_rates, state.time, state.load_factor, drives != Drives::stand);
  }
}

void InstantSystem::read_multipliers(std::vector<double>& multipliers) const {
  std::fill(multipliers.begin(), multipliers.end(), 0.0);
  for (int j = 0; j < unknowns_.n_joints(); ++j) {
    const auto& active = unknowns_.active(j);
    for (std::size_t k = 0; k < active.size(); ++k)
      multipliers[model_.joints[j].first_equation + active[k]] = solution_[matrix_.first(unknowns_.joint_block(j)) + k];
  }
  for (int k = 0; k < unknowns_.n_frictions(); ++k)
    for (int c = 0; c < friction_.friction(k).n_slips(); ++c)
      multipliers[friction_.friction(k).first_multiplier + c] =
          solution_[matrix_.first(unknowns_.friction_block(k)) + c];
}

bool InstantSystem::accelerate(const State& state, std::vector<Vec6>& twist_rate, std::vector<double>& multipliers,
                               Drives drives) {
  set_instant(state, motion_);
  friction_.begin(motion_);
  right_side_of_forces(state);
  right_side_of_joints(state, drives);
  const Friction friction = drives == Drives::stand ? Friction::none : Friction::acts;
  // Normal forces of friction are lengths of vectors of multipliers: Newton's method, begun with those of the state.
  constexpr int most_iterations = 30;
  constexpr double accuracy = 1e-12;
  std::vector<double> trial = state.multiplier;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    assemble(state);
    add_friction(state, trial, friction);
    if (matrix_.size() > 0 && !solver_->solve(matrix_, right_side_, 1e-13, solution_)) return false;
    previous_multipliers_ = trial;
    read_multipliers(trial);
    double change = 0.0, size = 0.0;
    for (std::size_t k = 0; k < trial.size(); ++k) {
      change = std::max(change, std::abs(trial[k] - previous_multipliers_[k]));
      size = std::max(size, std::abs(trial[k]));
    }
    if (unknowns_.n_frictions() == 0 || friction == Friction::none || change <= accuracy * size) {
      multipliers = std::move(trial);
      for (int n = 0; n < unknowns_.n_nodes(); ++n)
        twist_rate[n] =
            has_joint_[n] ? unknowns_.gather(n, &solution_[matrix_.first(n)]) : Vec6(inverse_mass_[n] * forces_[n]);
      return true;
    }
  }
  return false;
}

}  // namespace freeplay
