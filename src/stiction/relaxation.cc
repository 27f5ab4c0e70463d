#include "relaxation.h"

#include <cmath>

namespace freeplay {

using Eigen::RowVectorXd;
using Eigen::VectorXd;

Relaxation::Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch, Side side)
    : search_(search),
      problem_(search.problem_),
      question_(question),
      branch_(branch),
      side_(side),
      program_(search.columns().size),
      sticking_normal_(problem_.joints.size()) {
  add_bounds();
  for (int r = 0; r < search.rows_.rows(); ++r)
    program_.add_row(search.rows_.row(r).transpose(), search.right_[r], search.right_[r]);
  add_pressures();
  for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j) {
    const Branch::Slip& slip = branch.slip[j];
    if (slip.is_decided && !slip.sector && question.slipping >= 0) add_still(j);
    if (!search.is_decided(branch, j)) continue;
    slip.sector ? add_slipping(j, *slip.sector) : add_sticking(j);
  }
}

void Relaxation::add_bounds() {
  const SearchColumns& columns = search_.columns();
  const bool slides = question_.slipping >= 0;
  for (int c = 0; c < columns.acceleration; ++c) program_.bound(c, -unlimited, unlimited);
  for (int c = 0; c < problem_.n_accelerations; ++c) {
    program_.bound(columns.acceleration + c, slides ? -unlimited : 0.0, slides ? unlimited : 0.0);
    program_.bound(columns.velocity + c, slides ? -1.0 : 0.0, slides ? 1.0 : 0.0);
  }
  program_.bound(columns.factor, question_.least_factor, std::min(question_.most_factor, unlimited));
}

void Relaxation::add_pressures() {
  for (std::size_t p = 0; p < branch_.pressure.size(); ++p) {
    if (!branch_.pressure[p]) continue;
    const Eigen::MatrixXd inside = branch_.pressure[p]->inverse * search_.parts_[p].part->map;
    for (int r = 0; r < inside.rows(); ++r) {
      VectorXd row = search_.columns().nothing();
      row.head(problem_.n_reactions) = inside.row(r).transpose();
      program_.add_row(row, 0.0, INFINITY);
    }
  }
}

RowVectorXd Relaxation::normal_row(int joint, Estimate estimate) const {
  RowVectorXd row = search_.columns().nothing().transpose();
  for (std::size_t p = 0; p < branch_.pressure.size(); ++p) {
    const auto& [owner, part] = search_.parts_[p];
    if (owner != joint) continue;
    const SimplicialCone& cone = *branch_.pressure[p];
    const double share = estimate == Estimate::never_smaller ? 1.0 : cone.flatness;
    row.head(problem_.n_reactions) += share * part->weight * cone.sum() * part->map;
  }
  return row;
}

VectorXd Relaxation::slip_row(int joint, const RowVectorXd& direction, int column) const {
  VectorXd row = search_.columns().nothing();
  row.segment(column, problem_.n_accelerations) = (direction * problem_.joints[joint].slip).transpose();
  return row;
}

VectorXd Relaxation::friction_row(int joint, const VectorXd& direction) const {
  VectorXd row = search_.columns().nothing();
  row.segment(problem_.friction_column(problem_.joints[joint]), direction.size()) = direction;
  return row;
}

double Relaxation::preload(int joint) const { return problem_.joints[joint].preload / search_.force_scale(); }

void Relaxation::add_still(int joint) {
  const int n = problem_.joints[joint].n_directions;
  for (int d = 0; d < n; ++d)
    for (const int column : {search_.columns().acceleration, search_.columns().velocity})
      program_.add_row(slip_row(joint, RowVectorXd::Unit(n, d), column), 0.0, 0.0);
}

void Relaxation::add_sticking(int joint) {
  const auto& friction = problem_.joints[joint];
  sticking_normal_[joint] =
      normal_row(joint, side_ == Side::too_wide ? Estimate::never_smaller : Estimate::never_larger);
  const VectorXd limit = friction.coefficient * sticking_normal_[joint].transpose();
  for (int d = 0; d < friction.n_directions; ++d)
    for (const double sign : {1.0, -1.0})
      program_.add_row(friction_row(joint, sign * VectorXd::Unit(friction.n_directions, d)) - limit, -INFINITY,
                       friction.coefficient * preload(joint));
}

void Relaxation::add_slipping(int joint, const SimplicialCone& sector) {
  const auto& friction = problem_.joints[joint];
  for (int d = 0; d < friction.n_directions; ++d) {
    program_.add_row(friction_row(joint, sector.inverse.row(d).transpose()), 0.0, INFINITY);
    for (const int column : {search_.columns().acceleration, search_.columns().velocity})
      program_.add_row(slip_row(joint, sector.inverse.row(d), column), 0.0, INFINITY);
  }
  // coefficient * N <= |force|, between flatness * s and s
  const bool is_wide = side_ == Side::too_wide;
  const VectorXd limit =
      friction.coefficient * normal_row(joint, is_wide ? Estimate::never_larger : Estimate::never_smaller).transpose();
  const VectorXd force = (is_wide ? 1.0 : sector.flatness) * friction_row(joint, sector.sum().transpose());
  program_.add_row(force - limit, friction.coefficient * preload(joint), INFINITY);
  if (question_.slipping == joint)
    program_.add_row(slip_row(joint, sector.sum(), search_.columns().velocity), question_.least_slip, INFINITY);
}

VectorXd Relaxation::objective() const {
  if (question_.normal_of < 0) return question_.objective;
  if (!search_.is_decided(branch_, question_.normal_of)) return search_.columns().nothing();
  const Estimate bounding = question_.sign > 0.0 ? Estimate::never_smaller : Estimate::never_larger;
  return question_.sign * normal_row(question_.normal_of, bounding).transpose();
}

bool Relaxation::cut(const VectorXd& x) {
  bool is_cut = false;
  for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j) {
    const auto& friction = problem_.joints[j];
    if (friction.n_directions == 1 || sticking_normal_[j].size() == 0) continue;
    const VectorXd force = x.segment(problem_.friction_column(friction), friction.n_directions);
    const double limit = friction.coefficient * (preload(j) + sticking_normal_[j].dot(x));
    if (force.norm() <= limit + 0.1 * cone_tolerance * (1.0 + force.norm())) continue;
    program_.add_row(friction_row(j, force.normalized()) - friction.coefficient * sticking_normal_[j].transpose(),
                     -INFINITY, friction.coefficient * preload(j));
    is_cut = true;
  }
  return is_cut;
}

Relaxation::Result Relaxation::solve() {
  constexpr int most_cuts = 300;
  const VectorXd objective = this->objective();
  Result result;
  for (int round = 0; round < most_cuts; ++round) {
    const LinearProgram::Solution solution = program_.maximise(objective);
    if (solution.status != LinearProgram::Status::optimal) return {};
    result = {true, solution.value, solution.x};
    if (!cut(solution.x)) break;
  }
  if (question_.normal_of >= 0) {
    const double known = preload(question_.normal_of);
    // Undecided: a normal force is at least its preload, and has no bound above.
    if (search_.is_decided(branch_, question_.normal_of))
      result.value += question_.sign * known;
    else
      result.value = question_.sign > 0.0 ? unlimited : -known;
  }
  return result;
}

}  // namespace freeplay
