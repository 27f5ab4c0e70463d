#include "relaxation.h"

#include <cmath>

namespace freeplay {

using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

/// The point is outside by more than round-off.
bool is_beyond(double excess, double size) { return excess > 0.1 * cone_tolerance * (1.0 + size); }

}  // namespace

Relaxation::Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch)
    : Relaxation(search, question, branch, nullptr) {}

Relaxation::Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch,
                       const VectorXd& about)
    : Relaxation(search, question, branch, &about) {}

Relaxation::Relaxation(const FrictionSearch& search, const Question& question, const Branch& branch,
                       const VectorXd* about)
    : search_(search),
      problem_(search.problem_),
      question_(question),
      branch_(branch),
      about_(about),
      program_(search.columns().size),
      sticking_normal_(problem_.joints.size()) {
  add_bounds();
  for (int r = 0; r < search.rows_.rows(); ++r)
    program_.add_row(search.rows_.row(r).transpose(), search.right_[r], search.right_[r]);
  add_pressures();
  for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j) {
    const Branch::Slip& slip = branch.slip[j];
    if (problem_.joints[j].is_contact && question.slipping >= 0) add_opening(j);
    if (slip.opens) add_open(j);
    if (slip.sector) add_slipping(j, *slip.sector);
    if (!slip.sticks()) continue;
    if (question.slipping >= 0) add_still(j);
    add_sticking(j);
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
  program_.bound(columns.normal, 0.0, INFINITY);
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

std::optional<RowVectorXd> Relaxation::normal_row(int joint) const {
  if (about_ == nullptr && !search_.has_all_pressures(branch_, joint)) return std::nullopt;
  if (about_ != nullptr) return tangent_of_normal(joint, *about_);
  RowVectorXd row = search_.columns().nothing().transpose();
  for (std::size_t p = 0; p < branch_.pressure.size(); ++p) {
    const auto& [owner, part] = search_.parts_[p];
    if (owner == joint) row.head(problem_.n_reactions) += part->weight * branch_.pressure[p]->sum() * part->map;
  }
  return row;
}

RowVectorXd Relaxation::tangent_of_normal(int joint, const VectorXd& x) const {
  RowVectorXd row = search_.columns().nothing().transpose();
  for (std::size_t p = 0; p < branch_.pressure.size(); ++p) {
    const auto& [owner, part] = search_.parts_[p];
    if (owner != joint) continue;
    const auto& cone = branch_.pressure[p];
    const VectorXd z = part->map * x.head(problem_.n_reactions);
    // In one dimension the sign is all there is to know; a force that is zero has no direction.
    const RowVectorXd direction =
        cone && cone->dimension() == 1 ? cone->sum() : RowVectorXd(z.normalized().transpose());
    row.head(problem_.n_reactions) += part->weight * direction * part->map;
  }
  return row;
}

double Relaxation::normal_at(int joint, const VectorXd& x) const {
  return problem_.joints[joint].normal_force(search_.force_scale() * x.head(problem_.n_reactions)) /
         search_.force_scale();
}

VectorXd Relaxation::motion_row(const RowVectorXd& by_accelerations, int column) const {
  VectorXd row = search_.columns().nothing();
  row.segment(column, problem_.n_accelerations) = by_accelerations.transpose();
  return row;
}

VectorXd Relaxation::friction_row(int joint, const VectorXd& direction) const {
  VectorXd row = search_.columns().nothing();
  row.segment(problem_.friction_column(problem_.joints[joint]), direction.size()) = direction;
  return row;
}

double Relaxation::preload(int joint) const { return problem_.joints[joint].preload / search_.force_scale(); }

/// Contacts do not close further; those that do not open stay as they are.
void Relaxation::add_opening(int joint) {
  const Branch::Slip& slip = branch_.slip[joint];
  const RowVectorXd& opening = problem_.joints[joint].opening;
  const bool stays = slip.is_decided && !slip.opens;
  for (const int column : {search_.columns().acceleration, search_.columns().velocity})
    program_.add_row(motion_row(opening, column), 0.0, stays ? 0.0 : INFINITY);
  if (slip.opens && question_.slipping == joint)
    program_.add_row(motion_row(opening, search_.columns().velocity), question_.least_slip, INFINITY);
}

void Relaxation::add_open(int joint) {
  const auto& friction = problem_.joints[joint];
  program_.add_row(tangent_of_normal(joint, search_.columns().nothing()).transpose(), 0.0, 0.0);
  for (int d = 0; d < friction.n_directions; ++d) program_.bound(problem_.friction_column(friction) + d, 0.0, 0.0);
}

void Relaxation::add_still(int joint) {
  const auto& friction = problem_.joints[joint];
  for (int d = 0; d < friction.n_directions; ++d)
    for (const int column : {search_.columns().acceleration, search_.columns().velocity})
      program_.add_row(motion_row(friction.slip.row(d), column), 0.0, 0.0);
}

void Relaxation::add_sticking(int joint) {
  const auto& friction = problem_.joints[joint];
  sticking_normal_[joint] = normal_row(joint);
  if (!sticking_normal_[joint]) return;
  const VectorXd limit = friction.coefficient * sticking_normal_[joint]->transpose();
  for (int d = 0; d < friction.n_directions; ++d)
    for (const double sign : {1.0, -1.0})
      program_.add_row(friction_row(joint, sign * VectorXd::Unit(friction.n_directions, d)) - limit, -INFINITY,
                       friction.coefficient * preload(joint));
}

/// |force|, which lies between flatness * s and s: in a wide program never smaller, in a narrow one never larger.
VectorXd Relaxation::slipping_force(int joint) const {
  const SimplicialCone& sector = *branch_.slip[joint].sector;
  return (about_ == nullptr ? 1.0 : sector.flatness) * friction_row(joint, sector.sum().transpose());
}

void Relaxation::add_slipping(int joint, const SimplicialCone& sector) {
  const auto& friction = problem_.joints[joint];
  for (int d = 0; d < friction.n_directions; ++d) {
    program_.add_row(friction_row(joint, sector.inverse.row(d).transpose()), 0.0, INFINITY);
    for (const int column : {search_.columns().acceleration, search_.columns().velocity})
      program_.add_row(motion_row(sector.inverse.row(d) * friction.slip, column), 0.0, INFINITY);
  }
  program_.add_row(slipping_force(joint), friction.coefficient * preload(joint), INFINITY);
  if (question_.slipping == joint)
    program_.add_row(motion_row(sector.sum() * friction.slip, search_.columns().velocity), question_.least_slip,
                     INFINITY);
}

VectorXd Relaxation::objective() const {
  if (question_.normal_of < 0) return question_.objective;
  if (question_.sign < 0.0) return -search_.columns().unit(search_.columns().normal);
  const auto row = normal_row(question_.normal_of);
  return row ? VectorXd(row->transpose()) : search_.columns().nothing();
}

bool Relaxation::cut_sticking(int joint, const VectorXd& x) {
  const auto& friction = problem_.joints[joint];
  if (friction.n_directions < 2 || !sticking_normal_[joint]) return false;
  const VectorXd force = x.segment(problem_.friction_column(friction), friction.n_directions);
  const double limit = friction.coefficient * (preload(joint) + sticking_normal_[joint]->dot(x));
  if (!is_beyond(force.norm() - limit, force.norm())) return false;
  program_.add_row(
      friction_row(joint, force.normalized()) - friction.coefficient * sticking_normal_[joint]->transpose(), -INFINITY,
      friction.coefficient * preload(joint));
  return true;
}

/// coefficient * N <= |force|
bool Relaxation::cut_slipping(int joint, const VectorXd& x) {
  if (!branch_.slip[joint].sector) return false;
  const double coefficient = problem_.joints[joint].coefficient;
  const VectorXd force = slipping_force(joint);
  const double limit = coefficient * normal_at(joint, x);
  if (!is_beyond(limit - force.dot(x), limit)) return false;
  program_.add_row(force - coefficient * tangent_of_normal(joint, x).transpose(), coefficient * preload(joint),
                   INFINITY);
  return true;
}

bool Relaxation::cut_least_normal(const VectorXd& x) {
  if (question_.normal_of < 0 || question_.sign > 0.0) return false;
  const int column = search_.columns().normal;
  const double normal = normal_at(question_.normal_of, x) - preload(question_.normal_of);
  if (!is_beyond(normal - x[column], normal)) return false;
  program_.add_row(search_.columns().unit(column) - tangent_of_normal(question_.normal_of, x).transpose(), 0.0,
                   INFINITY);
  return true;
}

bool Relaxation::cut(const VectorXd& x) {
  bool is_cut = cut_least_normal(x);
  for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j) {
    is_cut |= cut_sticking(j, x);
    is_cut |= cut_slipping(j, x);
  }
  return is_cut;
}

Relaxation::Result Relaxation::solve() {
  constexpr int most_cuts = 300;
  const VectorXd objective = this->objective();
  Result result;
  for (int round = 0; round < most_cuts; ++round) {
    ++n_programs_;
    const LinearProgram::Solution solution = program_.maximise(objective);
    if (solution.status != LinearProgram::Status::optimal) return {};
    result = {true, solution.value, solution.x};
    if (!cut(solution.x)) break;
  }
  if (question_.normal_of >= 0) {
    result.value += question_.sign * preload(question_.normal_of);
    // Without a limit yet.
    if (question_.sign > 0.0 && !normal_row(question_.normal_of)) result.value = unlimited;
  }
  return result;
}

}  // namespace freeplay
