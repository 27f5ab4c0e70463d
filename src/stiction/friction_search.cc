#include "freeplay/stiction/friction_search.h"

#include <Eigen/QR>
#include <cmath>
#include <queue>

#include "relaxation.h"

namespace freeplay {

namespace {

constexpr double search_tolerance = 1e-4;     // between a bound and a point, in units of the loads
constexpr double direction_tolerance = 0.02;  // of slip in two and three directions: about a degree
constexpr int most_programs = 4000;           // for one question

}  // namespace

struct FrictionSearch::Candidate {
  double bound;
  Branch branch;
  Eigen::VectorXd x;
  int depth;  ///< how many choices have been made
  /// Of equal bounds the one nearer to a point first.
  bool operator<(const Candidate& other) const {
    return bound < other.bound || (bound == other.bound && depth < other.depth);
  }
};

FrictionSearch::FrictionSearch(const FrictionProblem& problem) : problem_(problem), columns_(problem) {
  force_scale_ = 0.0;
  for (const Eigen::VectorXd& load : {problem.fixed_load, Eigen::VectorXd(problem.fixed_load + problem.scaled_load)})
    if (load.size() > 0) force_scale_ = std::max(force_scale_, load.lpNorm<Eigen::Infinity>());
  for (std::size_t j = 0; j < problem.joints.size(); ++j) {
    force_scale_ = std::max(force_scale_, problem.joints[j].preload);
    for (const auto& part : problem.joints[j].normal) parts_.push_back({static_cast<int>(j), &part});
  }
  if (force_scale_ == 0.0) force_scale_ = 1.0;
  compress_balance();
}

/// Rows that follow from others would be contradictions by round-off.
void FrictionSearch::compress_balance() {
  constexpr double rank_tolerance = 1e-10, balance_tolerance = 1e-7;
  Eigen::MatrixXd all(problem_.balance.rows(), problem_.n_unknowns() + 1);
  all << problem_.balance, -problem_.scaled_load / force_scale_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(rank_tolerance);
  qr.compute(all);
  const Eigen::MatrixXd rotated = qr.householderQ().transpose() * all;
  const Eigen::VectorXd right = qr.householderQ().transpose() * (problem_.fixed_load / force_scale_);
  rows_.setZero(qr.rank(), columns_.size);
  rows_.leftCols(all.cols()) =
      (rotated.topRows(qr.rank()).array().abs() < rank_tolerance).select(0.0, rotated.topRows(qr.rank()));
  right_ = right.head(qr.rank());
  is_balanced_ = right.tail(right.size() - qr.rank()).norm() < balance_tolerance;
}

Branch FrictionSearch::undecided() const {
  return {std::vector<std::optional<SimplicialCone>>(parts_.size()), std::vector<Branch::Slip>(problem_.joints.size())};
}

Branch FrictionSearch::at_rest() const {
  Branch branch = undecided();
  for (Branch::Slip& slip : branch.slip) slip.is_decided = true;
  return branch;
}

bool FrictionSearch::is_decided(const Branch& branch, int joint) const {
  if (!branch.slip[joint].is_decided) return false;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (parts_[p].joint == joint && !branch.pressure[p]) return false;
  return true;
}

double FrictionSearch::value_at(const Question& question, const Eigen::VectorXd& x) const {
  if (question.normal_of < 0) return question.objective.dot(x);
  const auto& joint = problem_.joints[question.normal_of];
  return question.sign * joint.normal_force(force_scale_ * x.head(problem_.n_reactions)) / force_scale_;
}

double FrictionSearch::limit_at(int joint, const Eigen::VectorXd& x) const {
  const auto& friction = problem_.joints[joint];
  return friction.coefficient * friction.normal_force(force_scale_ * x.head(problem_.n_reactions)) / force_scale_;
}

bool FrictionSearch::is_admissible(const Branch& branch, const Eigen::VectorXd& x) const {
  const double round_off = cone_tolerance * (1.0 + x.head(problem_.n_reactions).lpNorm<Eigen::Infinity>());
  for (int j = 0; j < static_cast<int>(problem_.joints.size()); ++j) {
    const auto& friction = problem_.joints[j];
    const double limit = limit_at(j, x);
    const Eigen::VectorXd force = x.segment(problem_.friction_column(friction), friction.n_directions);
    if (!branch.slip[j].sector) {
      if (force.norm() > limit + round_off) return false;
      continue;
    }
    if (force.norm() < limit - round_off) return false;
    if (friction.n_directions == 1) continue;
    const Eigen::VectorXd slip = friction.slip * x.segment(columns_.velocity, problem_.n_accelerations);
    if ((force.normalized() - slip.normalized()).norm() > direction_tolerance) return false;
  }
  return true;
}

std::vector<Branch> FrictionSearch::decide_next(const Branch& branch) const {
  for (std::size_t j = 0; j < branch.slip.size(); ++j) {
    std::vector<Branch> choices;
    if (!branch.slip[j].is_decided) {
      choices.push_back(branch);
      choices.back().slip[j] = {true, std::nullopt};
      for (const SimplicialCone& sector : orthants(problem_.joints[j].n_directions)) {
        choices.push_back(branch);
        choices.back().slip[j] = {true, sector};
      }
      return choices;
    }
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (parts_[p].joint != static_cast<int>(j) || branch.pressure[p]) continue;
      for (const SimplicialCone& cone : orthants(static_cast<int>(parts_[p].part->map.rows()))) {
        choices.push_back(branch);
        choices.back().pressure[p] = cone;
      }
      return choices;
    }
  }
  return {};
}

/// Halves the cone in which a length and its estimate differ most.
std::vector<Branch> FrictionSearch::refine(const Branch& branch, const Eigen::VectorXd& x) const {
  double worst = 0.0;
  std::vector<Branch> result{branch, branch};
  std::optional<SimplicialCone>*first = nullptr, *second = nullptr;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const SimplicialCone& cone = *branch.pressure[p];
    if (cone.dimension() < 2) continue;
    const Eigen::VectorXd z = parts_[p].part->map * x.head(problem_.n_reactions);
    const double error =
        problem_.joints[parts_[p].joint].coefficient * parts_[p].part->weight * (1.0 - cone.flatness) * z.norm();
    if (error <= worst) continue;
    worst = error;
    first = &result[0].pressure[p];
    second = &result[1].pressure[p];
  }
  for (std::size_t j = 0; j < branch.slip.size(); ++j) {
    const auto& friction = problem_.joints[j];
    if (!branch.slip[j].sector || friction.n_directions < 2) continue;
    const double error = (1.0 - branch.slip[j].sector->flatness) *
                         x.segment(problem_.friction_column(friction), friction.n_directions).norm();
    if (error <= worst) continue;
    worst = error;
    first = &result[0].slip[j].sector;
    second = &result[1].slip[j].sector;
  }
  if (first == nullptr) return {};
  const auto [one, other] = halves(**first);
  *first = one;
  *second = other;
  return result;
}

double FrictionSearch::to_si(const Question& question, double value) const {
  if (std::abs(value) > 0.1 * unlimited) return std::copysign(INFINITY, value);
  const bool is_force = question.normal_of >= 0 || !question.objective.head(columns_.factor).isZero(0.0);
  return is_force ? value * force_scale_ : value;
}

Answer FrictionSearch::maximise(const Question& question, const Branch& start) const {
  Answer answer;
  if (!is_balanced_) return answer;
  int n_programs = 0;
  std::optional<double> found;
  double closed = -INFINITY;  // bound of all branches that need not be looked at again
  std::priority_queue<Candidate> open;
  const auto accept = [&](const Branch& branch, const Eigen::VectorXd& x) {
    if (is_admissible(branch, x)) found = std::max(found.value_or(-INFINITY), value_at(question, x));
  };
  const bool is_rest = std::all_of(start.slip.begin(), start.slip.end(),
                                   [](const Branch::Slip& slip) { return slip.is_decided && !slip.sector; });
  const auto consider = [&](const Branch& branch, int depth) {
    ++n_programs;
    const auto wide = Relaxation(*this, question, branch, Relaxation::Side::too_wide).solve();
    if (!wide.is_possible) return;
    // Whether forces are admissible at rest does not depend on what else has been chosen.
    if (is_rest) accept(branch, wide.x);
    if (found && wide.value <= *found + search_tolerance)
      closed = std::max(closed, wide.value);
    else
      open.push({wide.value, branch, wide.x, depth});
  };
  consider(start, 0);
  while (!open.empty()) {
    const Candidate best = open.top();
    if (found && (best.bound <= *found + search_tolerance || *found >= question.enough)) break;
    answer.given_up = n_programs > most_programs || programs_left_ <= 0;
    if (answer.given_up) break;
    open.pop();
    std::vector<Branch> children = decide_next(best.branch);
    if (children.empty()) {
      accept(best.branch, best.x);
      if (!found || *found < best.bound - search_tolerance) {
        ++n_programs;
        const auto narrow = Relaxation(*this, question, best.branch, Relaxation::Side::too_narrow).solve();
        if (narrow.is_possible) accept(best.branch, narrow.x);
        children = refine(best.branch, best.x);
      }
      if (children.empty()) closed = std::max(closed, best.bound);
    }
    for (const Branch& child : children) consider(child, best.depth + 1);
  }
  programs_left_ -= n_programs;
  if (!open.empty()) closed = std::max(closed, open.top().bound);
  if (found) answer.found = to_si(question, *found);
  if (found || std::isfinite(closed)) answer.bound = to_si(question, std::max(closed, found.value_or(-INFINITY)));
  return answer;
}

std::optional<std::vector<Branch>> FrictionSearch::orthants_at_rest(double least_factor, double most_factor) const {
  constexpr std::size_t most = 128;
  constexpr int most_tries = 1000;
  Question question;
  question.objective = columns_.nothing();
  question.least_factor = least_factor;
  question.most_factor = most_factor;
  std::vector<Branch> found, open{at_rest()};
  if (!is_balanced_) return found;
  for (int tries = 0; !open.empty(); ++tries) {
    if (tries == most_tries) return std::nullopt;
    const Branch branch = open.back();
    open.pop_back();
    if (!Relaxation(*this, question, branch, Relaxation::Side::too_wide).solve().is_possible) continue;
    const std::vector<Branch> children = decide_next(branch);
    if (children.empty()) found.push_back(branch);
    if (found.size() + open.size() > most) return std::nullopt;
    open.insert(open.end(), children.begin(), children.end());
  }
  return found;
}

}  // namespace freeplay
